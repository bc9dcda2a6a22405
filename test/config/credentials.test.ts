import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  checkToken,
  readSavedToken,
  readTokenFile,
  removeSavedToken,
  tokenFileWarning,
  writeSavedToken,
} from '../../src/config/credentials.ts';
import { UnusableToken } from '../../src/config/errors.ts';
import { pipeIn } from '../support/system/pipe.ts';
import { temporaryDirectory } from './files.ts';

const origin = 'https://chat.example.com';

test('tokens are kept by origin and profile', () => {
  const file = join(temporaryDirectory(), 'new', 'credentials.json');
  expect(readSavedToken(file, origin, 'work')).toBeNull();
  writeSavedToken(file, origin, 'work', { token: ' token-one ' });
  writeSavedToken(file, origin, 'home', { token: 'token-two' });
  writeSavedToken(file, `${origin}:8443`, 'work', { token: 'token-three' });
  expect(readSavedToken(file, origin, 'work')).toEqual({ token: 'token-one' });
  expect(readSavedToken(file, origin, 'home')).toEqual({ token: 'token-two' });
  expect(readSavedToken(file, `${origin}:8443`, 'work')).toEqual({ token: 'token-three' });
  expect(readSavedToken(file, 'http://chat.example.com', 'work')).toBeNull();
  expect(readSavedToken(file, origin, 'constructor')).toBeNull();
});

test('instead of a token the file may name the entry of the keyring that holds it', () => {
  const file = join(temporaryDirectory(), 'credentials.json');
  writeSavedToken(file, origin, 'work', { entry: 'work at somewhere' });
  writeSavedToken(file, origin, 'home', { token: 'token-two' });
  expect(readSavedToken(file, origin, 'work')).toEqual({ entry: 'work at somewhere' });
  expect(readSavedToken(file, origin, 'home')).toEqual({ token: 'token-two' });
});

test.each([
  ['saves', (file: string) => writeSavedToken(file, origin, 'home', { token: 'token-two' })],
  ['removes', (file: string) => removeSavedToken(file, origin, 'gone')],
])('a token that another program saves while this one %s its own is not lost', (_, change) => {
  const file = join(temporaryDirectory(), 'credentials.json');
  const text = (profiles: Readonly<Record<string, string>>): string =>
    JSON.stringify({ version: 1, tokens: { [origin]: profiles } });
  writeFileSync(file, text({ gone: 'token-old' }), { mode: 0o600 });
  const { fsyncSync } = fs;
  const use = (synchronise: typeof fsyncSync): void => {
    fs.fsyncSync = synchronise;
    syncBuiltinESMExports();
  };
  use((descriptor) => {
    use(fsyncSync);
    writeFileSync(file, text({ gone: 'token-old', work: 'token-one' }));
    fsyncSync(descriptor);
  });
  onTestFinished(() => use(fsyncSync));
  change(file);
  expect(readSavedToken(file, origin, 'work')).toEqual({ token: 'token-one' });
  const isRemoved = readSavedToken(file, origin, 'gone') === null;
  expect(isRemoved).toBe(readSavedToken(file, origin, 'home') === null);
});

test('the file and its directory are private, and no other file is left', () => {
  const directory = join(temporaryDirectory(), 'data');
  const file = join(directory, 'credentials.json');
  writeSavedToken(file, origin, 'work', { token: 'token-one' });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(readdirSync(directory)).toEqual(['credentials.json']);
  chmodSync(file, 0o644);
  readSavedToken(file, origin, 'work');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

describe('what is refused', () => {
  test('a link in place of the file', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'elsewhere'), '{}');
    symlinkSync(join(directory, 'elsewhere'), join(directory, 'credentials.json'));
    expect(() => readSavedToken(join(directory, 'credentials.json'), origin, 'work')).toThrow(/symbolic link/);
  });

  test('a file that is no credentials file, without quoting it and without overwriting it', () => {
    const file = join(temporaryDirectory(), 'credentials.json');
    for (const text of ['{"token":"sesame"', '{"tokens":{"https://a":7}}', '[]', '{"tokens":[]}']) {
      writeFileSync(file, text);
      expect(() => readSavedToken(file, origin, 'work')).toThrow(/not a credentials file/);
      expect(() => readSavedToken(file, origin, 'work')).not.toThrow(/sesame/);
      expect(() => writeSavedToken(file, origin, 'work', { token: 'new' })).toThrow(/not a credentials file/);
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
  });

  test('a damaged token by the name of its profile alone, and it stays until a new one takes its place', () => {
    for (const damaged of [7, { keyring: 7 }, 'two words', null]) {
      const file = join(temporaryDirectory(), 'credentials.json');
      writeFileSync(file, JSON.stringify({ tokens: { [origin]: { work: 'token-one', home: damaged } } }));
      expect(readSavedToken(file, origin, 'work')).toEqual({ token: 'token-one' });
      expect(() => readSavedToken(file, origin, 'home')).toThrow(
        /"home" cannot be used: .*; msg-tui login --profile home/,
      );
      writeSavedToken(file, origin, 'third', { token: 'token-three' });
      expect(() => readSavedToken(file, origin, 'home')).toThrow(UnusableToken);
      writeSavedToken(file, origin, 'home', { token: 'token-new' });
      expect(readSavedToken(file, origin, 'home')).toEqual({ token: 'token-new' });
    }
  });

  test('a token that no header can carry', () => {
    const file = join(temporaryDirectory(), 'credentials.json');
    for (const token of ['', ' ', 'seven-7', 'a b', 'a\nb', 'é', 'x'.repeat(4097)]) {
      expect(() => writeSavedToken(file, origin, 'work', { token })).toThrow(/token/);
      expect(checkToken(token)).toHaveProperty('problem');
    }
    expect(checkToken('x'.repeat(4096))).toHaveProperty('token');
  });
});

test('the token of a token file is trimmed and checked like any other token', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'token'), 'open-sesame\n');
  expect(readTokenFile(join(directory, 'token'))).toBe('open-sesame');
  writeFileSync(join(directory, 'bad'), 'two words');
  expect(() => readTokenFile(join(directory, 'bad'))).toThrow(/bad: the token has spaces/);
  expect(() => readTokenFile(join(directory, 'none'))).toThrow(/ENOENT/);
  writeFileSync(join(directory, 'long'), 'x'.repeat(1_000_000));
  expect(() => readTokenFile(join(directory, 'long'))).toThrow(/longer than 4096/);
  if (process.platform === 'linux') expect(() => readTokenFile('/dev/zero')).toThrow(/the token/);
  mkdirSync(join(directory, 'directory'));
  expect(() => readTokenFile(join(directory, 'directory'))).toThrow(/EISDIR/);
});

test.skipIf(process.platform === 'win32')(
  'a token file that others can read is reported, and one that they cannot read is not',
  () => {
    const file = join(temporaryDirectory(), 'token');
    writeFileSync(file, 'open-sesame\n', { mode: 0o600 });
    expect(tokenFileWarning(file)).toBeNull();
    for (const mode of [0o640, 0o604]) {
      chmodSync(file, mode);
      expect(tokenFileWarning(file)).toBe(`other users of this machine can read the token in ${file}: chmod 600 it`);
    }
    expect(tokenFileWarning(join(temporaryDirectory(), 'none'))).toBeNull();
  },
);

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('in place of the credentials is refused, and not waited for', () => {
    const pipe = pipeIn(temporaryDirectory(), 'credentials.json');
    expect(() => readSavedToken(pipe, origin, 'work')).toThrow(`${pipe}: this is a pipe or a device and no file`);
    expect(() => writeSavedToken(pipe, origin, 'work', { token: 'open-sesame' })).toThrow('this is a pipe');
  });

  test('to which nobody writes has no token, and is not waited for', () => {
    const pipe = pipeIn(temporaryDirectory(), 'token');
    expect(() => readTokenFile(pipe)).toThrow(`${pipe}: nothing was written to this pipe`);
  });

  test('to which a program writes slowly gives the token', async () => {
    const pipe = pipeIn(temporaryDirectory(), 'token');
    // The reading end of its own lets it open the pipe at once.
    const script =
      'exec 3<>"$1"; echo open; sleep 0.3; printf "open-ses" >&3; sleep 0.1; echo "ame" >&3; exec 4<"$1" 3>&-; sleep 5';
    const writer = spawn('sh', ['-c', script, 'sh', pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void writer.kill());
    await once(writer.stdout, 'data');
    expect(readTokenFile(pipe)).toBe('open-sesame');
  });
});
