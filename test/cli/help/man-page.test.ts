import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandsJson } from '../../../src/cli/help/commands-json.ts';
import { commandTree } from '../../../src/cli/program.ts';

const root = join(import.meta.dirname, '../../..');
const page = join(root, 'man/msg-tui.1');
const has = (command: string): boolean => spawnSync(command, ['--version']).error === undefined;

test('the manual page has every command, option, variable and setting', async () => {
  const { commands, variables, settings } = JSON.parse(await commandsJson(await commandTree())) as {
    readonly commands: readonly { readonly path: string; readonly options: readonly { readonly flags: string }[] }[];
    readonly variables: readonly { readonly names: readonly string[] }[];
    readonly settings: readonly { readonly id: string }[];
  };
  const text = readFileSync(page, 'utf8').replaceAll('\\-', '-').replaceAll('\\e', '\\');
  const wanted = [
    ...commands.slice(1).map(({ path }) => `.SS "msg-tui ${path}`),
    ...commands.flatMap(({ options }) => options.map(({ flags }) => flags)).filter((flags) => !flags.includes('-h,')),
    ...variables.flatMap(({ names }) => names),
    ...settings.map(({ id }) => id),
  ];
  expect(wanted.length).toBeGreaterThan(100);
  expect(wanted.filter((one) => !text.includes(one))).toEqual([]);
});

test('npm installs the manual page, as it links only pages that package.json names in a list', () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly man: unknown };
  expect(man).toEqual(['./man/msg-tui.1']);
});

test('the manual page is plain ASCII, so that every roff reads it', () => {
  expect(readFileSync(page, 'utf8')).toMatch(/^[\n\x20-\x7e]+$/);
});

test.runIf(has('groff'))('groff reads the manual page without a warning', () => {
  const { status, stderr, stdout } = spawnSync('groff', ['-man', '-ww', '-Tutf8', page], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('MSG_TUI_TOKEN');
});

test.runIf(has('mandoc'))('mandoc reads the manual page without a warning', () => {
  const { stdout } = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning', page], { encoding: 'utf8' });
  expect(stdout).toBe('');
});
