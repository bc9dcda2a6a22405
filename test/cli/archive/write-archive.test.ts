import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { writeArchive } from '../../../src/cli/archive/write-archive.ts';
import { fileNameIn } from '../../../src/cli/export/file-name.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

test('a file is replaced as a whole, is readable by its owner only, and a link is followed', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, 'old', { mode: 0o644 });
  symlinkSync(path, join(folder, 'link'));
  expect(await writeArchive(join(folder, 'link'), ['one\n', 'two\n'])).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await writeArchive(path, ['three\n'], { keeps: true })).toBe(true);
  expect(await writeArchive(path, [], { keeps: true })).toBe(false);
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
  expect(readdirSync(folder).sort()).toEqual(['a.jsonl', 'link']);
});

/** Looks at the new files of a folder again and again; answers with the rights that others ever had to one of them. */
const looking = `
  const { readdirSync, statSync } = require('node:fs');
  const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads');
  let rights = 0;
  parentPort.postMessage('ready');
  while (receiveMessageOnPort(parentPort) === undefined)
    for (const name of readdirSync(workerData).filter((one) => one.endsWith('.tmp')))
      try {
        rights |= statSync(workerData + '/' + name).mode & 0o077;
      } catch {}
  parentPort.postMessage(rights);
`;

test.skipIf(process.platform === 'win32')('what is in the file already is copied for its owner only', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, 'old\n', { mode: 0o644 });
  truncateSync(path, 40_000_000);
  const watcher = new Worker(looking, { eval: true, workerData: folder });
  await once(watcher, 'message');
  expect(await writeArchive(path, ['new\n'], { keeps: true })).toBe(true);
  watcher.postMessage('done');
  expect(await once(watcher, 'message')).toEqual([0]);
  expect(statSync(path)).toMatchObject({ size: 40_000_004, mode: 0o100600 });
});

test('a failure leaves the old file and no other, and is reported in one line', async () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, 'old');
  const full = function* (): Generator<string> {
    yield 'x'.repeat(100_000);
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  };
  await expect(writeArchive(path, full())).rejects.toThrow(
    `${path} was not written: the disk is full; free some space (ENOSPC)`,
  );
  expect(readFileSync(path, 'utf8')).toBe('old');
  await expect(writeArchive(join(folder, 'no', 'b'), ['x'])).rejects.toThrow(
    `there is no folder ${join(folder, 'no')}; make it first`,
  );
  await expect(writeArchive(folder, ['x'])).rejects.toThrow('is not a regular file');
  expect(readdirSync(folder)).toEqual(['a.jsonl']);
});

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a read-only folder is named in the error',
  async () => {
    const folder = temporaryDirectory();
    chmodSync(folder, 0o500);
    await expect(writeArchive(join(folder, 'a'), ['x'])).rejects.toThrow('you have no permission');
  },
);

test('the files of a folder keep their names, and no id becomes part of one', () => {
  const folder = join(temporaryDirectory(), 'chats');
  const path = fileNameIn(folder, 'Ann / Wells…', '../../etc', 'markdown');
  expect(path).toMatch(/chats\/ann-wells-[0-9a-f]{8}\.md$/);
  expect(existsSync(folder)).toBe(true);
  writeFileSync(path, '');
  expect(fileNameIn(folder, 'Another name', '../../etc', 'markdown')).toBe(path);
  expect(fileNameIn(folder, '///', 'x', 'jsonl')).toMatch(/conversation-[0-9a-f]{8}\.jsonl$/);
});
