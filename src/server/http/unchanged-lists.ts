/**
 * Remembers lists with the counter that the caller's data had then, so that a list that has not changed is not read again.
 * The counter does not change when the author of a message becomes active, although each message has that time; so these
 * times are compared too.
 */
import type { Service } from '../rules/service.ts';

type People = Pick<Service['store']['people'], 'lastActive'>;

export interface UnchangedLists {
  /**
   * Resolves to the list if it has not changed; `json` is null where only its `ETag` is remembered. Resolves to null when
   * it is not known whether the list has changed.
   */
  find(key: string, version: number): Promise<{ readonly etag: string; readonly json: string | null } | null>;
  /**
   * Remembers the `ETag` of the list, and the list itself from the second time on; neither for a query of unusual length.
   *
   * @param key the caller, the address and the query
   * @param version the counter, read before the list
   * @param lastActive when each author in the list was last active (Unix seconds), by the id of the author
   */
  keep(key: string, version: number, list: List, lastActive?: LastActive): void;
}

interface List {
  readonly etag: string;
  /** The body of the answer. */
  readonly json: string;
}

type LastActive = ReadonlyMap<string, number | null>;

interface Kept {
  readonly version: number;
  readonly etag: string;
  readonly lastActive: LastActive;
}

const nobody: LastActive = new Map();

/** Lists that are remembered. Without its text, one takes a few hundred bytes. */
const maximumKept = 20_000;

/** A list with a longer key is not remembered: names, ids and numbers are short, and only padding makes a query long. */
const longestKey = 300;

/** Characters of all texts that are kept, which take one or two bytes each. */
const maximumCharacters = 32_000_000;

export function createUnchangedLists(people: People): UnchangedLists {
  const kept = createMemory<Kept>(maximumKept, () => 1);
  const texts = createMemory<List>(maximumCharacters, ({ json }) => json.length);
  return {
    find: async (key, version) => {
      const found = kept.get(key);
      if (found === undefined || found.version !== version) return null;
      const text = texts.get(key);
      // A text may be remembered for longer than the list that it was the text of.
      const json = text?.etag === found.etag ? text.json : null;
      if (found.lastActive.size > 0) {
        const now = await people.lastActive([...found.lastActive.keys()]);
        const isSame = now.every(({ id, last_active_at }) => found.lastActive.get(id) === last_active_at);
        if (!isSame || now.length !== found.lastActive.size) return null;
      }
      return { etag: found.etag, json };
    },
    keep: (key, version, { etag, json }, lastActive = nobody) => {
      if (key.length > longestKey) return;
      const isAskedAgain = kept.get(key) !== undefined;
      kept.set(key, { version, etag, lastActive });
      // Many pages are asked for only once, such as those of older messages, and their texts would take most of the room.
      if (isAskedAgain) texts.set(key, { etag, json });
    },
  };
}

/**
 * Remembers what was used last, up to this size in all. It forgets the older half at once: to find its oldest key, a `Map` goes
 * over all that were deleted before.
 */
function createMemory<Value>(maximumSize: number, sizeOf: (value: Value) => number) {
  let recent = new Map<string, Value>();
  let earlier = new Map<string, Value>();
  let size = 0;
  const set = (key: string, value: Value): void => {
    const before = recent.get(key);
    size += sizeOf(value) - (before === undefined ? 0 : sizeOf(before));
    recent.set(key, value);
    if (size < maximumSize / 2) return;
    earlier = recent;
    recent = new Map();
    size = 0;
  };
  return {
    set,
    get: (key: string): Value | undefined => {
      const found = recent.get(key);
      if (found !== undefined) return found;
      const older = earlier.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
  };
}
