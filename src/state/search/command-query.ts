/** Computes how well a command matches what is typed in the help or the palette. */
import { fold } from '../../text/search/find.ts';
import { matchLevel, type NameQuery, nameQuery } from '../../text/search/match.ts';
import { memoLast } from '../collections/memo.ts';
import { queryLimit } from './switcher-row.ts';

/** The query under a name of its own for `commands`, which may not import `text`. */
export type CommandQuery = NameQuery;

export const helpQuery = memoLast((typed: string): CommandQuery => nameQuery(typed.trimStart().slice(0, queryLimit)));

/** What a command is found by, folded (`find.ts`). */
export interface CommandNames {
  readonly title: string;
  /** Its id, and its slash name with the slash; of a setting its name and values. */
  readonly names: readonly string[];
  /** In each way in which they may be typed. */
  readonly keys: ReadonlySet<string>;
  /** What is typed for it alone, although it begins the names of others. */
  readonly own: readonly string[];
}

export const commandNames = (
  title: string,
  names: readonly string[],
  keys: readonly string[],
  own: readonly string[] = [],
): CommandNames => ({
  title: fold(title),
  names: names.map(fold),
  keys: new Set(keys.map(fold)),
  own,
});

/** A key is the best match, as nobody types its whole name for another reason. */
const keyLevel = 7;
const ownLevel = 8;
/** An id or a slash name matches by its beginning or by a part, not by single letters. */
const leastOfName = 3;

/** Higher is better; 0: not at all. */
export function commandLevel({ title, names, keys, own }: CommandNames, query: CommandQuery): number {
  if (own.includes(query.text)) return ownLevel;
  if (keys.has(query.text)) return keyLevel;
  let level = matchLevel(title, query);
  for (const name of names) {
    const named = matchLevel(name, query);
    if (named >= leastOfName && named > level) level = named;
  }
  return level;
}
