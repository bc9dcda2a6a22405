/** A look at the stores of a profile reports what is in them and changes no byte. */
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspectStores } from '../../src/cli/health/stores.ts';
import { openCache } from '../../src/storage/cache/open.ts';
import { readOps, readOwnNames } from '../../src/storage/completion-names.ts';
import { filesAside, inspectCache, inspectOutbox } from '../../src/storage/inspect.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { acquireSenderLock, senderOf } from '../../src/storage/outbox/sender-lock.ts';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { readUnreadCounts } from '../../src/storage/unread-counts.ts';
import { pipeIn } from '../support/system/pipe.ts';
import { aDraft, anOp, temporaryDirectory } from './builders.ts';

/** Every file with its content, its mode and its time. */
function picture(directory: string): readonly string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const stats = statSync(join(directory, name));
      const content = stats.isFile()
        ? createHash('sha256')
            .update(readFileSync(join(directory, name)))
            .digest('hex')
        : '';
      return `${name} ${stats.mode} ${stats.mtimeMs} ${content}`;
    });
}

function unchanged<T>(directory: string, look: () => T): T {
  const before = picture(directory);
  const found = look();
  expect(picture(directory)).toEqual(before);
  return found;
}

function filled(directory: string) {
  const outbox = openOutbox(directory);
  for (const [uuid, state] of Object.entries({ a: 'queued', b: 'queued', c: 'unsure', d: 'failed' } as const))
    outbox.enqueue(anOp({ uuid, state }), null);
  outbox.saveRecords([['drafts', 'c1', aDraft('unsent')]]);
  outbox.saveRecords([['me', '', { contactId: 'p1', username: 'ann' }]]);
  outbox.saveRecords([['capabilities', 'ownReactionsOnly', { value: true, at: 1, from: 'GET /v1/conversations/:id' }]]);
  return outbox;
}

const content = {
  queued: 2,
  sending: 0,
  unsure: 1,
  failed: 1,
  drafts: 1,
  setAside: 0,
  me: { contactId: 'p1', username: 'ann' },
  capabilities: { ownReactionsOnly: { value: true, at: 1, from: 'GET /v1/conversations/:id' } },
};

describe('an outbox', () => {
  test('that does not exist is reported as missing', () => {
    const directory = temporaryDirectory();
    const facts = unchanged(directory, () => inspectOutbox(directory, false));
    expect(facts).toMatchObject({ condition: 'missing', problem: null, bytes: 0, content: null });
    expect(inspectOutbox(join(directory, 'nowhere'), false).condition).toBe('missing');
  });

  test('that was closed in order is read', () => {
    const directory = temporaryDirectory();
    filled(directory).close();
    const facts = unchanged(directory, () => inspectOutbox(directory, false));
    expect(facts).toMatchObject({ condition: 'whole', version: facts.knownVersion, content });
    expect(facts.bytes).toBeGreaterThan(4096);
  });

  test('has the number of drafts with a text or with attachments', () => {
    const directory = temporaryDirectory();
    const outbox = filled(directory);
    const attachments = [{ url: 'https://files.example/a.pdf' }];
    outbox.saveRecords([
      ['drafts', 'c2', aDraft('', { attachments })],
      ['drafts', 'c3', aDraft('', { editing: { messageId: 'm1', base: 'before' } })],
    ]);
    outbox.close();
    expect(inspectOutbox(directory, false).content?.drafts).toBe(2);
  });

  test('that a crash of an earlier version left is read with what is only in the log', () => {
    const [alive, directory] = [temporaryDirectory(), temporaryDirectory()];
    filled(alive).close();
    const database = openDatabase(join(alive, 'outbox.db'));
    onTestFinished(() => database.close());
    database.exec('PRAGMA journal_mode = WAL; PRAGMA user_version = 1; PRAGMA user_version = 3');
    for (const name of ['outbox.db', 'outbox.db-wal']) copyFileSync(join(alive, name), join(directory, name));
    expect(statSync(join(directory, 'outbox.db-wal')).size).toBeGreaterThan(0);
    expect(unchanged(directory, () => inspectOutbox(directory, false))).toMatchObject({ condition: 'whole', content });
  });

  test('that is in use is read as it is now, and no writer has to wait', () => {
    const directory = temporaryDirectory();
    const outbox = filled(directory);
    onTestFinished(() => outbox.close());
    expect(inspectOutbox(directory, true)).toMatchObject({ condition: 'whole', content });
    outbox.enqueue(anOp({ uuid: 'later' }), null);
    expect(inspectOutbox(directory, true).content?.queued).toBe(3);
    expect(outbox.hasForeignChanges()).toBe(false);
  });

  test.each<[string, (path: string) => void]>([
    ['overwritten in the middle', (path) => damage(path, 4096, 8192)],
    ['without its head', (path) => damage(path, 0, 100)],
    ['cut off', (path) => truncateSync(path, 5000)],
    ['no database at all', (path) => writeFileSync(path, 'x'.repeat(9000))],
    ['with tables of somebody else', (path) => execute(path, 'CREATE TABLE stranger (x)')],
  ])('that is damaged is reported: %s', (_, harm) => {
    const directory = temporaryDirectory();
    filled(directory).close();
    harm(join(directory, 'outbox.db'));
    const facts = unchanged(directory, () => inspectOutbox(directory, false));
    expect(facts.condition).toBe('damaged');
    expect(facts.problem).toMatch(/^[ -~]+$/);
    expect(filesAside(directory)).toEqual([]);
  });

  test('of a later version is reported as such', () => {
    const directory = temporaryDirectory();
    filled(directory).close();
    execute(join(directory, 'outbox.db'), 'PRAGMA user_version = 99');
    const facts = unchanged(directory, () => inspectOutbox(directory, false));
    expect(facts).toMatchObject({ condition: 'newer', version: 99, content: null });
  });

  test('is not read through a link or from a directory in its place', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'outbox.db'));
    expect(unchanged(directory, () => inspectOutbox(directory, false)).condition).toBe('unreadable');
    const other = temporaryDirectory();
    symlinkSync('/etc/passwd', join(other, 'outbox.db'));
    expect(inspectOutbox(other, false)).toMatchObject({ condition: 'unreadable', content: null });
  });

  test('that is empty, or missing beside a journal, is not taken for one that msg-tui left', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'outbox.db'), '');
    expect(unchanged(directory, () => inspectOutbox(directory, false)).condition).toBe('damaged');
    const other = temporaryDirectory();
    writeFileSync(join(other, 'outbox.db-journal'), Buffer.alloc(512));
    expect(unchanged(other, () => inspectOutbox(other, false)).condition).toBe('damaged');
  });
});

describe('reading without asking who has the outbox open', () => {
  test('does not count a transaction that a crash left in the journal, and leaves it to the next start', () => {
    const [alive, directory] = [temporaryDirectory(), temporaryDirectory()];
    const outbox = filled(alive);
    const names = Array.from({ length: 300 }, (_, at) => `p${at}`);
    outbox.saveRecords(names.map((id) => ['names', id, `the name of ${id} `.repeat(8)]));
    outbox.close();
    const before = readOwnNames({ data: alive, cache: alive });
    const database = openDatabase(join(alive, 'outbox.db'));
    onTestFinished(() => database.close());
    // With so small a cache SQLite writes pages of the transaction into the file before its end.
    database.exec("PRAGMA cache_size = 1; BEGIN; UPDATE records SET json = '\"torn\"' WHERE kind = 'names'");
    for (const name of ['outbox.db', 'outbox.db-journal']) copyFileSync(join(alive, name), join(directory, name));
    const account = { data: directory, cache: directory };
    expect(before.size).toBe(names.length);
    expect(unchanged(directory, () => readOwnNames(account))).toEqual(before);
    expect(unchanged(directory, () => readUnreadCounts(account)).local.names).toEqual(before);
  });

  test('does not wait for a transaction that another process has begun', () => {
    const directory = temporaryDirectory();
    filled(directory).close();
    const database = openDatabase(join(directory, 'outbox.db'));
    onTestFinished(() => database.close());
    database.exec("BEGIN IMMEDIATE; DELETE FROM ops WHERE uuid = 'a'");
    const begun = performance.now();
    expect(readOps({ data: directory, cache: directory })).toHaveLength(4);
    expect(readUnreadCounts({ data: directory, cache: directory }).local.me).toEqual(content.me);
    expect(performance.now() - begun).toBeLessThan(800);
  });
});

test('a cache is reported with how much is in it, and a damaged one as damaged', () => {
  const directory = temporaryDirectory();
  openCache(directory).close();
  expect(unchanged(directory, () => inspectCache(directory, false))).toMatchObject({
    condition: 'whole',
    content: { conversations: 0, messages: 0 },
  });
  damage(join(directory, 'cache.db'), 0, 200);
  expect(unchanged(directory, () => inspectCache(directory, false)).condition).toBe('damaged');
});

test('a file that was set aside is reported, and one that is in use is not', () => {
  const directory = temporaryDirectory();
  filled(directory).close();
  for (const name of ['outbox.corrupt-17.db', 'outbox.corrupt-17.db-wal', 'outbox.db.v1', 'sender.pid', 'notes.txt'])
    writeFileSync(join(directory, name), '');
  expect(filesAside(directory)).toEqual(['outbox.corrupt-17.db', 'outbox.corrupt-17.db-wal', 'outbox.db.v1']);
});

describe('the sender', () => {
  test('is nobody, a living process, and nobody again; the check takes no lock', () => {
    const directory = temporaryDirectory();
    expect(senderOf(directory)).toBeNull();
    const lock = acquireSenderLock(directory);
    expect(unchanged(directory, () => senderOf(directory))).toEqual({ pid: process.pid });
    expect(acquireSenderLock(directory)).toEqual({ heldBy: process.pid });
    if ('release' in lock) lock.release();
    expect(unchanged(directory, () => senderOf(directory))).toBeNull();
    expect(acquireSenderLock(directory)).toHaveProperty('release');
  });

  test('is not reported as nobody for a directory that may not be read', () => {
    const refused = join(temporaryDirectory(), 'x'.repeat(300));
    expect(() => senderOf(refused)).toThrow(expect.objectContaining({ name: 'StorageError' }));
    const { outbox } = inspectStores({ data: refused, cache: refused });
    expect(outbox.find(({ name }) => name === 'sender')).toMatchObject({ verdict: 'note' });
  });

  test('is not taken from a note that a process left when it ended', () => {
    const directory = temporaryDirectory();
    const lock = acquireSenderLock(directory);
    if ('release' in lock) lock.release();
    writeFileSync(join(directory, 'sender.pid'), String(process.pid));
    expect(senderOf(directory)).toBeNull();
    writeFileSync(join(directory, 'sender.pid'), '999999999');
    expect(senderOf(directory)).toBeNull();
  });
});

function damage(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, from, to);
  writeFileSync(path, bytes);
}

function execute(path: string, sql: string): void {
  const database = openDatabase(path);
  database.exec(sql);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

test.skipIf(process.platform === 'win32').each(['outbox.db', 'outbox.db-journal', 'outbox.db-wal'])(
  'a pipe in place of %s is reported, and not waited for',
  (name) => {
    const directory = temporaryDirectory();
    openOutbox(directory).close();
    rmSync(join(directory, name), { force: true });
    const pipe = pipeIn(directory, name);
    const refusal = expect.objectContaining({ message: `${pipe} is not a file; move it away.` });
    expect(() => readUnreadCounts({ data: directory, cache: directory })).toThrow(refusal);
    const { condition, problem } = inspectOutbox(directory, false);
    expect(condition).toBe('unreadable');
    expect(problem).toMatch(/is not a file; move it away$/);
  },
);
