import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { chatOptions } from '../../../src/cli/global-options.ts';
import { asksForHelp, checkCommands, readHelp, withOptionsAfter } from '../../../src/cli/help/arguments.ts';
import { chatOptionRows } from '../../../src/cli/help/chat-option-rows.ts';
import { filled } from '../../../src/cli/help/format.ts';
import { afterText, pathOf } from '../../../src/cli/help/help-text.ts';
import { shortHelp } from '../../../src/cli/help/root-help.ts';
import { topicNames, topicText } from '../../../src/cli/help/topics.ts';
import { usageLine } from '../../../src/cli/help/usage-line.ts';
import { commandTree } from '../../../src/cli/program.ts';
import { variables } from '../../../src/config/variables.ts';

const root = join(import.meta.dirname, '../../..');
const program = await commandTree();

const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
const commands = all(program).map((command) => ({ path: pathOf(command), command }));

test.each(commands)('the help of "$path" has examples and exit codes, in 80 columns', ({ command }) => {
  const after = afterText(command);
  expect(after).toMatch(/^Examples?:$/m);
  expect(after).toMatch(/^Exit codes:/m);
  const help = filled(`${command.helpInformation()}\n${after}`);
  expect(help.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
});

test('a command with sub-commands describes "help" as the other helps do', () => {
  const texts = commands
    .filter(({ command }) => command.commands.length > 0)
    .map(({ command }) => command.helpInformation());
  expect(texts.filter((text) => !text.includes('print the help of a command'))).toEqual([]);
});

test('a command that lists things prints its list when no sub-command follows', () => {
  const defaultOf = (path: string): unknown =>
    Reflect.get(commands.find((one) => one.path === path)?.command ?? {}, '_defaultCommandName');
  expect(['profiles', 'drafts', 'outbox', 'hooks'].map(defaultOf)).toEqual(['list', 'list', 'list', 'list']);
});

test('descriptions begin with a small letter and end without a full stop', () => {
  const texts = commands.slice(1).flatMap(({ path, command }) => [
    [path, command.description()],
    ...command
      .createHelp()
      .visibleOptions(command)
      .map(({ flags, description }) => [`${path} ${flags}`, description]),
  ]);
  expect(texts.filter(([, text = '']) => !/^(?=\p{Ll}|\d|-|[A-Z]{2})[^\n]*[^.\s]$/u.test(text))).toEqual([]);
});

test.each(commands)('in 40 columns, the lists and paragraphs of the help of "$path" fit', ({ command }) => {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: 40 });
  const listed = help.formatHelp(command, help).split('\n');
  const wide = (line: string): boolean => line.length > 40 && line.trim().includes(' ');
  expect(listed.filter((line) => !line.startsWith('Usage:') && wide(line) && !/^ {2}\S/.test(line))).toEqual([]);
  const paragraphs = filled(command.helpInformation(), 40).split('\n');
  expect(paragraphs.filter((line) => /^\S/.test(line) && wide(line))).toEqual([]);
});

test('the short help and the topics fit into 80 columns', () => {
  const text = [shortHelp, ...topicNames.map(topicText)].join('\n');
  expect(text.split('\n').filter((line) => line.length > 80 && !line.includes('/'))).toEqual([]);
});

test('the options of the chat in the help are those that the chat takes', () => {
  for (const { long, required } of chatOptionRows) {
    const words = required ? [long ?? '', 'x'] : [long ?? ''];
    expect([words, chatOptions(words)]).toEqual([words, expect.anything()]);
  }
  const [tables = ''] = readFileSync(join(root, 'src/cli/global-options.ts'), 'utf8').split(
    'export interface ChatOptions',
  );
  const taken = [...tables.matchAll(/'(--[a-z-]+)'/g)].map((match) => match[1]);
  expect(chatOptionRows.map(({ long }) => long).sort()).toEqual(taken.sort());
});

test('every variable that the program reads is listed', () => {
  const files = readdirSync(join(root, 'src/config'), { encoding: 'utf8' }).map((name) => `src/config/${name}`);
  const text = [...files, 'scripts/launcher.cjs', 'src/main.ts']
    .filter((file) => file !== 'src/config/variables.ts')
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');
  const read = new Set([
    ...[...text.matchAll(/\benv(?:ironment)?\.([A-Za-z_]*[A-Z_]{2,}\w*)/g)].map((match) => match[1]),
    ...[...text.matchAll(/'((?:XDG|LOCAL|APP|https?_|HTTPS_|all_|ALL_)\w*)'/g)].map((match) => match[1]),
  ]);
  expect(read.size).toBeGreaterThan(30);
  const known = new Set(variables.flatMap(({ names }) => names));
  const others = ['NODE_ENV', 'HTTP_PROXY'];
  expect([...read].filter((name) => !known.has(name ?? '') && !others.includes(name ?? ''))).toEqual([]);
});

test('help X prints the same as X --help, at every depth', () => {
  for (const { path } of commands) {
    const words = path.split(' ').filter((word) => word !== '');
    expect(readHelp(program, words)).toEqual([...words, '--help']);
  }
  expect(readHelp(program, ['environment'])).toBe('environment');
  expect(topicText('environment')).toContain('MSG_TUI_TOKEN');
});

test.each([
  [['serev'], 'there is no command "serev"; did you mean serve?'],
  [['qqqqqqq'], 'there is no command "qqqqqqq"; msg-tui --help lists them'],
  [['--ascii', '--help', 'qqqqqqq'], 'there is no command "qqqqqqq"; msg-tui --help lists them'],
  [['--profile', 'work', 'serev'], 'there is no command "serev"; did you mean serve?'],
  [['config', 'gte', 'theme'], 'config: there is no command "gte"; did you mean get?'],
  [['drafts', 'lsit'], 'drafts: there is no command "lsit"; did you mean list?'],
  [['serve', '--data', 'x.db', 'bogus'], 'serve: there is no command "bogus"; msg-tui serve --help lists them'],
  [['serve', '--data', 'x.db', 'user', 'bogus'], 'serve user: there is no command "bogus"; there are add, list'],
])('an unknown command is reported: %j', (argv, message) => {
  expect(() => checkCommands(program, argv)).toThrow(message);
});

test('--help before the name of a command prints the help of that command, and refuses a name that none has', () => {
  const asked = (line: string): boolean => asksForHelp(line.split(' '));
  expect(['help send', '--help send', '-h send'].map(asked)).toEqual([true, true, true]);
  expect(['--help', '--help --json', 'send --help'].map(asked)).toEqual([false, false, false]);
  expect(() => checkCommands(program, ['config', '--help', 'gte'])).toThrow('did you mean get?');
});

test.each([
  ['outbox list', /queued|refused|forbidden/],
  ['outbox discard', /queued|refused|forbidden/],
  ['drafts list', /not reached/],
  ['profiles list', /unsent|chat is open/],
  ['profiles use', /unsent|chat is open/],
])('%s lists its own exit codes, and not those of the other sub-commands', (path, others) => {
  const command = commands.find((one) => one.path === path)?.command as Command;
  const [, codes] = afterText(command).split('Exit codes:');
  expect(codes).toMatch(/ 0 /);
  expect(codes).not.toMatch(others);
});

test('command words in other places are left to the commands', () => {
  for (const argv of [['send', 'serev', 'x'], ['--nothing', 'serev'], ['read', '--limit', '3', 'x'], ['help']])
    expect(() => checkCommands(program, argv)).not.toThrow();
  expect(() => readHelp(program, ['environmant'])).toThrow('did you mean environment?');
});

test.each(['0', '101', '1e2'])('search does not take --limit %s, as it finds at most 100 messages', async (limit) => {
  const tree = await commandTree();
  const search = tree.commands.find((one) => one.name() === 'search');
  search?.exitOverride().configureOutput({ writeErr: () => undefined });
  const parsed = tree.parseAsync(['search', 'ferry', '--limit', limit], { from: 'user' });
  await expect(parsed).rejects.toThrow('Write a number from 1 to 100.');
});

test('where the help lists the arguments of a command, it explains each of them', async () => {
  const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
  const blank = all(await commandTree()).flatMap((command) => {
    const words = command.registeredArguments.map(({ description }) => description);
    return words.some((one) => one !== '') && words.includes('') ? [command.name()] : [];
  });
  expect(blank).toEqual([]);
});

test('options before the name of a command belong to the command', () => {
  const moved = (line: string): string => withOptionsAfter(program, line.split(' ')).join(' ');
  expect(moved('--profile work send ann hello')).toBe('send --profile work ann hello');
  expect(moved('--profile=work --insecure-http drafts show ann')).toBe(
    'drafts show --profile=work --insecure-http ann',
  );
  expect(moved('send --profile work ann')).toBe('send --profile work ann');
  expect(moved('--nothing send ann')).toBe('--nothing send ann');
  const chatOnly = 'send has no option --archive; the chat has it: msg-tui --archive <file>';
  expect(() => moved('--archive x.db send ann')).toThrow(chatOnly);
  expect(() => moved('--profile')).toThrow("option '--profile <name>' argument missing; see msg-tui --help");
  expect(() => moved('--ascii --nope')).toThrow("unknown option '--nope'; see msg-tui --help");
  expect(moved('--ascii --help')).toBe('--ascii --help');
});

test('--profile is taken by commands that open no account, and is not in their help', () => {
  const moved = (line: string): string => withOptionsAfter(program, line.split(' ')).join(' ');
  expect(moved('--profile work paths')).toBe('paths --profile work');
  expect(moved('--profile work config get theme')).toBe('config get --profile work theme');
  expect(moved('--profile work keys --check')).toBe('keys --check');
  expect(moved('--profile=work keys --profile vim')).toBe('keys --profile vim');
  expect(moved('--profile work profiles')).toBe('profiles --profile work');
  expect(() => moved('--profile work serve openapi')).toThrow('serve openapi has no option --profile');
  const paths = program.commands.find((command) => command.name() === 'paths');
  expect(paths?.helpInformation()).not.toContain('--profile');
});

test('an error names the command, and where its help is', async () => {
  const failing = async (...words: string[]): Promise<string> => {
    const printed: string[] = [];
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
    await (await commandTree()).parseAsync(words, { from: 'user' }).catch(() => null);
    stderr.mockRestore();
    return printed.join('');
  };
  expect(await failing('read')).toBe("msg-tui: missing required argument 'conversation'; see msg-tui read --help\n");
  expect(await failing('profiles', 'use')).toMatch(/; see msg-tui profiles use --help\n$/);
  expect(await failing('tail', '--archive', 'x')).toBe(
    "msg-tui: unknown option '--archive'; the chat has it: msg-tui --archive <file>\n",
  );
});

test('the error about a text that was split says how to write it', async () => {
  for (const text of ['-- hello', '--- sig', '--watch out'])
    expect(usageLine(`error: unknown option '${text}'\n(Did you mean --help?)`, 'send')).toBe(
      `msg-tui: unknown option '${text}'; write -- before words that begin with a minus, or see msg-tui send --help\n`,
    );
  expect(usageLine("error: unknown option '-train'", 'search')).toBe(
    "msg-tui: unknown option '-train'; write -- before words that begin with a minus, or see msg-tui search --help\n",
  );
  expect(usageLine("error: too many arguments for 'send'. Expected 2 arguments but got 3.", 'send')).toMatch(
    /got 3; put a text or a name of several words in quotes, or see msg-tui send --help\n$/,
  );
  expect(usageLine("error: too many arguments for 'unread'. Expected 0 arguments but got 1.", 'unread')).toMatch(
    /got 1; see msg-tui unread --help\n$/,
  );
  expect(usageLine("error: unknown option '--xyz'", 'search')).toBe(
    "msg-tui: unknown option '--xyz'; see msg-tui search --help\n",
  );
});

test('a value that is none of the choices is reported with the nearest one', () => {
  const shell = "error: command-argument value 'bsh' is invalid for argument 'shell'. Allowed choices are bash, zsh.";
  expect(usageLine(shell, 'completion')).toBe(
    "msg-tui: <shell> argument 'bsh' is invalid. Allowed choices are bash, zsh; did you mean bash?\n",
  );
  const text = "error: option '--view <view>' argument 'unraed' is invalid. Allowed choices are all, unread, pinned.";
  expect(usageLine(text, '')).toBe(
    "msg-tui: option '--view <view>' argument 'unraed' is invalid. Allowed choices are all, unread, pinned; did you mean unread?\n",
  );
});
