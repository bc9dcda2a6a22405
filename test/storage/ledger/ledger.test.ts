/** The ledger on disk: its lines, how long they are kept, and several programs that append to one file. */
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryOf, type LedgerEntry, lineOf, type RequestEntry } from '../../../src/storage/ledger/entry.ts';
import { Ledger } from '../../../src/storage/ledger/ledger.ts';
import { readLedger } from '../../../src/storage/ledger/read-ledger.ts';
import { pipeIn } from '../../support/system/pipe.ts';
import { temporaryDirectory } from '../builders.ts';

const noon = Date.parse('2026-11-22T12:00:00Z');
const dayMs = 86_400_000;

const request = (fields: Partial<RequestEntry> = {}): RequestEntry => ({
  kind: 'request',
  at: noon,
  method: 'GET',
  host: 'chat.example',
  path: '/v1/conversations?limit=50',
  status: 200,
  problem: null,
  sent: 0,
  received: 512,
  durationMs: 31,
  reason: 'conversation list',
  ...fields,
});

async function read(directory: string, since = 0): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(directory, since)) entries.push(entry);
  return entries;
}

test('a line is read back as it was written, and is shorter than 4 KB', () => {
  const entries: readonly LedgerEntry[] = [
    request(),
    request({ status: null, problem: 'ECONNREFUSED' }),
    {
      kind: 'hook',
      at: noon,
      reason: 'hooks.mention',
      program: '/bin/x',
      problem: 'exit code 3',
      sent: 7,
      durationMs: 4,
    },
    { kind: 'lost', at: noon, count: 3 },
  ];
  expect(entries.map((entry) => entryOf(lineOf(entry)))).toEqual(entries);
  const long = 'é"\\'.repeat(2_000);
  expect(lineOf(request({ path: `/${'p'.repeat(9_000)}`, reason: 'r' })).length).toBeLessThan(4_096);
  expect(entryOf(lineOf(request({ host: long })))).not.toBeNull();
  for (const line of ['', '{', '[]', 'null', '{"kind":"request"}', '{"kind":"x","time":"2026-11-22T12:00:00Z"}'])
    expect(entryOf(line)).toBeNull();
});

test.each([
  ['of one byte a character', 'p'],
  ['of several bytes', 'é漢🙂'],
  ['that JSON escapes', '"\\\0'],
  ['with half characters', '\ud83d'],
])('a line is shorter than 4 KB if all its texts are long, %s', (_, part) => {
  const text = part.repeat(3_000);
  const texts = { host: text, path: text, problem: text, reason: text };
  const numbers = { sent: Number.MAX_SAFE_INTEGER, received: Number.MAX_SAFE_INTEGER, durationMs: 1_234.567_890_123 };
  const line = lineOf(request({ ...texts, ...numbers, method: 'DELETE' }));
  expect(Buffer.byteLength(line)).toBeLessThan(4_096);
  const { path } = entryOf(line) as RequestEntry;
  expect(path.length).toBeGreaterThan(100);
  expect(text.startsWith(path)).toBe(true);
});

test('several programs append to one private file; an incomplete line is skipped', async () => {
  const directory = temporaryDirectory();
  const ledgers = [1, 2, 3].map(() => new Ledger(directory, { keepDays: () => 7, now: () => noon }));
  for (const [at, ledger] of ledgers.entries()) for (let i = 0; i < 20; i++) ledger.add(request({ durationMs: at }));
  expect(await read(directory)).toEqual([]);
  for (const ledger of ledgers) ledger.close();
  const [file = ''] = readdirSync(join(directory, 'ledger'));
  expect(file).toBe('2026-11-22.jsonl');
  if (process.platform !== 'win32')
    expect(
      [join(directory, 'ledger'), join(directory, 'ledger', file)].map((path) => statSync(path).mode & 0o777),
    ).toEqual([0o700, 0o600]);
  appendFileSync(join(directory, 'ledger', file), '{"time":"2026-11-22T12');
  const entries = await read(directory);
  expect(
    [0, 1, 2].map((one) => entries.filter((entry) => entry.kind === 'request' && entry.durationMs === one).length),
  ).toEqual([20, 20, 20]);
  expect(await read(directory, noon + 1)).toEqual([]);
});

test('old days are removed; with 0 days nothing is written and no file is kept', async () => {
  const directory = temporaryDirectory();
  let now = noon;
  let days = 2;
  const ledger = new Ledger(directory, { keepDays: () => days, now: () => now });
  const write = (): void => {
    ledger.add(request({ at: now }));
    ledger.flush();
  };
  for (let day = 0; day < 5; day++, now += dayMs) write();
  writeFileSync(join(directory, 'ledger', 'mine.txt'), 'kept');
  expect(readdirSync(join(directory, 'ledger'))).toEqual([
    '2026-11-24.jsonl',
    '2026-11-25.jsonl',
    '2026-11-26.jsonl',
    'mine.txt',
  ]);
  days = 0;
  write();
  expect(readdirSync(join(directory, 'ledger'))).toEqual(['mine.txt']);
  const none = temporaryDirectory();
  const off = new Ledger(none, { keepDays: () => 0 });
  off.add(request());
  off.close();
  expect(readdirSync(none)).toEqual([]);
});

test('lines that the disk refuses are counted, and the count is written once that is possible', async () => {
  const directory = temporaryDirectory();
  const ledger = new Ledger(directory, { keepDays: () => 7, now: () => noon });
  mkdirSync(join(directory, 'ledger', '2026-11-22.jsonl'), { recursive: true });
  chmodSync(join(directory, 'ledger'), 0o700);
  for (let i = 0; i < 3; i++) ledger.add(request());
  ledger.flush();
  rmSync(join(directory, 'ledger'), { recursive: true });
  ledger.add(request());
  ledger.flush();
  expect(await read(directory)).toEqual([{ kind: 'lost', at: noon, count: 3 }, request()]);
  ledger.add(request());
  ledger.close();
  expect(readFileSync(join(directory, 'ledger', '2026-11-22.jsonl'), 'utf8').match(/"lost"/g)).toHaveLength(1);
});

test.skipIf(process.platform === 'win32')('a pipe in place of a file is passed over, and not waited for', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'ledger'));
  pipeIn(join(directory, 'ledger'), '2026-11-22.jsonl');
  const begun = performance.now();
  expect(await read(directory)).toEqual([]);
  // `pipeIn` lets a reader go after five seconds.
  expect(performance.now() - begun).toBeLessThan(4_000);
});
