/**
 * Finds the conversation, person or message with a typed name: rules are applied one after the other until one finds
 * anything.
 */
import { sanitizeName } from '../../text/safe/sanitize.ts';

export type Match<T> =
  | { readonly kind: 'one'; readonly item: T }
  | { readonly kind: 'several'; readonly items: readonly T[] }
  | { readonly kind: 'none' };

export type Rule<T> = (item: T) => boolean;

export function firstMatch<T>(items: readonly T[], rules: readonly Rule<T>[]): Match<T> {
  for (const rule of rules) {
    const found = items.filter(rule);
    const [first] = found;
    if (first === undefined) continue;
    return found.length === 1 ? { kind: 'one', item: first } : { kind: 'several', items: found };
  }
  return { kind: 'none' };
}

/** The fewest characters of the beginning of an id: a shorter word is more likely a misspelled name. */
export const leastPrefix = 4;

/**
 * Shorter ids are not found by their beginning: on a server that counts, 1234 is the whole id of one message and the beginning
 * of that of another.
 */
const leastAbbreviated = 16;

/** Whether `typed` is the beginning of an id that is long enough to be given by it. Ids are case-sensitive. */
export const isPrefixOf = (typed: string, id: string): boolean =>
  typed.length >= leastPrefix && id.length >= leastAbbreviated && id.startsWith(typed);

/** Gives texts that look the same one form: NFC, and single spaces between the words. */
export const normalName = (name: string): string => name.normalize('NFC').replace(/\s+/gu, ' ').trim();

/** The name for comparison without regard to case, also in scripts in which a letter becomes two (`ß`, `SS`). */
export const foldedName = (name: string): string => normalName(name).toUpperCase().toLowerCase();

/** As `foldedName`, of the name as it is shown: without controls and characters that cannot be seen. */
export const shownName = (name: string): string => foldedName(sanitizeName(name));

/** A shorter beginning of an id could be that of an id that comes later, too. */
const shortestBeginning = 8;

/** The shortest beginning of an id that no other one has. Returns the whole id if that is short. */
export function shortestPrefix(id: string, others: readonly string[]): string {
  if (id.length < leastAbbreviated) return id;
  let length = shortestBeginning;
  for (const other of others) {
    if (other === id) continue;
    let same = 0;
    while (same < id.length && id[same] === other[same]) same++;
    length = Math.max(length, same + 1);
  }
  return id.slice(0, length);
}
