import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/storage/driver.ts';
import { openOutbox } from '../../src/storage/outbox-open.ts';
import { aDraft, anOp, temporaryDirectory } from './builders.ts';

const pageSize = 4096;

/** A closed outbox with enough ops to fill many pages, and its ops. */
function fill(directory: string, count: number) {
  const outbox = openOutbox(directory);
  for (let i = 0; i < count; i++) {
    const text = `words ${i} ${'x'.repeat(300)}`;
    outbox.enqueue(anOp({ uuid: `u${i}`, action: { kind: 'message.send', conversationId: 'c1', text } }), null);
  }
  outbox.saveDraft('c1', aDraft('a draft'));
  const { outbox: ops } = outbox.load();
  outbox.close();
  return ops;
}

function damage(path: string, change: (bytes: Buffer) => void): Buffer {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  return bytes;
}

describe('a damaged outbox', () => {
  test('a zeroed page costs what lay on it; the rest is there and the damaged file is kept', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const ops = fill(directory, 100);
    // A page in the middle that holds texts of ops.
    const bytes = damage(path, (all) => {
      const page = Math.floor(all.indexOf('words 50 ') / pageSize);
      all.fill(0, page * pageSize, (page + 1) * pageSize);
    });
    const outbox = openOutbox(directory, { now: () => 5 });
    const local = outbox.load();
    expect(local.outbox.length).toBeGreaterThan(80);
    expect(local.outbox.length).toBeLessThan(100);
    for (const op of local.outbox) expect(ops).toContainEqual(op);
    for (const end of [ops[0], ops[99]]) expect(local.outbox).toContainEqual(end);
    expect(local.drafts.get('c1')?.text).toBe('a draft');
    const copy = join(directory, 'outbox.corrupt-5.db');
    expect(outbox.status.salvaged).toEqual({ records: local.outbox.length + 1, copy });
    expect(readFileSync(copy).equals(bytes)).toBe(true);
    outbox.close();
    const again = openOutbox(directory);
    expect(again.load().outbox).toEqual(local.outbox);
    expect(again.status.salvaged).toBeNull();
    const next = again.enqueue(anOp({ uuid: 'next' }), null);
    expect(next.seq).toBeGreaterThan(100);
    again.close();
  });

  test('a lost first page costs nothing', () => {
    const directory = temporaryDirectory();
    const ops = fill(directory, 50);
    damage(join(directory, 'outbox.db'), (all) => all.fill(0xff, 0, pageSize));
    const outbox = openOutbox(directory);
    expect(outbox.load().outbox).toEqual(ops);
    expect(outbox.load().drafts.get('c1')?.text).toBe('a draft');
    outbox.close();
  });

  test('nothing readable at all: an empty outbox, and the damaged file is kept', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    writeFileSync(path, 'no database '.repeat(1000));
    const outbox = openOutbox(directory, { now: () => 6 });
    expect(outbox.status.salvaged?.records).toBe(0);
    outbox.enqueue(anOp(), null);
    outbox.close();
    expect(readFileSync(join(directory, 'outbox.corrupt-6.db'), 'utf8')).toMatch(/^no database/);
  });

  test('what was only in the write-ahead log is salvaged with it', () => {
    const directory = temporaryDirectory();
    const live = openOutbox(directory);
    const op = live.enqueue(anOp(), null);
    const other = temporaryDirectory();
    for (const name of ['outbox.db', 'outbox.db-wal']) copyFileSync(join(directory, name), join(other, name));
    live.close();
    // The log alone holds the tables: the file itself is turned into rubbish.
    damage(join(other, 'outbox.db'), (all) => all.fill(0x5a, 100));
    const outbox = openOutbox(other);
    expect(outbox.load().outbox).toEqual([op]);
    outbox.close();
  });

  test('a crash between the two renames is ended at the next start', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const ops = fill(directory, 3);
    renameSync(path, `${path}.salvaged`);
    writeFileSync(path, 'the damaged one');
    writeFileSync(`${path}-wal`, 'its log');
    const outbox = openOutbox(directory);
    expect(outbox.load().outbox).toEqual(ops);
    expect(outbox.status.salvaged).toBeNull();
    outbox.close();
    expect(existsSync(`${path}.salvaged`)).toBe(false);
  });

  test('a new file that a crash has left half written is made anew from the original that was put aside', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const ops = fill(directory, 60);
    const original = readFileSync(path);
    // The exchange had begun: the original stands there no longer as it was found.
    renameSync(path, join(directory, 'outbox.corrupt-5.db'));
    const left = damage(join(directory, 'outbox.corrupt-5.db'), () => undefined).subarray(0, 3 * pageSize);
    writeFileSync(`${path}.salvaged`, left);
    writeFileSync(path, '');
    for (const file of [path, `${path}.salvaged`]) utimesSync(file, 1, 1);
    const outbox = openOutbox(directory, { now: () => 9 });
    expect(outbox.load().outbox).toEqual(ops);
    const copy = join(directory, 'outbox.corrupt-5.db');
    expect(outbox.status.salvaged).toEqual({ records: 61, copy });
    outbox.close();
    expect(readFileSync(copy).equals(original)).toBe(true);
    expect(readFileSync(join(directory, 'outbox.corrupt-9.salvaged')).equals(left)).toBe(true);
    expect(existsSync(`${path}.salvaged`)).toBe(false);
  });

  test.each(['rubbish', 'nothing', 'other tables'])(
    '%s in the place of a salvaged file is not taken for one',
    (kind) => {
      const directory = temporaryDirectory();
      const path = join(directory, 'outbox.db');
      const ops = fill(directory, 3);
      if (kind === 'other tables') {
        const other = openDatabase(`${path}.salvaged`);
        other.exec('CREATE TABLE ops (a); PRAGMA user_version = 1');
        other.close();
      } else writeFileSync(`${path}.salvaged`, kind === 'nothing' ? '' : 'no database '.repeat(1000));
      const outbox = openOutbox(directory, { now: () => 9 });
      expect(outbox.load().outbox).toEqual(ops);
      outbox.close();
      expect(existsSync(join(directory, 'outbox.corrupt-9.salvaged'))).toBe(true);
    },
  );

  test('a salvaged file of a later version is left where it is', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    fill(directory, 3);
    copyFileSync(path, `${path}.salvaged`);
    const newer = openDatabase(`${path}.salvaged`);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const before = readFileSync(path);
    expect(() => openOutbox(directory)).toThrow(expect.objectContaining({ kind: 'newer' }));
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}.salvaged`)).toBe(true);
  });

  test('a salvaged file does not take the place of an outbox that was written in since', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    fill(directory, 3);
    for (const copy of [`${path}.salvaged`, join(directory, 'outbox.corrupt-5.db')]) copyFileSync(path, copy);
    const live = openOutbox(directory, { role: 'reader' });
    live.enqueue(anOp({ uuid: 'since' }), null);
    live.close();
    const outbox = openOutbox(directory, { now: () => 9 });
    expect(outbox.load().outbox.map(({ uuid }) => uuid)).toContain('since');
    outbox.close();
  });

  test('an outbox whose log the exchange has taken is not taken for whole', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const live = openOutbox(directory);
    live.enqueue(anOp({ uuid: 'in the log' }), null);
    const other = temporaryDirectory();
    const moved = join(other, 'outbox.db');
    const base = temporaryDirectory();
    openOutbox(base).close();
    copyFileSync(path, join(other, 'outbox.corrupt-5.db'));
    copyFileSync(`${path}-wal`, join(other, 'outbox.corrupt-5.db-wal'));
    live.close();
    copyFileSync(path, `${moved}.salvaged`);
    copyFileSync(join(base, 'outbox.db'), moved);
    utimesSync(moved, 1, 1);
    const outbox = openOutbox(other);
    expect(outbox.load().outbox.map(({ uuid }) => uuid)).toEqual(['in the log']);
    outbox.close();
  });

  test('a reader reports the damage and leaves the repair to the sender', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'outbox.db'), 'no database '.repeat(1000));
    expect(() => openOutbox(directory, { role: 'reader' })).toThrow(expect.objectContaining({ kind: 'corrupt' }));
    expect(readdirSync(directory)).toEqual(['outbox.db']);
  });
});

describe('a torn write-ahead log', () => {
  test('every prefix opens with the first so many ops and no other', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    openOutbox(directory).close();
    const base = readFileSync(path);
    const live = openOutbox(directory);
    const uuids = Array.from({ length: 6 }, (_, i) => live.enqueue(anOp({ uuid: `u${i}` }), null).uuid);
    const log = readFileSync(`${path}-wal`);
    live.close();
    let most = 0;
    for (let length = 0; length <= log.length; length += 1031) {
      const copy = temporaryDirectory();
      writeFileSync(join(copy, 'outbox.db'), base);
      writeFileSync(join(copy, 'outbox.db-wal'), log.subarray(0, length));
      const outbox = openOutbox(copy);
      const found = outbox.load().outbox.map(({ uuid }) => uuid);
      expect(outbox.status.salvaged).toBeNull();
      outbox.close();
      expect(found).toEqual(uuids.slice(0, found.length));
      expect(found.length).toBeGreaterThanOrEqual(most);
      most = found.length;
    }
    expect(most).toBeGreaterThanOrEqual(5);
  });
});
