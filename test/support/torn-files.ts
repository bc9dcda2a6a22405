/** Damages the files of an outbox in every way that a torn write, a bad sector or a clumsy hand does, and judges what opens. */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Op } from '../../src/state/state.ts';
import { StorageError } from '../../src/storage/errors.ts';
import { openOutbox } from '../../src/storage/outbox-open.ts';
import * as eg from './eg.ts';
import { scratchDirectory } from './scratch.ts';

const blockSize = 4096;

/** What lies on the disk while a program runs (or after it was killed), and what had been acknowledged by then. */
export interface Live {
  readonly file: Buffer;
  readonly log: Buffer;
  readonly uuids: readonly string[];
}

export type Damage =
  | { readonly kind: 'log cut'; readonly length: number }
  | { readonly kind: 'log bit' | 'file bit'; readonly bit: number }
  | { readonly kind: 'log block' | 'file block'; readonly block: number }
  | { readonly kind: 'file cut'; readonly length: number }
  | {
      readonly kind:
        | 'no log'
        | 'empty log'
        | 'empty file'
        | 'no file'
        | 'rubbish shm'
        | 'log of another file'
        | 'directory as file'
        | 'directory as log'
        | 'directory as shm';
    };

const words = (uuid: string): string => `words of ${uuid} ${'x'.repeat(200)}`;

const op = (uuid: string): Op =>
  eg.op({ kind: 'message.send', conversationId: 'c1', text: words(uuid) }, { uuid, created: 1 });

/** Half of the entries are in the file, the other half in its log alone. */
export function liveOutbox(entries: number): Live {
  return inDirectory((directory) => {
    const uuids = Array.from({ length: entries }, (_, index) => `u${index}`);
    const first = openOutbox(directory);
    for (const uuid of uuids.slice(0, entries / 2)) first.enqueue(op(uuid), null);
    first.close();
    const second = openOutbox(directory);
    for (const uuid of uuids.slice(entries / 2)) second.enqueue(op(uuid), null);
    const live = { file: readFileSync(pathIn(directory)), log: readFileSync(`${pathIn(directory)}-wal`), uuids };
    second.close();
    return live;
  });
}

const pathIn = (directory: string): string => join(directory, 'outbox.db');

function inDirectory<T>(work: (directory: string) => T): T {
  const directory = scratchDirectory('torn');
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What is wrong with how the damaged files open: null when they do as promised. */
export function judgeDamage(live: Live, damage: Damage): string | null {
  return inDirectory((directory) => {
    putDamaged(directory, live, damage);
    try {
      return judgeOpened(directory, live, damage);
    } catch (error) {
      // Refusing with a clear line is right where a directory lies in the way; nothing else may be refused.
      const isClear = error instanceof StorageError && damage.kind.startsWith('directory');
      return isClear ? null : `${JSON.stringify(damage)}: ${String(error)}`;
    }
  });
}

function judgeOpened(directory: string, live: Live, damage: Damage): string | null {
  const outbox = openOutbox(directory);
  const found = outbox.load().outbox;
  const { salvaged } = outbox.status;
  const wrong = ((): string | null => {
    const unknown = found.find(({ uuid }) => !live.uuids.includes(uuid));
    const isExact = damage.kind.startsWith('log') || damage.kind === 'no log' || damage.kind === 'empty log';
    if (unknown !== undefined && !damage.kind.startsWith('file')) return `${unknown.uuid} was never entered`;
    const inFile = live.uuids.slice(0, live.uuids.length / 2);
    const missing = inFile.filter((uuid) => !found.some((one) => one.uuid === uuid));
    // A damaged log may cost what stood in it alone; what had reached the file stays, whole and in order.
    if (isExact && missing.length > 0) return `${missing.join()} was in the file and is gone`;
    const uuids = found.map(({ uuid }) => uuid);
    const isPrefix = uuids.every((uuid, index) => uuid === live.uuids[index]);
    if (isExact && !isPrefix) return `${uuids.join()} is not what was entered, in order`;
    const changed = found.find(({ uuid, action }) => action.kind === 'message.send' && action.text !== words(uuid));
    if (isExact && changed !== undefined) return `the words of ${changed.uuid} have changed`;
    if (salvaged !== null && !isKept(salvaged.copy, directory, live, damage)) return 'the damaged file was not kept';
    return null;
  })();
  outbox.enqueue(op('later'), null);
  outbox.close();
  const again = openOutbox(directory);
  const isThere = again.load().outbox.some(({ uuid }) => uuid === 'later');
  again.close();
  const problem = wrong ?? (isThere ? null : 'what was entered afterwards is gone');
  return problem === null ? null : `${JSON.stringify(damage)}: ${problem}`;
}

function isKept(copy: string, directory: string, live: Live, damage: Damage): boolean {
  return inDirectory((other) => {
    putDamaged(other, live, damage);
    return copy.startsWith(directory) && readFileSync(copy).equals(readFileSync(pathIn(other)));
  });
}

function putDamaged(directory: string, live: Live, damage: Damage): void {
  const path = pathIn(directory);
  writeFileSync(path, live.file);
  writeFileSync(`${path}-wal`, live.log);
  switch (damage.kind) {
    case 'log cut':
      writeFileSync(`${path}-wal`, live.log.subarray(0, damage.length));
      break;
    case 'file cut':
      writeFileSync(path, live.file.subarray(0, damage.length));
      break;
    case 'log bit':
      writeFileSync(`${path}-wal`, flipped(live.log, damage.bit));
      break;
    case 'file bit':
      writeFileSync(path, flipped(live.file, damage.bit));
      break;
    case 'log block':
      writeFileSync(`${path}-wal`, zeroed(live.log, damage.block));
      break;
    case 'file block':
      writeFileSync(path, zeroed(live.file, damage.block));
      break;
    case 'no log':
      rmSync(`${path}-wal`);
      break;
    case 'empty log':
      writeFileSync(`${path}-wal`, '');
      break;
    case 'empty file':
      writeFileSync(path, '');
      break;
    case 'no file':
      rmSync(path);
      break;
    case 'rubbish shm':
      writeFileSync(`${path}-shm`, Buffer.alloc(32_768, 0x5a));
      break;
    case 'log of another file':
      withForeignLog(path);
      break;
    case 'directory as file':
      rmSync(path);
      mkdirSync(path);
      break;
    case 'directory as log':
      rmSync(`${path}-wal`);
      mkdirSync(`${path}-wal`);
      break;
    case 'directory as shm':
      mkdirSync(`${path}-shm`);
      break;
  }
}

function flipped(bytes: Buffer, bit: number): Buffer {
  const copy = Buffer.from(bytes);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
}

function zeroed(bytes: Buffer, block: number): Buffer {
  const copy = Buffer.from(bytes);
  const start = (block * blockSize) % copy.length;
  return copy.fill(0, start, Math.min(copy.length, start + blockSize));
}

function withForeignLog(path: string): void {
  inDirectory((other) => {
    const foreign = openOutbox(other);
    foreign.saveName('c9', 'somebody');
    copyFileSync(`${pathIn(other)}-wal`, `${path}-wal`);
    foreign.close();
  });
}
