/** Inspects outbox.db without changing it, for a start and for `doctor`. */
import { join } from 'node:path';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import { countAllUnsent } from '../../state/local/unsent-text.ts';
import type { Me } from '../../state/model/app-state.ts';
import type { Database } from '../sqlite/driver.ts';
import { count, inspect, type Store, type StoreFacts } from '../sqlite/inspect.ts';
import { findFileDamage, findOutboxDamage } from './integrity.ts';
import { readLocal, readRecords } from './records.ts';
import { outboxMigrations } from './schema.ts';

export interface OutboxContent {
  readonly queued: number;
  readonly sending: number;
  readonly unsure: number;
  readonly failed: number;
  readonly drafts: number;
  /** Records that could not be understood. */
  readonly setAside: number;
  readonly me: Me | null;
  readonly capabilities: ServerCapabilities;
}

const outboxStore: Store<OutboxContent> = {
  // A file without tables is damaged, as msg-tui never leaves an outbox without them.
  mayBeEmpty: false,
  migrations: outboxMigrations,
  damageOfFiles: findFileDamage,
  damageOf: findOutboxDamage,
  read: outboxContent,
};

/** Never throws. `isInUse`: a process is, or may be, the sender of the profile. */
export const inspectOutbox = (directory: string, isInUse: boolean): StoreFacts<OutboxContent> =>
  inspect(join(directory, 'outbox.db'), isInUse, outboxStore);

/** Inspects a file that may replace outbox.db. Never throws. */
export const inspectOutboxFile = (path: string): StoreFacts<OutboxContent> => inspect(path, false, outboxStore);

/** Counts the texts that were not sent, in a file of an earlier version too. 0 where it cannot be read; never throws. */
export const countUnsentIn = (directory: string): number =>
  inspect(join(directory, 'outbox.db'), false, {
    ...outboxStore,
    read: (database) => countAllUnsent(readLocal(database).local),
  }).content ?? 0;

function outboxContent(database: Database): OutboxContent {
  const ops = database.prepare('SELECT state, count(*) AS count FROM ops GROUP BY state').all();
  const inState = (state: string): number => Number(ops.find((row) => row.state === state)?.count ?? 0);
  const { drafts, me, capabilities } = readRecords(database, ['drafts', 'me', 'capabilities']).local;
  return {
    queued: inState('queued'),
    sending: inState('sending'),
    unsure: inState('unsure'),
    failed: inState('failed'),
    drafts: [...drafts.values()].filter(({ text }) => text !== '').length,
    setAside: count(database, 'set_aside'),
    me,
    capabilities,
  };
}
