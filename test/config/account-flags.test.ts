/** Which account is meant: flags, then the environment; and command lines that are run without a shell. */
import { expect, test } from 'vitest';
import { forOtherProfile, problemOfFlags, withAccountFlags } from '../../src/config/account-flags.ts';
import { commandLine, commandWords } from '../../src/config/command-words.ts';
import { readEnvironment } from '../../src/config/environment.ts';
import { parseConfig } from '../../src/config/file.ts';

const token = 'canary-0123456789';

test('--profile overrides MSG_TUI_PROFILE and MSG_TUI_SERVER; the token of the environment stays with its own server', () => {
  const profileAlone = { MSG_TUI_PROFILE: 'home', MSG_TUI_TOKEN: token };
  expect(withAccountFlags(readEnvironment({ ...profileAlone }), { profile: 'work' })).toMatchObject({
    profile: 'work',
    token,
  });
  expect(withAccountFlags(readEnvironment({ ...profileAlone }), {})).toMatchObject({ profile: 'home', token });
});

test('a profile of another server does not get the token of the environment', () => {
  const withServer = { MSG_TUI_SERVER: 'https://other.example', MSG_TUI_TOKEN: token };
  const nothing = { profile: 'work', server: null, token: null };
  expect(withAccountFlags(readEnvironment({ ...withServer }), { profile: 'work' })).toMatchObject(nothing);
  expect(forOtherProfile(readEnvironment({ ...withServer }), 'work')).toMatchObject(nothing);
  const command = withAccountFlags(readEnvironment({ ...withServer }), { tokenCommand: 'pass show chat' });
  expect(command).toMatchObject({
    server: 'https://other.example',
    token: null,
    tokenCommand: ['pass', 'show', 'chat'],
  });
});

test('flags that contradict each other, or that cannot be run, are refused', () => {
  expect(problemOfFlags({ tokenCommand: 'pass show chat' })).toBeNull();
  expect(problemOfFlags({ tokenCommand: 'pass', tokenFile: 'x' })).toMatch(/not both/);
  expect(problemOfFlags({ tokenCommand: 'pass "show' })).toMatch(/needs a program/);
});

test.each([
  ['pass show chat', ['pass', 'show', 'chat']],
  ['  op  read\t"op://a b/c" ', ['op', 'read', 'op://a b/c']],
  [`sh -c 'echo "$TOKEN" | head'`, ['sh', '-c', 'echo "$TOKEN" | head']],
  [`a "b \\" c" d\\ e 'f\\g' ""`, ['a', 'b " c', 'd e', 'f\\g', '']],
  ['$HOME/bin/x; rm *', ['$HOME/bin/x;', 'rm', '*']],
  ['"open', null],
  ['   ', null],
  ['"" x', null],
  ['a\0b', null],
])('%j is split into words', (line, words) => {
  expect(commandWords(line)).toEqual(words);
  if (words !== null) expect(commandWords(commandLine(words))).toEqual(words);
});

test('token_command of a profile is a list or a line; any other value is reported with its line', async () => {
  const of = (value: string) =>
    parseConfig('c', `[profiles.work]\nserver = "https://a.example"\ntoken_command = ${value}\n`);
  expect((await of('["pass", "show chat"]')).profiles.get('work')?.tokenCommand).toEqual(['pass', 'show chat']);
  expect((await of('"pass show chat"')).profiles.get('work')?.tokenCommand).toEqual(['pass', 'show', 'chat']);
  for (const wrong of ['7', '[]', '[""]', '["a", 1]', '"\'open"'])
    await expect(of(wrong)).rejects.toThrow(/^c:3: token_command must be a program and its arguments, as in/);
});
