/**
 * Words as vim sees them: runs of letters and digits, of Han, of kana, of emoji, or of other characters. WORDS are what
 * is between blanks.
 */
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import { lazyPattern } from '../../../text/unicode/lazy-pattern.ts';
import { lineEnd } from './lines.ts';

export type WordKind = 'word' | 'WORD';

const classes: readonly (readonly [name: string, pattern: () => RegExp])[] = [
  ['blank', lazyPattern(() => /^\s/u)],
  ['han', lazyPattern(() => /^\p{Script=Han}/u)],
  ['kana', lazyPattern(() => /^[\p{Script=Hiragana}\p{Script=Katakana}]/u)],
  ['word', lazyPattern(() => /^[\p{L}\p{N}\p{M}_]/u)],
  ['emoji', lazyPattern(() => /^[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/u)],
];

/** The class of the character at an offset: a word ends where it changes. */
export function classAt(text: string, offset: number, kind: WordKind): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0x20);
  const name = classes.find(([, pattern]) => pattern().test(character))?.[0] ?? 'other';
  return kind === 'WORD' && name !== 'blank' ? 'word' : name;
}

const isEmptyLine = (text: string, at: number): boolean =>
  text.charAt(at) === '\n' && (at === 0 || text.charAt(at - 1) === '\n');

/** `w`: the start of the next word; an empty line counts as a word. */
export function wordForward(text: string, from: number, kind: WordKind): number {
  let at = from;
  const first = classAt(text, at, kind);
  if (first === 'blank') at = nextBoundary(text, at);
  else while (at < text.length && classAt(text, at, kind) === first) at = nextBoundary(text, at);
  while (at < text.length && classAt(text, at, kind) === 'blank' && !isEmptyLine(text, at)) at = nextBoundary(text, at);
  return at;
}

/** `b`: the start of the word before. */
export function wordBack(text: string, from: number, kind: WordKind): number {
  let at = previousBoundary(text, from);
  while (at > 0 && classAt(text, at, kind) === 'blank' && !isEmptyLine(text, at)) at = previousBoundary(text, at);
  const found = classAt(text, at, kind);
  if (found === 'blank') return at;
  return runStart(text, at, kind);
}

/** `e`: the last character of the next word. @param stays a word that ends at `from` is taken as that word */
export function wordEnd(text: string, from: number, kind: WordKind, stays = false): number {
  let at = stays ? from : nextBoundary(text, from);
  while (at < text.length && classAt(text, at, kind) === 'blank') at = nextBoundary(text, at);
  // Without a word after it, `e` leads to the last character, or to an empty last line, from which nothing leads back.
  if (at >= text.length) return text.endsWith('\n') ? text.length : Math.max(from, previousBoundary(text, at));
  return previousBoundary(text, runEnd(text, at, kind));
}

/** `ge`: the last character of the word before. */
export function wordEndBack(text: string, from: number, kind: WordKind): number {
  const here = classAt(text, from, kind);
  let at = here === 'blank' ? from : runStart(text, from, kind);
  do at = previousBoundary(text, at);
  while (at > 0 && classAt(text, at, kind) === 'blank' && !isEmptyLine(text, at));
  return at;
}

/** The start of the run of one class, in its line. */
export function runStart(text: string, offset: number, kind: WordKind): number {
  const found = classAt(text, offset, kind);
  let at = offset;
  while (at > 0) {
    const before = previousBoundary(text, at);
    if (text.charAt(before) === '\n' || classAt(text, before, kind) !== found) break;
    at = before;
  }
  return at;
}

/** The end of the run of one class, in its line. */
export function runEnd(text: string, offset: number, kind: WordKind): number {
  const found = classAt(text, offset, kind);
  const end = lineEnd(text, offset);
  let at = offset;
  while (at < end && classAt(text, at, kind) === found) at = nextBoundary(text, at);
  return at;
}
