/** Inspection of the two databases of a profile, which changes nothing. */
import { readdirSync } from 'node:fs';

export { type CacheContent, inspectCache } from './cache/inspect-cache.ts';
export { countUnsentIn, inspectOutbox, type OutboxContent, ownContentIn, unsentIn } from './outbox/inspect-outbox.ts';
export type { DatabaseCondition, DatabaseFacts } from './sqlite/inspect-database.ts';

/**
 * The names of damaged files that were put aside, of copies made before a migration, and of files that
 * an interrupted salvage left.
 */
export function filesAside(directory: string): readonly string[] {
  try {
    return readdirSync(directory).filter((name) =>
      /^(outbox|cache)\.(corrupt-|db\.(v\d+|salvaged|building))/.test(name),
    );
  } catch {
    return [];
  }
}
