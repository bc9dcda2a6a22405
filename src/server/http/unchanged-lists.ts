/**
 * Remembers lists with the counter that the caller's data had then, so that a list that has not changed is not read again.
 * The counter does not change when the author of a message becomes active, although each message has that time; so these
 * times are compared too.
 */
import type { Service } from '../rules/service.ts';

export interface UnchangedLists {
  /** The list if it has not changed; null when that is not known. */
  find(key: string, version: number): Promise<{ readonly tag: string; readonly json: string | null } | null>;
  /** @param lastActive when each author in the list was last active, by the id of the author */
  keep(
    key: string,
    version: number,
    list: { readonly tag: string; readonly json: string },
    lastActive?: LastActive,
  ): void;
}

type LastActive = ReadonlyMap<string, number | null>;

interface Kept {
  readonly version: number;
  readonly tag: string;
  readonly lastActive: LastActive;
}

const nobody: LastActive = new Map();

/** Lists that are remembered. Without its text, one takes a few hundred bytes. */
const maximumKept = 20_000;

/** Characters of all texts that are kept, which take one or two bytes each. The oldest are forgotten first. */
const maximumCharacters = 32 * 1024 * 1024;

export function createUnchangedLists({ store }: Service): UnchangedLists {
  const kept = new Map<string, Kept>();
  const texts = createTexts();
  return {
    find: async (key, version) => {
      const found = kept.get(key);
      if (found === undefined || found.version !== version) return null;
      const json = texts.get(key);
      if (found.lastActive.size > 0) {
        const now = await store.people.lastActive([...found.lastActive.keys()]);
        const isSame = now.every(({ id, last_active_at }) => found.lastActive.get(id) === last_active_at);
        if (!isSame || now.length !== found.lastActive.size) return null;
      }
      return { tag: found.tag, json };
    },
    keep: (key, version, { tag, json }, lastActive = nobody) => {
      kept.delete(key);
      kept.set(key, { version, tag, lastActive });
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
