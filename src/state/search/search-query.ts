/**
 * Parses a search: words, "phrases", and operators (`from:ann`, `in:crew`, `has:link`, `is:pinned`, `after:monday`).
 * A minus before any of them means that it must not hold.
 */

import { fold } from '../../text/search/find.ts';
import { parseTypedDate } from '../../text/typed-date.ts';

/** The values that `has:` and `is:` take. */
const choices = { has: ['link', 'file', 'code'], is: ['mine', 'pinned', 'unread'] } as const;

export type SearchCondition = {
  readonly isNegated: boolean;
} & ( // Names are folded (`find.ts`) and have no sign in front, as in @somebody and #group.
  | { readonly kind: 'from'; readonly name: string }
  | { readonly kind: 'in'; readonly name: string }
  | { readonly kind: 'has'; readonly part: (typeof choices.has)[number] }
  | { readonly kind: 'is'; readonly state: (typeof choices.is)[number] }
  | { readonly kind: 'before' | 'after' /** as `parseTypedDate` reads it */; readonly day: string }
);

export interface SearchQuery {
  /** Words and phrases that a text has to hold, folded. */
  readonly words: readonly string[];
  /** Words and phrases that it must not hold, folded. */
  readonly without: readonly string[];
  readonly conditions: readonly SearchCondition[];
  /** What is wrong with an operator, for the user; null where nothing is. A search with a problem finds nothing. */
  readonly problem: string | null;
  /** Equal for searches that find the same; empty for one that names nothing to find. */
  readonly identity: string;
}

/**
 * A part: a minus, an operator, and a value, which is in quotation marks if it holds blanks. Where the second mark is
 * missing, the value goes on to the end of the text.
 */
const part = /(-?)(?:(from|in|has|is|before|after):)?(?:"([^"]*)(?:"|$)|(\S+)|(?=\s|$))/giu;

export function parseSearch(typed: string): SearchQuery {
  const words = new Set<string>();
  const without = new Set<string>();
  const conditions: SearchCondition[] = [];
  let problem: string | null = null;
  for (const [whole, minus = '', operator, quoted, plain = ''] of typed.matchAll(part)) {
    const value = (quoted ?? plain).trim();
    const isNegated = minus !== '' && value !== '';
    if (operator === undefined) {
      // A single minus is a word. Nothing between quotation marks names nothing.
      const word = fold(whole === '-' ? '-' : value);
      if (word !== '') (isNegated ? without : words).add(word);
    } else if (value !== '') {
      // An operator without its value is still being typed.
      const read = conditionOf(operator.toLowerCase(), value, isNegated);
      if (typeof read === 'string') problem ??= read;
      else conditions.push(read);
    }
  }
  const isEmpty = words.size === 0 && without.size === 0 && conditions.length === 0;
  const found = { words: [...words], without: [...without], conditions };
  return { ...found, problem, identity: isEmpty && problem === null ? '' : JSON.stringify({ ...found, problem }) };
}

/** The condition, or what is wrong with it. */
function conditionOf(operator: string, value: string, isNegated: boolean): SearchCondition | string {
  if (operator === 'from' || operator === 'in')
    return { kind: operator, name: fold(value).replace(/^[@#](?=.)/, ''), isNegated };
  if (operator === 'before' || operator === 'after') {
    const isDay = parseTypedDate(value, 0) !== null;
    return isDay
      ? { kind: operator, day: value, isNegated }
      : `${operator}: takes a day, such as 2026-11-03 or yesterday`;
  }
  const lower = value.toLowerCase();
  const has = choices.has.find((one) => one === lower);
  if (operator === 'has')
    return has === undefined ? 'has: takes link, file or code' : { kind: 'has', part: has, isNegated };
  const state = choices.is.find((one) => one === lower);
  return state === undefined ? 'is: takes mine, pinned or unread' : { kind: 'is', state, isNegated };
}

/** Whether the text holds all of the words and none of those that it must not hold, also inside of longer words. */
export function matchesWords(text: string, { words, without }: SearchQuery): boolean {
  if (words.length === 0 && without.length === 0) return true;
  const folded = fold(text);
  return words.every((word) => folded.includes(word)) && !without.some((word) => folded.includes(word));
}
