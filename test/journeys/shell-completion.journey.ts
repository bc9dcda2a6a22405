/** The completion of msg-tui in the shells that are installed, with names that other people have chosen. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountWith, type Home, hostileNames } from '../cli/completion/account.ts';
import { program } from '../support/terminals/program.ts';
import { spawnTui, type Tui } from '../support/terminals/pty.ts';

/** A folder with `msg-tui` for PATH, and the script of the shell. */
function installed(home: Home, shell: string): { readonly env: Record<string, string>; readonly script: string } {
  const bin = join(home.folder, 'bin');
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'msg-tui'));
  const env = { ...home.env, PATH: `${bin}:${process.env.PATH}`, LC_ALL: 'C.UTF-8' };
  const script = join(home.folder, `completion.${shell}`);
  writeFileSync(script, execFileSync(process.execPath, [program, 'completion', shell], { env }));
  return { env, script };
}

const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** In place of the program: prints how the shell has understood its words. */
const printer = "msg-tui() { printf 'got'; printf ' [%s]' \"$@\"; echo; }";

async function completed(bash: Tui, typed: string, row: string): Promise<void> {
  bash.send(`${typed}\t`);
  // What the key has completed is on the line before Enter is pressed, as the shell reads keys one after the other.
  bash.send('\r');
  await bash.waitFor(row);
  expect(bash.screen().join('\n')).toContain(row);
}

test.runIf(has('bash'))('bash inserts names as one word, whatever they contain, and runs nothing', async () => {
  const home = accountWith([...hostileNames, 'Ann Wells', 'שלום עולם']);
  const { env, script } = installed(home, 'bash');
  const folder = join(home.folder, 'work');
  mkdirSync(folder);
  writeFileSync(join(folder, 'my notes.txt'), '');
  const bash = spawnTui({
    command: 'bash',
    args: ['--norc', '-i'],
    env: { ...env, PS1: '$ ' },
    cwd: folder,
    columns: 120,
    rows: 40,
  });
  onTestFinished(() => bash.close());
  bash.send(`bind 'set enable-bracketed-paste off'; source ${script}; ${printer}; echo re""ady\r`);
  await bash.waitFor('ready');
  await completed(bash, 'msg-tui read an', 'got [read] [Ann Wells]');
  await completed(bash, 'msg-tui read --limit 3 "ann', 'got [read] [--limit] [3] [Ann Wells]');
  await completed(bash, 'msg-tui read @an', 'got [read] [@Ann Wells]');
  await completed(bash, "msg-tui read 'it", "got [read] [it's; touch x]");
  await completed(bash, 'msg-tui read \\$', 'got [read] [$(touch x)]');
  await completed(bash, 'msg-tui read "\\$', 'got [read] [$(touch x)]');
  await completed(bash, "msg-tui read '`", 'got [read] [`touch x`]');
  await completed(bash, 'msg-tui read \\"', 'got [read] ["; touch x; "]');
  await completed(bash, 'msg-tui read "a\\\\', 'got [read] [a\\b !1 {x,y} ~ *]');
  await completed(bash, 'msg-tui read --in=ha', 'got [read] [--in=ha');
  await completed(bash, 'msg-tui wait --in=ha', 'got [wait] [--in=Harbour crew]');
  await completed(bash, 'msg-tui read \\#ha', 'got [read] [#Harbour crew]');
  await completed(bash, 'msg-tui send Bob --file my', 'got [send] [Bob] [--file] [my notes.txt]');
  await completed(bash, 'msg-tui config set theme li', 'got [config] [set] [theme] [light]');
  // What is typed is not run either, only because Tab is pressed.
  bash.send('msg-tui read "$(touch y)" an\t\u0015');
  await completed(bash, 'msg-tui conv', 'got [conversations]');
  expect([join(folder, 'x'), join(folder, 'y')].filter((file) => existsSync(file))).toEqual([]);
});

test.runIf(has('zsh'))('zsh inserts names as one word', async () => {
  const home = accountWith([...hostileNames, 'Ann Wells']);
  const { env, script } = installed(home, 'zsh');
  const zsh = spawnTui({ command: 'zsh', args: ['-f', '-i'], env: { ...env, PS1: '$ ' }, columns: 120, rows: 40 });
  onTestFinished(() => zsh.close());
  zsh.send(`autoload -U compinit; compinit -u -D; source ${script}; ${printer}; echo re""ady\r`);
  await zsh.waitFor('ready');
  await completed(zsh, 'msg-tui read an', 'got [read] [Ann Wells]');
  await completed(zsh, 'msg-tui read \\$', 'got [read] [$(touch x)]');
  await completed(zsh, 'msg-tui wait --in=Ha', 'got [wait] [--in=Harbour crew]');
});

test.runIf(has('fish'))('fish is offered names as one word', () => {
  const home = accountWith([...hostileNames, 'Ann Wells']);
  const { env, script } = installed(home, 'fish');
  const offered = (line: string): string =>
    execFileSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${line}'`], { env, encoding: 'utf8' });
  expect(offered('msg-tui read an')).toMatch(/^Ann\\? Wells/);
  expect(offered('msg-tui conversations --view un')).toMatch(/^unread/);
});

test.runIf(has('pwsh'))('PowerShell is offered names in quotes', () => {
  const home = accountWith([...hostileNames, 'Ann Wells']);
  const { env, script } = installed(home, 'powershell');
  const line = 'msg-tui read an';
  const command = `. ${script}; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
  const printed = execFileSync('pwsh', ['-NoProfile', '-Command', command], { env, encoding: 'utf8' });
  expect(printed).toContain("'Ann Wells'");
});
