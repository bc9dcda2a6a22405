/**
 * Reactions as both files store them in JSON. The number of people whom the server does not name has the key `untold`
 * there, in files of every version, so that older and newer versions of the program read each other's files.
 */
import type { Reaction } from '../../protocol/types.ts';
import { isObject } from './sqlite-text.ts';

/** Most messages have no such number; their list is returned unchanged. */
export function storedReactions(reactions: readonly Reaction[]): readonly object[] {
  if (reactions.every(({ unnamed }) => unnamed === undefined)) return reactions;
  return reactions.map(({ unnamed, ...rest }) => (unnamed === undefined ? rest : { ...rest, untold: unnamed }));
}

/** Reads what `storedReactions` wrote. Entries of any other form are returned unchanged. */
export function reactionsFromStored(stored: readonly unknown[]): readonly unknown[] {
  if (!stored.some(hasStoredNumber)) return stored;
  return stored.map((one) => {
    if (!hasStoredNumber(one)) return one;
    const { untold, ...rest } = one;
    return { ...rest, unnamed: untold };
  });
}

const hasStoredNumber = (one: unknown): one is Readonly<Record<string, unknown>> =>
  isObject(one) && one.untold !== undefined;
