/** Wrong values on the command line, for every command and every option: one clear line and exit code 2, before anything happens. */
import { join } from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { beforeEach, expect, test, vi } from 'vitest';
import { pathOf } from '../../src/cli/help/help-text.ts';
import { unreadOptions } from '../../src/cli/messages/unread-options.ts';
import { ExitError } from '../../src/cli/process/exit.ts';
import { commandTree, runProgram } from '../../src/cli/program.ts';
import { temporaryDirectory } from '../storage/builders.ts';

beforeEach(() => {
  const home = temporaryDirectory();
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'])
    vi.stubEnv(name, join(home, name));
});

/** Runs the command line; what it prints to stderr is the line of commander, where the error has none. */
async function outcome(argv: readonly string[]): Promise<{ readonly code: number | null; readonly line: string }> {
  let printed = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  try {
    await runProgram(argv);
    return { code: 0, line: printed };
  } catch (error) {
    if (error instanceof ExitError) return { code: error.code, line: error.message || printed };
    return { code: null, line: String(error) };
  } finally {
    write.mockRestore();
  }
}

const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
const commands = all(await commandTree()).filter(
  (one) => pathOf(one) !== '' && (one.commands.length === 0 || one.options.length > 0),
);

/** A value that each argument could have. */
const usual = (argument: Argument): readonly string[] => {
  if (!argument.required) return [];
  return [argument.argChoices?.[0] ?? 'ann'];
};

const wrongNumbers = ['', '-1', 'x', '0x10', '99999999999'];

function wrongValues({ flags, argChoices }: Option): readonly string[] {
  if (argChoices !== undefined) return ['', 'nosuch'];
  if (/<(number|seconds)>/.test(flags)) return /number/.test(flags) ? [...wrongNumbers, '0'] : wrongNumbers;
  return /<(date|time)>/.test(flags) ? ['', 'nonsense', '2026-13-40'] : ['', '  '];
}

const casesOf = (command: Command): readonly (readonly string[])[] => {
  const path = pathOf(command).split(' ');
  const words = command.registeredArguments.flatMap(usual);
  const options = command.options
    .filter(({ required }) => required)
    .flatMap((option) => wrongValues(option).map((value) => [...path, ...words, `${option.long}=${value}`]));
  const empty = command.registeredArguments
    .filter((argument) => argument.required && argument.name() !== 'value')
    .map((_, at) => [...path, ...words.map((word, index) => (index === at ? '' : word))]);
  return [...options, ...empty, [...path, ...words, '--no-such-option']];
};

test.each(commands.map((command) => [pathOf(command), command] as const))(
  '%s refuses wrong options and values with one line',
  async (_, command) => {
    for (const argv of casesOf(command)) {
      const { code, line } = await outcome(argv);
      const lines = line.trim().split('\n').length;
      expect({ argv, code, lines }, line).toEqual({ argv, code: 2, lines: 1 });
      expect(line).not.toMatch(/Error|at .*\.ts|undefined|null|E[A-Z]{4,}/);
    }
  },
);

test.each([
  ['serve', '--data', '', 'user', 'list'],
  ['serve', '--data=  ', 'group', 'members', 'crew'],
])('an option before a sub-command needs a value: %j', async (...argv) => {
  expect(await outcome(argv)).toEqual({ code: 2, line: 'serve: the value of --data <file> is empty' });
});

test('unread has commander read an empty value, which refuses it', async () => {
  expect(unreadOptions(['unread', '--profile', ''])).toBeNull();
  expect((await outcome(['unread', '--profile', ''])).code).toBe(2);
});

test('the message about an empty argument names both the command and its sub-command', async () => {
  expect(await outcome(['config', 'get', ''])).toEqual({
    code: 2,
    line: 'config get: the value of <setting> is empty',
  });
});

test.each([['--markdown'], ['--example']])(
  'config list refuses %s beside --json, as one of them would be ignored',
  async (form) => {
    expect(await outcome(['config', 'list', '--json', form])).toMatchObject({
      code: 2,
      line: expect.stringContaining('cannot be used with'),
    });
  },
);
