/** The process that talks to the keyring, with native modules that do what real ones do. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createKeyring, type Keyring } from '../../src/config/keyring.ts';
import { keyringHelper } from '../../src/config/keyring-helper.ts';
import { temporaryDirectory } from './files.ts';

const patient = { deadlineMs: 30_000 };
const token = 'canary-0123456789';

/** `body` is that of a class `Entry` with `held`, a path of a file in which it keeps the secret. */
function keyringOf(body: string): Keyring {
  const folder = temporaryDirectory();
  const module = join(folder, 'native.cjs');
  writeFileSync(
    module,
    `const fs = require('node:fs'); const held = ${JSON.stringify(join(folder, 'held'))};
     exports.Entry = class { ${body} };`,
  );
  return createKeyring(() => module);
}

const working = `
  constructor(service, name, options) {
    if (options.linux.store !== 'secret-service') throw new Error('would be lost at the next boot');
    this.key = service + ' ' + name;
  }
  all() { return fs.existsSync(held) ? JSON.parse(fs.readFileSync(held, 'utf8')) : {}; }
  setPassword(text) { fs.writeFileSync(held, JSON.stringify({ ...this.all(), [this.key]: text })); }
  getPassword() { return this.all()[this.key] ?? null; }
  deleteCredential() { const { [this.key]: _, ...rest } = this.all(); fs.writeFileSync(held, JSON.stringify(rest)); }`;

test('a token is stored, returned and removed', async () => {
  const keyring = keyringOf(working);
  expect(await keyring.get('one', patient)).toBeNull();
  expect(await keyring.set('one', token, patient)).toBe(token);
  expect(await keyring.get('one', patient)).toBe(token);
  expect(await keyring.get('two', patient)).toBeNull();
  await keyring.remove('one', patient);
  expect(await keyring.get('one', patient)).toBeNull();
});

describe('every failure is reported in our own words', () => {
  test.each([
    [
      `Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled`,
      'there is none in this session',
    ],
    [`Couldn't access platform secure storage: Locked ${token}`, 'it is locked'],
    ['AccessDenied', 'access was denied'],
    [`at 0x7fff ${token}\n\u001b[31m`, 'it failed'],
  ])('%j', async (native, said) => {
    const keyring = keyringOf(`setPassword() { throw new Error(${JSON.stringify(native)}); }`);
    const error = await keyring.set('one', token, patient).catch(String);
    expect(error).toBe(`KeyringError: ${said}`);
  });

  test('a module that cannot be loaded, or is not there', async () => {
    await expect(createKeyring(() => '/nowhere/native.cjs').get('one', patient)).rejects.toThrow('it failed');
    await expect(createKeyring(() => null).get('one', patient)).rejects.toThrow('package is not installed');
  });

  test('a process that ends without an answer, or with another one', async () => {
    await expect(
      keyringOf(`getPassword() { process.kill(process.pid, 'SIGKILL'); }`).get('one', patient),
    ).rejects.toThrow('it stopped without an answer');
    const other = keyringOf('getPassword() { return 7; }');
    await expect(other.get('one', patient)).rejects.toThrow('it stopped without an answer');
  });
});

describe('a native call that never returns', () => {
  const stuck = 'getPassword() { for (;;); }';

  test('ends at the deadline', async () => {
    await expect(keyringOf(stuck).get('one', { deadlineMs: 300 })).rejects.toThrow('it did not answer');
  });

  test('ends when the caller gives up', async () => {
    const giveUp = new AbortController();
    const asked = keyringOf(stuck).get('one', { ...patient, signal: giveUp.signal });
    giveUp.abort();
    await expect(asked).rejects.toThrow('it did not answer');
  });

  test('ends when the program that waits for it ends', async () => {
    const module = join(temporaryDirectory(), 'native.cjs');
    writeFileSync(module, 'exports.Entry = class { constructor() { for (;;); } };');
    const helper = spawn(process.execPath, ['-e', keyringHelper], { stdio: ['pipe', 'ignore', 'ignore'] });
    const over = once(helper, 'exit');
    helper.stdin.end(`${JSON.stringify({ module, action: 'get', entry: 'one' })}\n`);
    expect(await over).toEqual([null, 'SIGKILL']);
  });
});
