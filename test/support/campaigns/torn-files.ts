/** Damages the files of an outbox in every way that a torn write, a bad sector or a clumsy hand does, and judges what opens. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Op } from '../../../src/state/model/app-state.ts';
import { inspectOutbox } from '../../../src/storage/inspect.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { insertOp } from '../../../src/storage/outbox/rows.ts';
import { type Database, inTransaction, openDatabase, statementCache } from '../../../src/storage/sqlite/driver.ts';
import { StorageError } from '../../../src/storage/sqlite/errors.ts';
import * as eg from '../builders/eg.ts';
import { scratchDirectory } from '../system/scratch.ts';

const blockSize = 4096;

/** `file` is outbox.db, the others are named after what follows `outbox.db`. */
export type FileName = 'file' | 'journal' | 'wal';

/** What a program that was killed has left on the disk, and the words that were durable by then. */
export interface Left {
  readonly files: Readonly<Partial<Record<FileName, Buffer>>>;
  readonly uuids: readonly string[];
  /** Of a transaction that was under way. */
  readonly unconfirmed: readonly string[];
}

export type Damage = { readonly of: FileName } & (
  | { readonly kind: 'cut'; readonly length: number }
  | { readonly kind: 'bit'; readonly bit: number }
  | { readonly kind: 'zeros' | 'rubbish'; readonly from: number }
  | { readonly kind: 'removed' | 'directory' }
);

const words = (uuid: string): string => `words of ${uuid} ${'x'.repeat(200)}`;

const sendOp = (uuid: string): Op =>
  eg.op({ kind: 'message.send', conversationId: 'c1', text: words(uuid) }, { uuid, created: 1 });

const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

const pathIn = (directory: string): string => join(directory, 'outbox.db');
const pathOf = (directory: string, name: FileName): string =>
  name === 'file' ? pathIn(directory) : `${pathIn(directory)}-${name}`;

function inDirectory<T>(work: (directory: string) => T): T {
  const directory = scratchDirectory('torn');
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function filesIn(directory: string): Left['files'] {
  const isFile = (name: FileName): boolean =>
    statSync(pathOf(directory, name), { throwIfNoEntry: false })?.isFile() === true;
  const names = (['file', 'journal', 'wal'] as const).filter(isFile);
  return Object.fromEntries(names.map((name) => [name, readFileSync(pathOf(directory, name))]));
}

/** Killed between two transactions. */
export function killedAtRest(count: number): Left {
  return inDirectory((directory) => {
    const uuids = numbered('u', count);
    const outbox = openOutbox(directory);
    for (const uuid of uuids) outbox.enqueue(sendOp(uuid), null);
    const files = filesIn(directory);
    outbox.close();
    return { files, uuids, unconfirmed: [] };
  });
}

/** Killed in the middle of a transaction, some of whose pages had reached the file. */
export function killedInside(count: number): Left {
  return inDirectory((directory) => {
    const uuids = numbered('u', count);
    const unconfirmed = numbered('half', 40);
    const outbox = openOutbox(directory);
    for (const uuid of uuids) outbox.enqueue(sendOp(uuid), null);
    outbox.close();
    const database = openDatabase(pathIn(directory));
    // A small memory makes SQLite write pages before the end.
    database.exec('PRAGMA journal_mode = PERSIST; PRAGMA cache_size = 3; BEGIN IMMEDIATE');
    const prepare = statementCache(database);
    for (const uuid of unconfirmed) insertOp(prepare, sendOp(uuid));
    const files = filesIn(directory);
    database.close();
    return { files, uuids, unconfirmed };
  });
}

/** Left by an earlier version, which kept a write-ahead log: half of the words are in the log alone. */
export function killedWithLog(count: number): Left {
  return inDirectory((directory) => {
    const uuids = numbered('u', count);
    openOutbox(directory).close();
    const database = openDatabase(pathIn(directory));
    database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
    for (const uuid of uuids.slice(0, count / 2)) insertAlone(database, uuid);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    for (const uuid of uuids.slice(count / 2)) insertAlone(database, uuid);
    const files = filesIn(directory);
    database.close();
    return { files, uuids, unconfirmed: [] };
  });
}

const insertAlone = (database: Database, uuid: string): void =>
  inTransaction(database, () => void insertOp((sql) => database.prepare(sql), sendOp(uuid)));

/** Nothing shows that words ever were in an earlier version's log once its end or all of it is gone. */
const isTraceless = ({ files }: Left, { of, kind }: Damage): boolean =>
  (of === 'wal' && (kind === 'cut' || kind === 'removed')) ||
  (of === 'file' && kind === 'removed' && files.wal === undefined && (files.journal?.length ?? 0) === 0);

/** What is wrong with how the damaged files are judged and open: null when they do as promised. */
export function judgeDamage(left: Left, damage: Damage): string | null {
  return inDirectory((directory) => {
    putDamaged(directory, left, damage);
    try {
      const problem = judgeOpened(directory, left, damage);
      return problem === null ? null : `${JSON.stringify(damage)}: ${problem}`;
    } catch (error) {
      // Refusing with a clear line is right where a directory is in the way; nothing else may be refused.
      const isClear = error instanceof StorageError && damage.kind === 'directory';
      return isClear ? null : `${JSON.stringify(damage)}: ${String(error)}`;
    }
  });
}

function judgeOpened(directory: string, left: Left, damage: Damage): string | null {
  const before = filesIn(directory);
  const { condition } = inspectOutbox(directory, false);
  const looked = filesIn(directory);
  const outbox = openOutbox(directory);
  const found = new Map(outbox.load().outbox.map(({ uuid, action }) => [uuid, 'text' in action ? action.text : '']));
  const { salvaged } = outbox.status;
  const durable = isTraceless(left, damage) ? [] : left.uuids;
  const missing = durable.filter((uuid) => found.get(uuid) !== words(uuid));
  outbox.enqueue(sendOp('later'), null);
  outbox.close();
  const again = openOutbox(directory);
  const isThere = again.load().outbox.some(({ uuid }) => uuid === 'later') && again.status.salvaged === null;
  again.close();
  if (!isSame(before, looked)) return 'the look has changed a file';
  // The last transaction of a damaged log cannot be distinguished from one that was never completed.
  const isReported = salvaged !== null || (damage.of === 'wal' && missing.join() === left.uuids.at(-1));
  if (!isReported && missing.length > 0) return `${missing.join()} went without a word (looked: ${condition})`;
  if (salvaged !== null && !isKept(salvaged.copy, before)) return 'the damaged files were not kept';
  if (condition === 'whole' && salvaged !== null) return 'the look took it for whole';
  const unknown = [...found.keys()].find((uuid) => ![...left.uuids, ...left.unconfirmed].includes(uuid));
  if (unknown !== undefined && damage.of !== 'file') return `${unknown} was never entered`;
  if (damage.of === 'wal' && left.unconfirmed.some((uuid) => found.has(uuid))) return 'what was undone is there';
  return isThere ? null : 'what was entered afterwards is gone';
}

const isSame = (one: Left['files'], other: Left['files']): boolean =>
  (['file', 'journal', 'wal'] as const).every(
    (name) => one[name] === other[name] || (other[name] !== undefined && one[name]?.equals(other[name]) === true),
  );

/** Of a file that was missing what lay beside it. */
function isKept(copy: string, before: Left['files']): boolean {
  const suffix = before.file !== undefined ? 'file' : before.wal !== undefined ? 'wal' : 'journal';
  const bytes = before[suffix];
  return bytes !== undefined && readFileSync(copy).equals(bytes);
}

function putDamaged(directory: string, left: Left, damage: Damage): void {
  for (const [name, bytes] of Object.entries(left.files) as [FileName, Buffer][])
    writeFileSync(pathOf(directory, name), bytes);
  const path = pathOf(directory, damage.of);
  const bytes = left.files[damage.of] ?? Buffer.alloc(0);
  if (damage.kind === 'cut') writeFileSync(path, bytes.subarray(0, damage.length));
  else if (damage.kind === 'bit') writeFileSync(path, flipped(bytes, damage.bit));
  else if (damage.kind === 'zeros') writeFileSync(path, overwritten(bytes, damage.from, 0));
  else if (damage.kind === 'rubbish') writeFileSync(path, overwritten(bytes, damage.from, 0xa5));
  else rmSync(path, { force: true });
  if (damage.kind === 'directory') mkdirSync(path);
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
}

/** With zeros, or with bytes that depend on their place. */
function overwritten(bytes: Buffer, from: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  const end = Math.min(copy.length, from + blockSize);
  for (let at = from; at < end; at++) copy[at] = value === 0 ? 0 : (at * 167 + value) & 0xff;
  return copy;
}

/** So many damages of one file, spread over it: each kind a quarter of them, and those of the file as a whole. */
export function damagesOf(left: Left, of: FileName, count: number): readonly Damage[] {
  const size = left.files[of]?.length ?? 0;
  const each = Math.ceil(count / 4);
  const spread = (end: number): readonly number[] =>
    Array.from({ length: each }, (_, index) => Math.floor(((index + 0.37) * end) / each));
  return [
    ...spread(size).map((length): Damage => ({ of, kind: 'cut', length })),
    // A prime step spreads the bits over all places in a byte.
    ...spread(size * 8).map((bit): Damage => ({ of, kind: 'bit', bit: (bit * 104_729) % (size * 8) })),
    ...spread(size).map((from): Damage => ({ of, kind: 'zeros', from: from - (from % blockSize) })),
    ...spread(size).map((from): Damage => ({ of, kind: 'rubbish', from })),
    ...[0, 1, 50].map((length): Damage => ({ of, kind: 'cut', length })),
    { of, kind: 'removed' },
    { of, kind: 'directory' },
  ];
}
