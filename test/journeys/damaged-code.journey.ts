/** Compiled code that is damaged, or that somebody else could have written, changes no start. */
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignPart, campaignSize, isFullRun } from '../support/campaigns/partition.ts';
import {
  type CodeFile,
  checksumBytes,
  checksumsOf,
  codeDirectory,
  codeFilesIn,
  codeWrittenIn,
  damages,
  makeCodeFile,
  newHome,
  type Plant,
  plantedCode,
  plants,
  startLongRun,
  startOn,
  startsDamaged,
  writePrivately,
} from '../support/system/compiled-code.ts';

const isRoot = process.getuid?.() === 0;
let file: CodeFile;

beforeAll(async () => {
  file = await makeCodeFile();
});
afterAll(() => file.remove());

test('the file is readable by its owner only and begins with the checksums of its name and of the code', () => {
  expect(statSync(file.path).mode & 0o777).toBe(0o600);
  expect(codeFilesIn(file.home)).toEqual([basename(file.path)]);
  const code = file.whole.subarray(checksumBytes);
  expect(file.whole.subarray(0, checksumBytes)).toEqual(checksumsOf(basename(file.path), code));
});

test('damaged code does not change a start, and is removed', async () => {
  expect(await startsDamaged(file, damages(campaignSize(1, 2)))).toEqual([]);
});

test('compiled code of other versions is removed when it is a month old', async () => {
  const home = newHome();
  const directory = codeDirectory(home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const old = ['code', 'http', 'ui'].map((kind) => `${kind}-0123456789abcdef-v20.1.0-linux-x64`);
  const kept = ['code-fedcba9876543210-v22.0.0-linux-x64', 'of-another-program'];
  for (const name of [...old, ...kept]) writeFileSync(join(directory, name), '', { mode: 0o600 });
  const monthsAgo = Date.now() / 1000 - 60 * 24 * 3600;
  for (const name of [...old, 'of-another-program']) utimesSync(join(directory, name), monthsAgo, monthsAgo);
  const run = startLongRun(home);
  try {
    const left = (): readonly string[] => readdirSync(directory);
    await expect.poll(() => left().filter((name) => old.includes(name)), { timeout: 20_000 }).toEqual([]);
    expect(left()).toEqual(expect.arrayContaining(kept));
  } finally {
    run.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  }
});

describe('code that V8 would take', () => {
  let code: Buffer;
  beforeAll(() => {
    code = plantedCode(basename(file.path));
  });
  const sayVersion = async (plant: Plant['make']): Promise<string> => {
    const home = newHome();
    try {
      plant(join(codeDirectory(home), basename(file.path)), code);
      return (await startOn(home, '--version')).out;
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  };

  test('is used from our own file, so that the other tests prove something', async () => {
    expect(await sayVersion(writePrivately)).toBe('planted');
  });

  const possible = plants.filter(({ needsRoot }) => isRoot || needsRoot !== true);
  test.each(campaignPart(possible, 2))('is not used: $name', async ({ make }) => {
    expect(await sayVersion(make)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test.runIf(isFullRun)('nothing is written to a directory where others could remove or replace it', async () => {
  const homes: Readonly<Record<string, (home: string) => void>> = {
    'our own': () => undefined,
    'writable for all': (home) => chmodSync(codeDirectory(home), 0o777),
    ...(isRoot ? { 'of another user': (home: string) => chownSync(codeDirectory(home), 65_534, 65_534) } : {}),
    ...(isRoot ? { 'in that of another user': (home: string) => chownSync(join(home, 'cache'), 65_534, 65_534) } : {}),
  };
  const runs: ChildProcess[] = [];
  const kept: string[] = [];
  try {
    for (const change of Object.values(homes)) {
      const home = newHome();
      kept.push(home);
      mkdirSync(codeDirectory(home), { recursive: true, mode: 0o700 });
      change(home);
      runs.push(startLongRun(home));
    }
    const written = await codeWrittenIn(kept[0] ?? '');
    expect(readFileSync(written).length).toBeGreaterThan(100_000);
    // The end of a run writes once more.
    const ends = runs.map((run) => new Promise((resolve) => run.once('close', resolve)));
    for (const run of runs) run.kill('SIGTERM');
    await Promise.all(ends);
    expect(kept.slice(1).flatMap(codeFilesIn)).toEqual([]);
  } finally {
    for (const run of runs) run.kill('SIGKILL');
    for (const home of kept) rmSync(home, { recursive: true, force: true });
  }
});
