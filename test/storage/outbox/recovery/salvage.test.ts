import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectOutbox } from '../../../../src/storage/inspect.ts';
import { openOutbox } from '../../../../src/storage/outbox/open.ts';
import { insertOp } from '../../../../src/storage/outbox/rows.ts';
import { openDatabase } from '../../../../src/storage/sqlite/driver.ts';
import { aDraft, anOp, temporaryDirectory } from '../../builders.ts';

const pageSize = 4096;

/** A closed outbox with enough ops to fill many pages, and its ops. */
function fill(directory: string, count: number) {
  const outbox = openOutbox(directory);
  for (let i = 0; i < count; i++) {
    const text = `words ${i} ${'x'.repeat(300)}`;
    outbox.enqueue(anOp({ uuid: `u${i}`, action: { kind: 'message.send', conversationId: 'c1', text } }), null);
  }
  outbox.saveRecords([['drafts', 'c1', aDraft('a draft')]]);
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
  test('with a zeroed page loses what was on it; the rest is saved and the damaged file is kept', () => {
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

  test('with a lost first page loses nothing', () => {
    const directory = temporaryDirectory();
    const ops = fill(directory, 50);
    damage(join(directory, 'outbox.db'), (all) => all.fill(0xff, 0, pageSize));
    const outbox = openOutbox(directory);
    expect(outbox.load().outbox).toEqual(ops);
    expect(outbox.load().drafts.get('c1')?.text).toBe('a draft');
    outbox.close();
  });

  test('without anything readable becomes an empty outbox, and the damaged file is kept', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    writeFileSync(path, 'no database '.repeat(1000));
    const outbox = openOutbox(directory, { now: () => 6 });
    expect(outbox.status.salvaged?.records).toBe(0);
    outbox.enqueue(anOp(), null);
    outbox.close();
    expect(readFileSync(join(directory, 'outbox.corrupt-6.db'), 'utf8')).toMatch(/^no database/);
  });

  test('is saved with what was only in the write-ahead log', () => {
    const directory = temporaryDirectory();
    openOutbox(directory).close();
    const live = openDatabase(join(directory, 'outbox.db'));
    live.exec('PRAGMA journal_mode = WAL');
    insertOp((sql) => live.prepare(sql), anOp());
    const other = temporaryDirectory();
    for (const name of ['outbox.db', 'outbox.db-wal']) copyFileSync(join(directory, name), join(other, name));
    live.close();
    // The log alone holds the tables: the file itself is turned into rubbish.
    damage(join(other, 'outbox.db'), (all) => all.fill(0x5a, 100));
    const outbox = openOutbox(other);
    expect(outbox.load().outbox).toMatchObject([anOp()]);
    outbox.close();
  });

  test('is repaired at the next start after a crash between the two renames', () => {
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

  test('with a new file that was damaged before its rename is repaired anew, and that file is set aside', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const ops = fill(directory, 60);
    const left = readFileSync(path).subarray(0, 3 * pageSize);
    writeFileSync(`${path}.salvaged`, left);
    damage(path, (all) => all.fill(0xff, 0, pageSize));
    const outbox = openOutbox(directory, { now: () => 9 });
    expect(outbox.load().outbox).toEqual(ops);
    expect(outbox.status.salvaged).toEqual({ records: 61, copy: join(directory, 'outbox.corrupt-9.db') });
    outbox.close();
    expect(readFileSync(join(directory, 'outbox.corrupt-9.salvaged')).equals(left)).toBe(true);
    expect(existsSync(`${path}.salvaged`)).toBe(false);
  });

  test.each(['rubbish', 'nothing', 'other tables'])('is not replaced by a salvaged file that contains %s', (kind) => {
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
  });

  test('with a salvaged file of a later version leaves that where it is', () => {
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

  test('no copy is left where the new file cannot be written, and the damaged one stays', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    fill(directory, 3);
    truncateSync(path, 3_000);
    const before = readFileSync(path);
    mkdirSync(join(`${path}.building`, 'in the way'), { recursive: true });
    for (const now of [5, 6]) expect(() => openOutbox(directory, { now: () => now })).toThrow('nothing was deleted');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(directory).filter((name) => name.includes('corrupt'))).toEqual([]);
  });

  test('accepts no op in a program that does not send while a salvaged file waits to be renamed', () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    fill(directory, 3);
    copyFileSync(path, `${path}.salvaged`);
    expect(() => openOutbox(directory, { role: 'reader' })).toThrow(
      expect.objectContaining({ kind: 'corrupt', message: expect.stringContaining('Quit the msg-tui that is open') }),
    );
  });

  test('is reported by a reader and repaired by the sender', () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'outbox.db'), 'no database '.repeat(1000));
    expect(() => openOutbox(directory, { role: 'reader' })).toThrow(expect.objectContaining({ kind: 'corrupt' }));
    expect(readdirSync(directory)).toEqual(['outbox.db']);
  });
});

describe('a write-ahead log that an earlier version has left', () => {
  /** Six ops that are in the log alone. */
  function logged(): { readonly file: Buffer; readonly log: Buffer; readonly uuids: readonly string[] } {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    openOutbox(directory).close();
    const live = openDatabase(path);
    live.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
    const uuids = Array.from({ length: 6 }, (_, i) => `u${i}`);
    for (const uuid of uuids) insertOp((sql) => live.prepare(sql), anOp({ uuid }));
    const left = { file: readFileSync(path), log: readFileSync(`${path}-wal`), uuids };
    live.close();
    return left;
  }

  function opened(file: Buffer, log: Buffer) {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'outbox.db'), file);
    writeFileSync(join(directory, 'outbox.db-wal'), log);
    const { condition } = inspectOutbox(directory, false);
    const outbox = openOutbox(directory, { now: () => 5 });
    const found = outbox.load().outbox.map(({ uuid }) => uuid);
    const { salvaged } = outbox.status;
    outbox.close();
    return { directory, condition, found, salvaged };
  }

  test('is taken over, and none is written from then on', () => {
    const { file, log, uuids } = logged();
    const { directory, ...rest } = opened(file, log);
    expect(rest).toEqual({ condition: 'whole', found: uuids, salvaged: null });
    expect(readdirSync(directory)).toEqual(['outbox.db']);
  });

  test('opens with the first ops only, whatever prefix of it is there', () => {
    const { file, log, uuids } = logged();
    let most = 0;
    for (let length = 0; length <= log.length; length += 4099) {
      const { found, salvaged } = opened(file, log.subarray(0, length));
      expect(salvaged).toBeNull();
      expect(found).toEqual(uuids.slice(0, found.length));
      expect(found.length).toBeGreaterThanOrEqual(most);
      most = found.length;
    }
    expect(most).toBeGreaterThanOrEqual(5);
  });

  test.each([0, 1, 50, 512])('saves everything of an outbox.db that was cut to %i bytes', (length) => {
    const { file, log, uuids } = logged();
    const { directory, condition, found, salvaged } = opened(file.subarray(0, length), log);
    expect(condition).toBe('damaged');
    expect(found).toEqual(uuids);
    expect(salvaged).toEqual({ records: 6, copy: join(directory, 'outbox.corrupt-5.db') });
    expect(readFileSync(join(directory, 'outbox.corrupt-5.db-wal')).equals(log)).toBe(true);
  });

  test.each([0, 2, 5])('with one flipped bit in frame %i keeps what was committed after it', (frame) => {
    const { file, log, uuids } = logged();
    const at = 32 + 4120 * frame + 500;
    log[at] = (log[at] ?? 0) ^ 1;
    const { condition, found, salvaged } = opened(file, log);
    expect(condition).toBe('damaged');
    expect(found).toEqual(uuids);
    expect(salvaged?.records).toBe(6);
  });
});

test('without its end is read nevertheless, and the ops are counted', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'outbox.db');
  const ops = fill(directory, 6);
  // Without the end of the index of the records, and of that of the claims.
  writeFileSync(path, readFileSync(path).subarray(0, 8 * pageSize + 100));
  expect(inspectOutbox(directory, false).condition).toBe('damaged');
  const outbox = openOutbox(directory, { now: () => 5 });
  expect(outbox.load().outbox).toEqual(ops);
  expect(outbox.status.salvaged?.records).toBe(7);
  outbox.close();
});

test.each([0, 1, 50])('beside an outbox.db that was emptied to %i bytes is not taken for a new outbox', (length) => {
  const directory = temporaryDirectory();
  const path = join(directory, 'outbox.db');
  fill(directory, 3);
  writeFileSync(path, readFileSync(path).subarray(0, length));
  expect(inspectOutbox(directory, false)).toMatchObject({ condition: 'damaged', problem: 'the file is empty' });
  const outbox = openOutbox(directory, { now: () => 5 });
  expect(outbox.status.salvaged).toEqual({ records: 0, copy: join(directory, 'outbox.corrupt-5.db') });
  outbox.close();
});

test("with text that the disk has changed does not show or send it as the user's", () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'outbox.db');
  fill(directory, 3);
  damage(path, (all) => void all.write('wordz 1', all.indexOf('words 1 ')));
  expect(inspectOutbox(directory, false).condition).toBe('damaged');
  const outbox = openOutbox(directory);
  expect(outbox.load().outbox.map(({ uuid }) => uuid)).toEqual(['u0', 'u2']);
  expect(outbox.status).toMatchObject({ setAside: 1, salvaged: { records: 4 } });
  outbox.close();
});

test('with rubbish from the middle of a page on loses no record before it', () => {
  for (const offset of [900, 1700, 2500, 3300]) {
    const directory = temporaryDirectory();
    const path = join(directory, 'outbox.db');
    const ops = fill(directory, 40);
    const whole = readFileSync(path);
    const from = Math.floor(whole.indexOf('words 30 ') / pageSize) * pageSize + offset;
    const bytes = damage(path, (all) => {
      for (let at = 0; at < pageSize; at += 4)
        createHash('sha256')
          .update(`${offset} ${at}`)
          .digest()
          .copy(all, from + at, 0, 4);
    });
    // Each record, with what comes before and after its words. The first ones have left traces on another page.
    const intact = ops.slice(10).filter(({ action }) => {
      const text = 'text' in action ? action.text : '';
      const at = whole.indexOf(text);
      return (
        at < from &&
        whole.subarray(at - 300, at + text.length + 60).equals(bytes.subarray(at - 300, at + text.length + 60))
      );
    });
    const outbox = openOutbox(directory);
    const found = outbox.load().outbox.map(({ uuid }) => uuid);
    outbox.close();
    expect(intact.length).toBeGreaterThan(10);
    for (const { uuid } of intact) expect(found, `at ${offset} of the page`).toContain(uuid);
  }
});
