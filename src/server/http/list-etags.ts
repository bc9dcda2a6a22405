/**
 * Remembers the `ETag` of lists with the counter that the caller's data had then, so that a list that has not changed is
 * not read again. The counter does not change when the author of a message becomes active, although each message has that
 * time; so these times are compared too.
 */
import type { Service } from '../rules/service.ts';

export interface Tags {
  /** The tag of a list if the list has not changed; null when that is not known. */
  valid(key: string, version: number): Promise<string | null>;
  /** @param lastActive when each author in the list was last active, by the id of the author */
  keep(key: string, version: number, tag: string, lastActive?: LastActive): void;
}

type LastActive = ReadonlyMap<string, number | null>;

interface Kept {
  readonly version: number;
  readonly tag: string;
  readonly lastActive: LastActive;
}

const nobody: LastActive = new Map();

/** Lists that are remembered. One takes a few hundred bytes. */
const maximumKept = 20_000;

export function createTags({ store }: Service): Tags {
  const kept = new Map<string, Kept>();
  return {
    valid: async (key, version) => {
      const found = kept.get(key);
      if (found === undefined || found.version !== version) return null;
      if (found.lastActive.size > 0) {
        const now = await store.people.lastActive([...found.lastActive.keys()]);
        const isSame = now.every(({ id, last_active_at }) => found.lastActive.get(id) === last_active_at);
        if (!isSame || now.length !== found.lastActive.size) return null;
      }
      return found.tag;
    },
    keep: (key, version, tag, lastActive = nobody) => {
      kept.delete(key);
      kept.set(key, { version, tag, lastActive });
      const [oldest] = kept.keys();
      if (kept.size > maximumKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}
