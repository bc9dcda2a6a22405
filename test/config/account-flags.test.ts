/** Which account is meant: flags, then the environment. */
import { expect, test } from 'vitest';
import { forOtherProfile, problemOfFlags, withAccountFlags } from '../../src/config/account-flags.ts';
import { readEnvironment } from '../../src/config/environment.ts';

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
