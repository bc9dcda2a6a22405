/** Opens the cache of an account to export it: as it is at this moment, while a chat may be writing to it. */
import type { AppState } from '../../state/model/app-state.ts';
import { readSnapshot } from '../../storage/cache/snapshot.ts';
import type { ArchiveSource } from './entries.ts';

export interface OpenSource extends ArchiveSource {
  close(): void;
}

/** @param state has the names and who the user is @throws StorageError */
export function openSource(cacheDirectory: string, server: string, { local }: AppState): OpenSource {
  const cache = readSnapshot(cacheDirectory);
  return { server, me: local.me, names: local.names, cache, close: () => cache.close() };
}
