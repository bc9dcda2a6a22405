/** Inspects cache.db without changing it. */
import { join } from 'node:path';
import { count, inspect, type Store, type StoreFacts } from '../sqlite/inspect.ts';
import { findDamage } from '../sqlite/integrity.ts';
import { cacheMigrations } from './schema.ts';

export interface CacheContent {
  readonly conversations: number;
  readonly messages: number;
}

const cacheStore: Store<CacheContent> = {
  mayBeEmpty: true,
  migrations: cacheMigrations,
  damageOfFiles: () => null,
  damageOf: (database) => findDamage(database, cacheMigrations, 'quick_check'),
  read: (database) => ({ conversations: count(database, 'conversations'), messages: count(database, 'messages') }),
};

/** Never throws. */
export const inspectCache = (directory: string, isInUse: boolean): StoreFacts<CacheContent> =>
  inspect(join(directory, 'cache.db'), isInUse, cacheStore);
