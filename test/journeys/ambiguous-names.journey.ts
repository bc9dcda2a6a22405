/** Every command that takes the name of a conversation or a person, given one that two of them have. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { commandTree } from '../../src/cli/program.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { environmentIn, program } from '../support/terminals/program.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const talks = names.map((name) => ({
    between: ['me', name] as const,
    messages: [{ from: name, text: 'Hi', at: -60 }],
  }));
  const users = ['me', ...names].map((username) => ({ username }));
  const server = await startJourneyServer(join(folder, 'server.db'), { users, groups: [], conversations: talks });
  onTestFinished(() => server.close());
  const env = { ...environmentIn(folder), MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: server.me.token };
  const run = async (line: readonly string[]) => {
    const child = spawn(process.execPath, [program, ...line], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, out, err };
  };
  expect((await run(['conversations'])).code).toBe(0);
  const lines = (await commandTree()).commands.flatMap(linesOf);
  expect(lines.length).toBeGreaterThan(15);
  for (const line of lines) {
    const { code, out, err } = await run(line);
    expect({ line, code, out }).toEqual({ line, code: 2, out: '' });
    expect(err, line.join(' ')).toMatch(
      /^msg-tui: "José" is the name of 2 (conversations|people); use an id:\n( {2}\S+ {2}Jos\S+ \(#\S+\)\n){2}$/u,
    );
  }
});
