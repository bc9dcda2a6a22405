/**
 * Strings, JSON and reactions in SQLite text columns. NUL and lone surrogates are escaped, as SQLite would cut or
 * change them.
 */
import { isObject } from '../../protocol/fields.ts';
import type { Reaction } from '../../protocol/types.ts';

const mark = '\u0001';
const isOdd = (text: string): boolean => text.startsWith(mark) || text.includes('\0') || !text.isWellFormed();

export function toColumn(text: string): string {
  return isOdd(text) ? mark + JSON.stringify(text) : text;
}

/** A damaged column is returned unchanged, so that it cannot prevent a start. */
export function fromColumn(column: string): string {
  if (!column.startsWith(mark)) return column;
  try {
    const text: unknown = JSON.parse(column.slice(1));
    return typeof text === 'string' ? text : column;
  } catch {
    return column;
  }
}

/** The parsed value; undefined when the text is not JSON, which is no error here. */
export function tryParseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * The key of `Reaction.unnamed` in stored JSON. It is an earlier name of that field, and stays: other versions of the program
 * read the same files.
 */
const storedName = 'untold';

/**
 * The form in which cache.db and outbox.db store reactions. Where the server has named everybody who reacted, as it mostly
 * does, the list is returned unchanged.
 */
export function storedReactions(reactions: readonly Reaction[]): readonly object[] {
  if (reactions.every(({ unnamed }) => unnamed === undefined)) return reactions;
  return reactions.map(({ unnamed, ...rest }) => (unnamed === undefined ? rest : { ...rest, [storedName]: unnamed }));
}

/** Reads what `storedReactions` wrote. Entries of any other form are returned unchanged. */
export function reactionsFromStored(stored: readonly unknown[]): readonly unknown[] {
  if (!stored.some(hasStoredNumber)) return stored;
  return stored.map((one) => {
    if (!hasStoredNumber(one)) return one;
    const { [storedName]: unnamed, ...rest } = one;
    return { ...rest, unnamed };
  });
}

const hasStoredNumber = (one: unknown): one is Readonly<Record<string, unknown>> =>
  isObject(one) && one[storedName] !== undefined;
