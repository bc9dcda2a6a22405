/** Opens the cache of an account to export it: as it is at this moment, while a chat may be writing to it. */
import { policyOf } from '../../protocol/server-policy.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { readSnapshot } from '../../storage/cache/snapshot.ts';
import { newestUnreachable } from '../../sync/poll/thread/backfill.ts';
import type { ArchiveSource, Missing } from './entries.ts';

export interface OpenSource extends ArchiveSource {
  close(): void;
}

/**
 * @param state has the names, who the user is, and what the server does not give
 * @param isAsked the server was asked in this run for what is exported
 * @throws StorageError
 */
export function openSource(cacheDirectory: string, server: string, state: AppState, isAsked: boolean): OpenSource {
  const { me, names } = state.local;
  const cache = readSnapshot(cacheDirectory);
  const missing = missingOf(state, cache.listReading() !== null, isAsked);
  return { server, me, names, cache, missing, close: () => cache.close() };
}

/** @param isListKnown some run has read the conversation list to its end */
function missingOf({ local, view }: AppState, isListKnown: boolean, isAsked: boolean): Missing {
  const { failures, listComplete, listRest } = view.connection;
  const mayBeCut = policyOf(local.capabilities).leavesOutNewestMessages && !isAsked;
  return {
    list: listRest === 'missing' ? 'missing' : listComplete || isListKnown ? 'none' : 'unread',
    newestOf: (id) => (failures.get(id) === newestUnreachable ? 'unreachable' : mayBeCut ? 'unknown' : 'reached'),
  };
}
