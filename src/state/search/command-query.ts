/** How well a command matches what is typed in the help or the palette. */
import { fold } from '../../text/search/find.ts';
import { matchLevel, type Wanted, wantedOf } from '../../text/search/match.ts';
import { memoLast } from '../collections/memo.ts';
import { queryLimit } from './switcher-row.ts';

export type CommandQuery = Wanted;

export const helpQuery = memoLast((typed: string): CommandQuery => wantedOf(typed.trimStart().slice(0, queryLimit)));

export interface CommandNames {
  readonly id: string;
  readonly title: string;
  /** Without the slash. */
  readonly slash?: string;
  /** Its keys, in each way in which they may be typed. */
  readonly keys: readonly string[];
}

/** A key is the best match, as nobody types its whole name for another reason. */
const keyLevel = 7;
/** An id or a slash name matches by its beginning or by a part, not by single letters. */
const leastOfName = 3;

/** Higher is better; 0: not at all. */
export function commandLevel({ id, title, slash, keys }: CommandNames, query: CommandQuery): number {
  if (keys.some((key) => fold(key) === query.text)) return keyLevel;
  const names = slash === undefined ? [id] : [id, `/${slash}`];
  const named = Math.max(...names.map((name) => matchLevel(fold(name), query)));
  return Math.max(matchLevel(fold(title), query), named < leastOfName ? 0 : named);
}
