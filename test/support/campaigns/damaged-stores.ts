/** Damages one file of a profile at one place, and starts: reads what a start reads, and writes what it writes. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCache } from '../../../src/storage/cache/open.ts';
import { openOutboxWithRole } from '../../../src/storage/outbox/role.ts';
import type { StorageError } from '../../../src/storage/sqlite/errors.ts';
import * as eg from '../builders/eg.ts';
import { scratchDirectory } from '../system/scratch.ts';

type Files = ReadonlyMap<string, Buffer>;

/** The files of a killed program: an outbox with learned capabilities, a cache with a list walk, and their journals. */
export function profileFiles(): Files {
  const directory = scratchDirectory('stores');
  try {
    const { outbox, close } = openOutboxWithRole(directory);
    outbox.saveRecords([['me', '', { contactId: 'p1', username: 'ann' }]]);
    outbox.saveRecords([['opened', '', 'c1']]);
    outbox.saveRecords([['capabilities', 'ownReactionsOnly', { value: true, at: 1, from: 'PUT /v1/messages/:id' }]]);
    outbox.saveRecords([['readLines', 'c1', { messageId: 'm1', at: 1 }]]);
    const cache = openCache(directory);
    for (let half = 0; half < 2; half++) {
      const ids = Array.from({ length: 30 }, (_, index) => `c${half * 30 + index}`);
      cache.saveConversations(ids.map((id) => eg.conversation({ id })));
      for (const id of ids)
        cache.saveMessages(id, [eg.message({ id: `m${id}`, conversationId: id, text: 'x'.repeat(99) })]);
      if (half === 0) cache.checkpoint();
    }
    cache.saveListReading({ endedAt: 1, count: 60 } as never);
    const names = readdirSync(directory).filter((name) => /^(outbox|cache)\.db(-wal|-journal)?$/.test(name));
    const files = new Map(names.map((name) => [name, readFileSync(join(directory, name))]));
    cache.close();
    close();
    return files;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What stopped the starts with `name` damaged at `count` places, one at a time; empty when nothing did. */
export const startsDamaged = (files: Files, name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => startDamaged(files, name, index, count)).filter((one) => one !== null);

/** What stopped the start with `name` damaged at the so many-th of `count` places; null when nothing did. */
function startDamaged(files: Files, name: string, index: number, count: number): string | null {
  const directory = scratchDirectory('stores');
  try {
    for (const [one, bytes] of files) writeFileSync(join(directory, one), bytes, { mode: 0o600 });
    const bytes = Buffer.from(files.get(name) ?? Buffer.alloc(0));
    const at = Math.floor((index * bytes.length) / count);
    // A flipped bit, a block of zeros, a cut, a few bytes of rubbish.
    if (index % 4 === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << (index % 8));
    if (index % 4 === 1) bytes.fill(0, at, Math.min(bytes.length, at + 4096));
    if (index % 4 === 3) bytes.fill(0x5a, at, Math.min(bytes.length, at + 16));
    writeFileSync(join(directory, name), index % 4 === 2 ? bytes.subarray(0, at) : bytes);
    start(directory);
    return null;
  } catch (error) {
    return `${name}, place ${index} of ${count}: ${String(error)}`;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Twice, as the second start finds what the first has made of it. */
function start(directory: string): void {
  for (let time = 0; time < 2; time++) {
    const { outbox, close } = openOutboxWithRole(directory);
    const troubles: StorageError[] = [];
    const cache = openCache(directory, { onTrouble: (error) => troubles.push(error) });
    const { readLines, me, capabilities } = outbox.load();
    if (capabilities.ownReactionsOnly !== undefined && capabilities.ownReactionsOnly.value !== true)
      throw new Error('a capability that was never learned');
    cache.listTop(20, readLines, me);
    cache.listAfter(null, 50, readLines, me);
    cache.contactsAfter(null, 50);
    cache.listReading();
    for (const id of ['c1', 'c45']) {
      cache.reach(id);
      cache.outline(id, 20);
      cache.history(id, 'newest', 20);
    }
    cache.saveConversations([eg.conversation({ id: 'later' })]);
    cache.saveMessages('later', [eg.message({ id: 'm1', conversationId: 'later' })]);
    const loss = troubles.find(({ kind, message }) => kind !== 'newer' && message.includes('in memory only'));
    if (loss !== undefined) throw new Error(`the cache is not kept: ${loss.message}`);
    outbox.saveRecords([['drafts', 'c1', eg.draft('words')]]);
    cache.close();
    close();
  }
}
