/** Opens an archive as a session, for the chat and for commands: it reads, writes nothing, and makes no request. */

import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ApiError } from '../../api/errors.ts';
import { yieldToEventLoop } from '../../api/http/yield-to-event-loop.ts';
import { createLazyClient } from '../../api/lazy-client.ts';
import { type Session, type SessionOptions, storedData } from '../../session.ts';
import type { RecordChange } from '../../state/local/records.ts';
import { createAppStore, initialState } from '../../state/store.ts';
import { type ArchiveFacts, openArchive } from '../../storage/cache/archive-file.ts';
import type { CacheStore } from '../../storage/cache/memory-cache.ts';
import { memoryOutbox } from '../../storage/outbox/memory.ts';
import { createArchiveEngine } from '../../sync/engine/archive-engine.ts';
import { beginLoading } from '../../sync/poll/list/load-cached.ts';
import { systemClock } from '../../sync/services/clock.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import { listed } from './entries.ts';
import { type ArchiveText, loadArchives } from './load-archive.ts';

/** An archive that is open. */
interface Opened {
  readonly cache: CacheStore;
  readonly facts: ArchiveFacts;
}

/**
 * Rejects with ExitError where the file is no archive, or is damaged.
 *
 * @param path of a file of `export` or `import`, or of a folder into which `export` wrote a file for each conversation
 */
export async function archiveToOpen(path: string): Promise<ChatAccount> {
  const opened = await openFile(path);
  return {
    label: basename(path),
    server: opened.facts.server,
    token: { read: () => Promise.reject(noServer) },
    dataDirectory: '',
    cacheDirectory: '',
    insecureHttp: false,
    open: (options) => archiveSession(basename(path), opened, options),
  };
}

async function openFile(path: string): Promise<Opened> {
  try {
    const stats = statSync(path);
    const files = stats.isDirectory() ? filesIn(path) : [path];
    // A pipe, as from <(zcat chat.jsonl.gz), gives its bytes only once, and holds no database.
    const isDatabase = stats.isFile() && firstBytes(path).toString('latin1').startsWith('SQLite format 3');
    if (isDatabase) return openArchive(path);
    const { cache, facts } = await loadArchives(readEach(files), null);
    return { cache, facts };
  } catch (error) {
    if (error instanceof ExitError) throw error;
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : messageOf(error);
    throw new ExitError(exitCodes.failure, `--archive ${path}: ${why}`);
  }
}

function filesIn(folder: string): readonly string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  if (files.length > 0) return files.sort().map((name) => join(folder, name));
  throw new ExitError(
    exitCodes.failure,
    `--archive ${folder}: no file in this folder ends with .jsonl; write them with msg-tui export --format jsonl`,
  );
}

/** One file is open at a time. */
function* readEach(files: readonly string[]): Generator<ArchiveText> {
  for (const name of files) yield { chunks: createReadStream(name), name };
}

function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(16);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}

const noServer = new ApiError({
  kind: 'aborted',
  outcome: 'not-applied',
  message: 'This is an archive: no server is asked',
});

/** Exported for tests. */
function archiveSession(label: string, { cache: file, facts }: Opened, { settings }: SessionOptions): Session {
  const cache = withoutServer(file);
  const outbox = memoryOutbox();
  outbox.saveRecords(recordsOf(file, facts));
  const view = { serverLabel: label, serverHost: new URL(facts.server).host, isArchive: true };
  const begun = initialState({ local: outbox.load(), view, ...(settings && { settings }) });
  const connection = { ...begun.view.connection, status: 'online', listComplete: true } as const;
  const loading = beginLoading(cache, { ...begun, view: { ...begun.view, connection } });
  const store = createAppStore(loading.state);
  let isClosed = false;
  const engine = createArchiveEngine({
    client: createLazyClient('', () => Promise.reject(noServer)),
    store,
    outbox,
    cache,
    clock: systemClock,
    random: Math.random,
    newUuid: randomUUID,
  });
  const load = (): Promise<void> => loading.finish(store, yieldToEventLoop, () => isClosed);
  return {
    store,
    engine,
    load,
    start: () => load().then(engine.start),
    takeSenderRole: () => null,
    ...storedData({ store, cache, opened: { outbox }, cachedAt: null }, () => isClosed),
    saveFormattedPage: () => undefined,
    record: () => undefined,
    flush: () => undefined,
    signIn: () => undefined,
    async close() {
      isClosed = true;
      await engine.stop();
      file.close();
    },
  };
}

/** The cache with the beginning of each history as unreachable: older messages cannot be fetched. */
function withoutServer(file: CacheStore): CacheStore {
  const reach: CacheStore['reach'] = (id) => {
    const { older, gaps } = file.reach(id);
    return { older: older === 'end' ? 'end' : 'unreachable', gaps };
  };
  return new Proxy(file, {
    get(target, name) {
      if (name === 'reach') return reach;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The local records of an archive: everything in it counts as read. */
function recordsOf(cache: CacheStore, { server, me, names }: ArchiveFacts): readonly RecordChange[] {
  const read = { messageId: null, at: Number.MAX_SAFE_INTEGER };
  const lines = listed({ server, me, names, cache }, null).map(({ id }): RecordChange => ['readLines', id, read]);
  const given = [...names].map(([id, name]): RecordChange => ['names', id, name]);
  return [...given, ...lines, ...(me === null ? [] : [['me', '', { ...me, isConfirmed: true }] as RecordChange])];
}
