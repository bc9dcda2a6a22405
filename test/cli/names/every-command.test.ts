/** Every command that takes the name of a conversation or a person, given one that two of them have. */
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { commandTree } from '../../../src/cli/program.ts';
import { programHere } from '../../support/terminals/program-here.ts';

/** The same name for people, in two ways to write it down. */
const names = ['Jos\u00e9', 'Jose\u0301'] as const;

/** What the other arguments are. */
const words: Readonly<Record<string, string>> = { message: 'last', text: 'x', emoji: '👍', words: 'x' };

/** The command lines that name somebody: by an argument, and by each option with such a value. */
function linesOf(command: Command): readonly (readonly string[])[] {
  if (command.name() === 'serve') return [];
  const path = [command.name()];
  for (let up = command.parent; up?.parent; up = up.parent) path.unshift(up.name());
  const isName = (name: string): boolean => ['conversation', 'person', 'contact|group'].includes(name);
  const args = command.registeredArguments.map((one) => one.name());
  const rest = args.map((name) => (isName(name) ? names[0] : (words[name] ?? '')));
  const options = command.options.filter(({ flags }) => isName(/<(.*)>/.exec(flags)?.[1] ?? ''));
  const own = args.some(isName) ? [[...path, ...rest]] : [];
  const byOption = options.map(({ long }) => [...path, ...rest, long ?? '', names[0]]);
  return [...own, ...byOption, ...command.commands.flatMap(linesOf)];
}

test('a name that two people have lists both, and ends every command with 2', async () => {
  const talks = names.map((name) => ({
    between: ['me', name] as const,
    messages: [{ from: name, text: 'Hi', at: -60 }],
  }));
  const users = ['me', ...names].map((username) => ({ username }));
  const run = await programHere({ users, groups: [], conversations: talks });
  expect((await run(['conversations'])).code).toBe(0);
  const lines = (await commandTree()).commands.flatMap(linesOf);
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const { code, out, error } = await run(line);
    expect({ line, code, out }).toEqual({ line, code: 2, out: '' });
    expect(error?.message, line.join(' ')).toMatch(/^"José" is the name of 2 (conversations|people); use an id:$/u);
    const candidate = { id: expect.any(String), name: expect.stringMatching(/^Jos\S+ \(#\S+\)$/u) };
    expect(error?.details.candidates).toEqual([candidate, candidate]);
  }
});
