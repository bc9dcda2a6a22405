/** Outboxes of versions 1 and 2, which had a table for each kind of record. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyLocal } from '../../../src/state/store.ts';
import { inspectOutbox } from '../../../src/storage/inspect.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { readRecords } from '../../../src/storage/outbox/records.ts';
import { insertOp, sealed } from '../../../src/storage/outbox/rows.ts';
import { outboxMigrations } from '../../../src/storage/outbox/schema.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { type Migrations, migrate } from '../../../src/storage/sqlite/migrate.ts';
import { toColumn } from '../../../src/storage/sqlite/sqlite-text.ts';
import { aDraft, anOp, temporaryDirectory } from '../builders.ts';

const pageSize = 4096;
const odd = 'odd \0\ud800';
const resent = { uuid: 'u0', conversationId: 'c1', text: 'hi', sameText: ['m0'], found: 'm1', at: 5 };
const isTrue = { value: true, at: 1, from: 'GET /v1/messages' };

/** The path of an outbox as an earlier version has left it. */
function earlierOutbox(version: number): { readonly directory: string; readonly path: string } {
  const directory = temporaryDirectory();
  const path = join(directory, 'outbox.db');
  const database = openDatabase(path);
  migrate(database, outboxMigrations.slice(0, version), null);
  const put = (table: string, ...values: readonly (string | number | null)[]): void =>
    void database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join()})`).run(...values);
  for (let i = 0; i < 30; i++)
    insertOp((sql) => database.prepare(sql), anOp({ uuid: `u${i}`, reason: 'x'.repeat(300) }));
  const editing = { messageId: 'm1', base: 'before' };
  put('drafts', 'c1', sealed(JSON.stringify({ text: `words ${odd}`, cursor: 2, editing: null }), ['c1']));
  put('drafts', toColumn(odd), JSON.stringify({ text: 'after', cursor: 5, editing }));
  put('read_lines', 'c1', toColumn(odd), 5);
  put('read_lines', 'c2', null, 6.5);
  put('names', 'p1', toColumn(odd));
  put('facts', 'me', JSON.stringify({ contactId: 'p1', username: null }));
  put('facts', 'opened', JSON.stringify(odd));
  put('facts', 'traits', JSON.stringify({ ownReactionsOnly: isTrue, ofTomorrow: isTrue }));
  if (version > 1) put('resent', 'u0', JSON.stringify({ ...resent, twin: 'm2' }));
  database.close();
  return { directory, path };
}

function expectEverything(directory: string, version: number): void {
  const outbox = openOutbox(directory);
  const local = outbox.load();
  expect(local).toMatchObject({ me: { contactId: 'p1', username: null }, opened: odd });
  expect(local.outbox).toHaveLength(30);
  expect([...local.drafts]).toEqual([
    ['c1', aDraft(`words ${odd}`, { cursor: 2 })],
    [odd, aDraft('after', { cursor: 5, editing: { messageId: 'm1', base: 'before' } })],
  ]);
  expect([...local.readLines]).toEqual([
    ['c1', { messageId: odd, at: 5 }],
    ['c2', { messageId: null, at: 6.5 }],
  ]);
  expect([...local.names]).toEqual([['p1', odd]]);
  expect(local.capabilities).toEqual({ ownReactionsOnly: isTrue });
  expect([...local.resent.values()]).toEqual(version > 1 ? [{ ...resent, duplicateId: 'm2' }] : []);
  expect(outbox.status.setAside).toBe(0);
  outbox.close();
}

test.each([1, 2])('version %i is migrated with everything in it, and a copy is kept', (version) => {
  const { directory, path } = earlierOutbox(version);
  const looked = inspectOutbox(directory, false);
  expect(looked).toMatchObject({ condition: 'whole', version, content: { drafts: 2, queued: 30 } });
  expect(looked.content).toMatchObject({ me: { contactId: 'p1' }, capabilities: { ownReactionsOnly: isTrue } });
  for (let start = 0; start < 2; start++) expectEverything(directory, version);
  expect(existsSync(`${path}.v${version}`)).toBe(true);
  expect(readdirSync(directory).some((name) => name.includes('corrupt'))).toBe(false);
  expect(inspectOutbox(directory, false)).toMatchObject({ condition: 'whole', version: outboxMigrations.length });
});

test('version 3 is complete, and is migrated, in a program with later versions', () => {
  const directory = temporaryDirectory();
  const outbox = openOutbox(directory);
  outbox.enqueue(anOp(), null);
  outbox.close();
  const migrations = outboxMigrations as Migrations[number][];
  migrations.push('CREATE TABLE of_tomorrow (x)');
  onTestFinished(() => void migrations.pop());
  expect(inspectOutbox(directory, false)).toMatchObject({ condition: 'whole', version: 3, content: { queued: 1 } });
  const again = openOutbox(directory);
  expect([again.status.salvaged, again.load().outbox.length]).toEqual([null, 1]);
  again.close();
  expect(inspectOutbox(directory, false)).toMatchObject({ condition: 'whole', version: 4 });
});

test('a draft that differs from what was written is noticed and set aside', () => {
  const { directory, path } = earlierOutbox(2);
  const bytes = readFileSync(path);
  bytes.write('wordz', bytes.indexOf('words odd'));
  writeFileSync(path, bytes);
  expect(inspectOutbox(directory, false).condition).toBe('damaged');
  const outbox = openOutbox(directory);
  expect([...outbox.load().drafts.keys()]).toEqual([odd]);
  expect(outbox.status).toMatchObject({ setAside: 1, salvaged: { records: expect.any(Number) } });
  outbox.close();
});

test.each([1, 2])(
  'only the kinds that are requested are read of version %i, and only their damage counts',
  (version) => {
    const { path } = earlierOutbox(version);
    const bytes = readFileSync(path);
    bytes.write('wordz', bytes.indexOf('words odd'));
    writeFileSync(path, bytes);
    const database = openDatabase(path);
    const { local, unreadable } = readRecords(database, ['names', 'me']);
    expect([local, unreadable]).toEqual([
      { ...emptyLocal, names: new Map([['p1', odd]]), me: { contactId: 'p1', username: null } },
      [],
    ]);
    expect(readRecords(database, ['drafts']).unreadable).toHaveLength(1);
    database.close();
  },
);

test('a damaged page of an earlier file loses only what was on it', () => {
  const { directory, path } = earlierOutbox(2);
  const bytes = readFileSync(path);
  const page = Math.floor(bytes.indexOf('"uuid":"u0"') / pageSize);
  bytes.fill(0, page * pageSize, (page + 1) * pageSize);
  writeFileSync(path, bytes);
  const outbox = openOutbox(directory);
  expect(outbox.status.salvaged).not.toBeNull();
  const { drafts, readLines, me, capabilities } = outbox.load();
  expect([drafts.size, readLines.size, me?.contactId, capabilities]).toEqual([
    2,
    2,
    'p1',
    { ownReactionsOnly: isTrue },
  ]);
  outbox.close();
});

test('a first page of an earlier file that is lost except for its version loses nothing', () => {
  const { directory, path } = earlierOutbox(2);
  const bytes = readFileSync(path);
  bytes.fill(0xff, 100, pageSize);
  writeFileSync(path, bytes);
  expectEverything(directory, 2);
});

test.each([1, 2])(
  'if the whole first page of version %i is lost, everything is saved in the right table',
  (version) => {
    const { directory, path } = earlierOutbox(version);
    const bytes = readFileSync(path);
    bytes.fill(0xff, 0, pageSize);
    writeFileSync(path, bytes);
    expectEverything(directory, version);
  },
);

test('after the migration, a lost first page loses nothing', () => {
  const { directory, path } = earlierOutbox(2);
  openOutbox(directory).close();
  const bytes = readFileSync(path);
  bytes.fill(0xff, 0, pageSize);
  writeFileSync(path, bytes);
  expectEverything(directory, 2);
});

test.each([
  [2, 3],
  [3, 2],
  [3, 1],
])('version %i that a flipped bit changed to %i loses nothing', (version, flipped) => {
  const { directory, path } = earlierOutbox(2);
  if (version === 3) openOutbox(directory).close();
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(flipped, 60);
  writeFileSync(path, bytes);
  expect(inspectOutbox(directory, false).condition).toBe('damaged');
  for (let start = 0; start < 2; start++) expectEverything(directory, 2);
});

test('a file is not migrated while an earlier program may be writing in it', () => {
  const { directory, path } = earlierOutbox(2);
  const before = readFileSync(path);
  const lock = acquireSenderLock(directory);
  const refusal = expect.objectContaining({ message: expect.stringContaining('quit the one that is running') });
  expect(() => openOutbox(directory, { role: 'reader' })).toThrow(refusal);
  expect(readFileSync(path).equals(before)).toBe(true);
  if ('release' in lock) lock.release();
  expectEverything(directory, 2);
});

test('a file is not migrated by a program that may not send and finds it locked for a while', async () => {
  const { directory, path } = earlierOutbox(2);
  const [driver, source] = [import.meta.resolve('@photostructure/sqlite'), JSON.stringify(path)];
  const script = `import { DatabaseSync } from ${JSON.stringify(driver)};
    const database = new DatabaseSync(${source});
    database.exec('BEGIN EXCLUSIVE');
    console.log('locked');
    setTimeout(() => database.close(), 2_500);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void other.kill());
  await once(other.stdout, 'data');
  expect(() => openOutbox(directory, { role: 'reader' })).toThrow(/quit the one that is running/);
  expect(inspectOutbox(directory, false)).toMatchObject({ condition: 'whole', version: 2 });
});
