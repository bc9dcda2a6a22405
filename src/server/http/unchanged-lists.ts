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

/** Characters of all texts that are kept, which take one or two bytes each. The oldest are forgotten first. */
const maximumCharacters = 32_000_000;

export function createUnchangedLists(people: People): UnchangedLists {
  const kept = new Map<string, Kept>();
  const texts = createTexts();
  return {
    find: async (key, version) => {
      const found = kept.get(key);
      if (found === undefined || found.version !== version) return null;
      const json = texts.get(key);
      if (found.lastActive.size > 0) {
        const now = await people.lastActive([...found.lastActive.keys()]);
        const isSame = now.every(({ id, last_active_at }) => found.lastActive.get(id) === last_active_at);
        if (!isSame || now.length !== found.lastActive.size) return null;
      }
      return { etag: found.etag, json };
    },
    keep: (key, version, { etag, json }, lastActive = nobody) => {
      kept.delete(key);
      kept.set(key, { version, etag, lastActive });
      texts.keep(key, json);
      const [oldest] = kept.keys();
      if (kept.size > maximumKept && oldest !== undefined) {
        kept.delete(oldest);
        texts.forget(oldest);
      }
    },
  };
}

function createTexts() {
  const texts = new Map<string, string>();
  let characters = 0;
  const forget = (key: string): void => {
    characters -= texts.get(key)?.length ?? 0;
    texts.delete(key);
  };
  return {
    get: (key: string): string | null => texts.get(key) ?? null,
    forget,
    keep: (key: string, text: string): void => {
      forget(key);
      texts.set(key, text);
      characters += text.length;
      for (const oldest of texts.keys()) {
        if (characters <= maximumCharacters) break;
        forget(oldest);
      }
    },
  };
}
