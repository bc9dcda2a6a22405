/** Rates how well a name matches the text that was typed in the switcher, and finds the letters that match. */

import type { Row, Style } from '../layout/row.ts';
import type { SafeText } from '../safe-text.ts';
import { foldClusters, foldedWords, rowOfMarks } from './find.ts';

/** What was typed to find a name by, folded (`find.ts`). */
export interface NameQuery {
  readonly words: readonly string[];
  /** The words with a space between them. */
  readonly text: string;
}

export function nameQuery(query: string): NameQuery {
  const words = foldedWords(query);
  return { words, text: words.join(' ') };
}

const whole = 6;
const beginning = 5;
const wordBeginning = 4;
const inside = 3;
const initials = 2;
const scattered = 1;

/**
 * From 6, the name itself, down to 1, letters that follow one another in a word or begin the next one; 0: not at all.
 * Every word has to match, in any order, and the one that matches least decides.
 *
 * @param name folded
 */
export function matchLevel(name: string, { words, text }: NameQuery): number {
  if (name.startsWith(text)) return name.length === text.length ? whole : beginning;
  let least = wordBeginning;
  for (const word of words) {
    least = Math.min(least, levelOf(name, word));
    if (least === 0) break;
  }
  return least;
}

function levelOf(name: string, word: string): number {
  const first = name.indexOf(word);
  if (first >= 0) return isWordStart(name, placeOf(name, word, first)) ? wordBeginning : inside;
  if (initialsIn(name, word) !== null) return initials;
  return scatteredIn(name, word) === null ? 0 : scattered;
}

/** Where a word begins rather than inside of one, for a `word` that the name has at `first`. */
function placeOf(name: string, word: string, first: number): number {
  for (let at = first; at >= 0; at = name.indexOf(word, at + 1)) if (isWordStart(name, at)) return at;
  return first;
}

const separator = /[\0-/:-@[-`{-\x7f\u2000-\u206f]/;
const isWordStart = (name: string, at: number): boolean => at === 0 || separator.test(name.charAt(at - 1));

/** The next word from `from` on that begins with the letter; -1: none. */
function wordWith(name: string, letter: string, from: number): number {
  let at = name.indexOf(letter, from);
  while (at >= 0 && !isWordStart(name, at)) at = name.indexOf(letter, at + 1);
  return at;
}

/** Words with surrogates or a leading digit are not matched letter by letter. */
const unfit = /[\ud800-\udfff]|^\d/;

type NextOf = (name: string, letter: string, from: number) => number;

/** The offsets of the query's letters in order, the first at the start of a word; null without a match. */
function lettersIn(name: string, word: string, nextOf: NextOf): readonly number[] | null {
  if (word.length < 2 || unfit.test(word)) return null;
  const first = word.charAt(0);
  for (let start = wordWith(name, first, 0); start >= 0; start = wordWith(name, first, start + 1)) {
    const places = lettersFrom(name, word, start, nextOf);
    if (places !== null) return places;
  }
  return null;
}

function lettersFrom(name: string, word: string, start: number, nextOf: NextOf): readonly number[] | null {
  const places = [start];
  let at = start;
  for (let unit = 1; unit < word.length; unit++) {
    at = nextOf(name, word.charAt(unit), at + 1);
    if (at < 0) return null;
    places.push(at);
  }
  return places;
}

/** In the same word, else at the beginning of the next: letters from anywhere in a sentence match nearly everything. */
function inWordOrNext(name: string, letter: string, from: number): number {
  let at = from;
  for (; at < name.length && !separator.test(name.charAt(at)); at++) if (name.charAt(at) === letter) return at;
  while (at < name.length && separator.test(name.charAt(at))) at++;
  return name.charAt(at) === letter ? at : -1;
}

const initialsIn = (name: string, word: string) => lettersIn(name, word, wordWith);
const scatteredIn = (name: string, word: string) => lettersIn(name, word, inWordOrNext);

/** The name with the style on every cluster that has a part in the match. */
export function markMatch(name: SafeText, { words }: NameQuery, style: Style): Row {
  const { folded, start, end } = foldClusters(name);
  const isHit = new Uint8Array(name.length);
  for (const word of words) for (const at of unitsOf(folded, word)) isHit.fill(1, start(at), end(at));
  return rowOfMarks(name, isHit, style);
}

function unitsOf(folded: string, word: string): readonly number[] {
  const first = folded.indexOf(word);
  if (first < 0) return initialsIn(folded, word) ?? scatteredIn(folded, word) ?? [];
  const at = placeOf(folded, word, first);
  return Array.from({ length: word.length }, (_, unit) => at + unit);
}
