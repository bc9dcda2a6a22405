import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openCache } from '../../../src/storage/cache/open.ts';
import { Ledger } from '../../../src/storage/ledger/ledger.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { acquireSenderLock, senderOf } from '../../../src/storage/outbox/sender-lock.ts';
import { prepareDirectory, prepareFile } from '../../../src/storage/sqlite/private-files.ts';
import { pipeIn } from '../../support/system/pipe.ts';
import { aMessage, anOp, temporaryDirectory } from '../builders.ts';

const mode = (path: string) => statSync(path).mode & 0o777;

describe('private directories', () => {
  test('every file of both databases and of the lock is 0600, every directory 0700', () => {
    const root = temporaryDirectory();
    const data = join(root, 'deep', 'data');
    const before = process.umask(0);
    try {
      const lock = acquireSenderLock(data);
      const outbox = openOutbox(data);
      const cache = openCache(join(root, 'cache'));
      outbox.enqueue(anOp(), null);
      cache.saveMessages('c1', [aMessage()]);
      const files = [...readdirSync(data).map((name) => join(data, name)), join(root, 'cache', 'cache.db-wal')];
      expect(files.length).toBeGreaterThanOrEqual(5);
      for (const file of files) expect([file, mode(file)]).toEqual([file, 0o600]);
      for (const directory of [data, join(root, 'deep'), join(root, 'cache')]) expect(mode(directory)).toBe(0o700);
      outbox.close();
      cache.close();
      if ('release' in lock) lock.release();
    } finally {
      process.umask(before);
    }
  });

  test('with wrong modes are repaired at the next start', () => {
    const directory = temporaryDirectory();
    openOutbox(directory).close();
    chmodSync(directory, 0o755);
    chmodSync(join(directory, 'outbox.db'), 0o644);
    openOutbox(directory).close();
    expect(mode(directory)).toBe(0o700);
    expect(mode(join(directory, 'outbox.db'))).toBe(0o600);
  });

  describe('our own directories above it', () => {
    const profileIn = (root: string): string => join(root, 'msg-tui', 'profiles', 'one');

    test('are refused with a link among them, and nothing is created at its target', () => {
      for (const linked of [['msg-tui'], ['msg-tui', 'profiles']]) {
        const root = temporaryDirectory();
        mkdirSync(join(root, 'elsewhere'));
        if (linked.length > 1) mkdirSync(join(root, 'msg-tui'));
        symlinkSync(join(root, 'elsewhere'), join(root, ...linked));
        expect(() => openOutbox(profileIn(root))).toThrow(expect.objectContaining({ kind: 'permission' }));
        // The cache does without a disk instead, and the ledger without its lines.
        openCache(profileIn(root)).close();
        const ledger = new Ledger(profileIn(root), { keepDays: () => 7 });
        ledger.add({ kind: 'lost', at: 0, count: 1 });
        ledger.close();
        expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
      }
    });

    test.skipIf(process.getuid?.() !== 0)('are refused if one belongs to another user', () => {
      for (const foreign of ['msg-tui', 'msg-tui/profiles']) {
        const root = temporaryDirectory();
        mkdirSync(join(root, 'msg-tui', 'profiles'), { recursive: true });
        chownSync(join(root, foreign), 65534, 65534);
        expect(() => openOutbox(profileIn(root))).toThrow(/belongs to another user \(uid 65534\)/);
        expect(() => prepareDirectory(join(profileIn(root), 'ledger'))).toThrow(/belongs to another user/);
        expect(readdirSync(join(root, 'msg-tui', 'profiles'))).toEqual([]);
      }
    });

    test('are repaired if others can write in one, and its parent directories are not changed', () => {
      const root = temporaryDirectory();
      mkdirSync(join(root, 'msg-tui', 'profiles'), { recursive: true });
      for (const open of [root, join(root, 'msg-tui'), join(root, 'msg-tui', 'profiles')]) chmodSync(open, 0o777);
      openOutbox(profileIn(root)).close();
      expect([mode(root), mode(join(root, 'msg-tui')), mode(join(root, 'msg-tui', 'profiles'))]).toEqual([
        0o777, 0o700, 0o700,
      ]);
    });
  });

  test('a link is refused, as the directory and inside it', () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, 'real'));
    symlinkSync(join(root, 'real'), join(root, 'link'));
    const refusal = expect.objectContaining({
      kind: 'permission',
      message: expect.stringMatching(/symbolic link; replace/),
    });
    expect(() => openOutbox(join(root, 'link'))).toThrow(refusal);
    writeFileSync(join(root, 'victim'), '');
    symlinkSync(join(root, 'victim'), join(root, 'real', 'outbox.db'));
    expect(() => openOutbox(join(root, 'real'))).toThrow(refusal);
    symlinkSync(join(root, 'nowhere'), join(root, 'dangling.db'));
    expect(() => prepareFile(join(root, 'dangling.db'))).toThrow(refusal);
    expect(readdirSync(root)).not.toContain('nowhere');
  });

  // Only root can give a directory away.
  test.runIf(process.getuid?.() === 0)('a directory of another user is refused and not changed', () => {
    const directory = join(temporaryDirectory(), 'theirs');
    mkdirSync(directory, { mode: 0o755 });
    chownSync(directory, 12345, 12345);
    expect(() => prepareDirectory(directory)).toThrow(/belongs to another user \(uid 12345\)/);
    expect(mode(directory)).toBe(0o755);
  });

  test('a directory in place of the file is reported', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'outbox.db'));
    expect(() => openOutbox(directory)).toThrow(/outbox\.db is a directory; move it away/);
  });
});

test.skipIf(process.platform === 'win32').each(['outbox.db', 'outbox.db-wal', 'sender.lock', 'sender.pid'])(
  'a pipe in place of %s is refused, and not waited for',
  (name) => {
    const directory = temporaryDirectory();
    const pipe = pipeIn(directory, name);
    const said = `${pipe} is a pipe, a socket or a device; move it away.`;
    expect(() => openOutbox(directory)).toThrow(said);
    expect(() => acquireSenderLock(directory)).toThrow(said);
    expect(() => prepareFile(pipe)).toThrow(said);
  },
);

test.skipIf(process.platform === 'win32')('a program that only reads who sends does not wait for a pipe either', () => {
  const directory = temporaryDirectory();
  const lock = acquireSenderLock(directory);
  if ('release' in lock) onTestFinished(() => lock.release());
  rmSync(join(directory, 'sender.pid'));
  pipeIn(directory, 'sender.pid');
  expect(senderOf(directory)).toEqual({ pid: null });
});
