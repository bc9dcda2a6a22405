/** The data file and the files beside it must belong to the owner alone, or SQLite would write messages into another's file. */
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { prepareDataFile } from '../../../../src/server/store/sqlite/private-data-file.ts';

const root = mkdtempSync(join(tmpdir(), 'data-file-'));
afterAll(() => rmSync(root, { recursive: true }));

const isRoot = process.getuid?.() === 0;
let folder = '';
let data = '';
let count = 0;
beforeEach(() => {
  count += 1;
  folder = join(root, String(count));
  mkdirSync(folder, { mode: 0o700 });
  data = join(folder, 'chat.db');
});

const attempt = () => prepareDataFile(data);

test('a file that is no database keeps its mode, as SQLite refuses it', () => {
  writeFileSync(data, 'my notes\n');
  chmodSync(data, 0o644);
  attempt();
  expect(statSync(data).mode & 0o777).toBe(0o644);
});

test('a database that others can read is made private', () => {
  writeFileSync(data, 'SQLite format 3\0 and so on');
  chmodSync(data, 0o644);
  attempt();
  expect(statSync(data).mode & 0o777).toBe(0o600);
});

describe.each(['', '-wal', '-shm', '-journal'])('chat.db%s', (end) => {
  test('that others can read is made private', () => {
    writeFileSync(data + end, '');
    chmodSync(data + end, 0o666);
    attempt();
    expect(statSync(data + end).mode & 0o777).toBe(0o600);
  });

  test('that is a link is refused', () => {
    writeFileSync(join(folder, 'elsewhere'), '');
    symlinkSync(join(folder, 'elsewhere'), data + end);
    expect(attempt).toThrow(`chat.db${end} is not a plain file`);
  });

  test('that has a second name is refused', () => {
    writeFileSync(join(folder, 'elsewhere'), '');
    linkSync(join(folder, 'elsewhere'), data + end);
    expect(attempt).toThrow(`chat.db${end} has a second name`);
  });

  test.runIf(isRoot)('that belongs to another user is refused', () => {
    writeFileSync(data + end, '');
    chownSync(data + end, 12_345, 12_345);
    expect(attempt).toThrow(`chat.db${end} belongs to another user`);
  });
});

describe('the directory', () => {
  test.each([0o777, 0o702])('with mode %o is refused', (mode) => {
    chmodSync(folder, mode);
    expect(attempt).toThrow(`others can write in the directory ${folder}; run chmod go-w`);
  });

  test.each([0o1777, 0o755, 0o750])('with mode %o is used', (mode) => {
    chmodSync(folder, mode);
    attempt();
    expect(statSync(data).mode & 0o777).toBe(0o600);
  });

  test.runIf(isRoot)('is refused when a group can write in it, unless the group is private to its owner', () => {
    chmodSync(folder, 0o775);
    attempt();
    chownSync(folder, 0, 12_345);
    expect(attempt).toThrow('others can write in the directory');
  });

  test.runIf(!isRoot)('in which its owner cannot write is named in the error', () => {
    attempt();
    chmodSync(folder, 0o500);
    expect(attempt).toThrow(`cannot write in the directory ${folder}: EACCES`);
    chmodSync(folder, 0o700);
  });

  test.runIf(isRoot)('of another user is refused', () => {
    chownSync(folder, 12_345, 12_345);
    expect(attempt).toThrow('belongs to another user (uid 12345)');
  });
});
