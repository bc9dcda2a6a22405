import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPictureCache } from '../../src/pictures/picture-cache.ts';
import { prepareDirectory } from '../../src/storage/sqlite/private-files.ts';
import { temporaryDirectory } from '../storage/builders.ts';

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);

test('keeps files under names that reveal nothing, readable by the user only', async () => {
  const directory = join(temporaryDirectory(), 'pictures');
  const cache = createPictureCache(directory, prepareDirectory);
  expect(await cache.read('https://a.example/1.png')).toBe(null);
  await cache.write('https://a.example/1.png', bytes(3));
  expect([...((await cache.read('https://a.example/1.png')) ?? [])]).toEqual([1, 1, 1]);
  const [name = ''] = readdirSync(directory);
  expect(name).toMatch(/^[0-9a-f]{64}$/);
  if (process.platform !== 'win32') expect(statSync(join(directory, name)).mode & 0o077).toBe(0);
});

test('removes the oldest files if there is no room', async () => {
  const directory = join(temporaryDirectory(), 'pictures');
  const cache = createPictureCache(directory, prepareDirectory, 100);
  for (const [i, name] of ['1', '2', '3'].entries()) {
    await cache.write(name, bytes(40));
    for (const file of readdirSync(directory)) {
      const { mtimeMs } = statSync(join(directory, file));
      if (mtimeMs > 1e12) utimesSync(join(directory, file), i + 1, i + 1);
    }
  }
  expect(await cache.read('1')).toBe(null);
  expect([(await cache.read('2'))?.length, (await cache.read('3'))?.length]).toEqual([40, 40]);
});

test('counts a file that is there already once, and keeps it longer than one that nobody has looked at', async () => {
  const directory = join(temporaryDirectory(), 'pictures');
  const cache = createPictureCache(directory, prepareDirectory, 100);
  await cache.write('1', bytes(40));
  const first = join(directory, readdirSync(directory)[0] ?? '');
  await cache.write('2', bytes(40));
  utimesSync(first, 1, 1);
  await cache.write('2', bytes(40));
  expect((await cache.read('1'))?.length).toBe(40);
  for (const file of readdirSync(directory)) utimesSync(join(directory, file), 2, 2);
  await cache.write('1', bytes(40));
  await cache.write('3', bytes(40));
  expect([await cache.read('2'), (await cache.read('1'))?.length]).toEqual([null, 40]);
});

test('a file that was removed is written again', async () => {
  const cache = createPictureCache(temporaryDirectory(), prepareDirectory);
  await cache.remove('1');
  await cache.write('1', bytes(0));
  await cache.remove('1');
  expect(await cache.read('1')).toBe(null);
  await cache.write('1', bytes(3));
  expect((await cache.read('1'))?.length).toBe(3);
});

test('costs only a new download if the disk refuses', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'pictures'), '');
  const cache = createPictureCache(join(directory, 'pictures'), prepareDirectory);
  await cache.write('1', bytes(1));
  expect(await cache.read('1')).toBe(null);
});

test('no picture is saved where the cache directory is a symbolic link', async () => {
  const root = temporaryDirectory();
  mkdirSync(join(root, 'elsewhere'));
  symlinkSync(join(root, 'elsewhere'), join(root, 'msg-tui'));
  const cache = createPictureCache(join(root, 'msg-tui', 'profiles', 'one', 'pictures'), prepareDirectory);
  await cache.write('1', bytes(1));
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});
