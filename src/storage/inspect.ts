/** Inspection of the two stores of a profile, which changes nothing. */
import { readdirSync } from 'node:fs';

export { type CacheContent, inspectCache } from './cache/inspect.ts';
export { countUnsentIn, inspectOutbox, type OutboxContent, ownContentIn, unsentIn } from './outbox/inspect.ts';
export type { StoreCondition, StoreFacts } from './sqlite/inspect.ts';

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
