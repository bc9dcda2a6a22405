/**
 * Remembers the `ETag` of lists with the counter that the caller's data had then, so that a list that has not changed is
 * not read again. The counter does not count when the authors of messages were last active, which is a part of each
 * message; this is compared too.
 */
import type { WireList, WireMessage } from '../../protocol/wire.ts';
import type { Service } from '../rules/service.ts';

export interface Tags {
  /** The tag of a list if it is still right; null when it is not known. */
  valid(key: string, version: number): Promise<string | null>;
  /** @param body the list that the tag belongs to */
  keep(key: string, version: number, tag: string, body: unknown): void;
}

interface Kept {
  readonly version: number;
  readonly tag: string;
  /** When each author was last active, by the id of the author. */
  readonly activity: ReadonlyMap<string, unknown>;
}

/** Lists that are remembered. One takes a few hundred bytes. */
const maximumKept = 20_000;

export function createTags({ store }: Service): Tags {
  const kept = new Map<string, Kept>();
  return {
    valid: async (key, version) => {
      const found = kept.get(key);
      if (found === undefined || found.version !== version) return null;
      if (found.activity.size > 0) {
        const now = await store.people.lastActive([...found.activity.keys()]);
        const isSame = now.every(({ id, last_active_at }) => found.activity.get(id) === last_active_at);
        if (!isSame || now.length !== found.activity.size) return null;
      }
      return found.tag;
    },
    keep: (key, version, tag, body) => {
      kept.delete(key);
      kept.set(key, { version, tag, activity: activityOf(body as WireList<object>) });
      const [oldest] = kept.keys();
      if (kept.size > maximumKept && oldest !== undefined) kept.delete(oldest);
    },
  };
}

function activityOf({ data }: WireList<object>): ReadonlyMap<string, unknown> {
  const activity = new Map<string, unknown>();
  for (const item of data as readonly Partial<WireMessage>[]) {
    const { contact } = item;
    if (typeof contact?.id === 'string') activity.set(contact.id, contact.last_active_at);
  }
  return activity;
}
