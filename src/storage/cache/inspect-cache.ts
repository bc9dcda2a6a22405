/** Inspects cache.db without changing it: what it holds, and when it was last written, which is how old the copy may be. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { count, type DatabaseFacts, type InspectionRules, inspectDatabase } from '../sqlite/inspect-database.ts';
import { findDamage } from '../sqlite/integrity.ts';
import { cacheMigrations } from './schema.ts';

export interface CacheContent {
  readonly conversations: number;
  readonly messages: number;
}

const cacheStore: InspectionRules<CacheContent> = {
  mayBeEmpty: true,
  migrations: cacheMigrations,
  damageOfFiles: () => null,
  damageOf: (database) => findDamage(database, cacheMigrations, 'quick_check'),
  read: (database) => ({ conversations: count(database, 'conversations'), messages: count(database, 'messages') }),
};

/** Never throws. */
export const inspectCache = (directory: string, isInUse: boolean): DatabaseFacts<CacheContent> =>
  inspectDatabase(join(directory, 'cache.db'), cacheStore, { isInUse });

/** Null where there is no cache yet. To be called before the cache is opened, which may write. */
export function cacheLastWritten(directory: string): number | null {
  const times = ['cache.db', 'cache.db-wal'].map((name) => timeOf(join(directory, name)));
  return Math.max(...times) || null;
}

function timeOf(path: string): number {
  try {
    const stats = statSync(path);
    // Opening creates an empty log.
    return stats.size === 0 ? 0 : stats.mtimeMs;
  } catch {
    return 0;
  }
}
