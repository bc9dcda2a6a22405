/** Swaps characters and words, and changes the case of words, as in emacs and readline. */
import { nextBoundary, nextWord, previousBoundary, previousWord } from '../../text/unicode/graphemes.ts';
import type { Draft } from '../model/app-state.ts';
import { type Range, replaceRange } from './draft.ts';
import { moveToOffset } from './draft-move.ts';

/** One undo step; where nothing changes, only a move. */
function put(draft: Draft, { start, end }: Range, made: string): Draft {
  if (draft.text.slice(start, end) === made) return moveToOffset(draft, end);
  return replaceRange(draft, { start, end }, made, 'other');
}

/** Swaps the characters around the cursor, or the last two of a line. */
export function swapCharacters(draft: Draft): Draft {
  const { text, cursor } = draft;
  const isAtLineEnd = cursor === text.length || text.charAt(cursor) === '\n';
  const middle = isAtLineEnd ? previousBoundary(text, cursor) : cursor;
  const range = { start: previousBoundary(text, middle), end: nextBoundary(text, middle) };
  if (range.start === middle) return draft;
  return put(draft, range, text.slice(middle, range.end) + text.slice(range.start, middle));
}

/** Swaps the word before the cursor, or around it, with the next one; after the last word, the last two. */
export function swapWords(draft: Draft): Draft {
  const { text } = draft;
  const here = wordBefore(text, draft.cursor);
  const next = wordAfter(text, here.end);
  const isLast = next.start < here.end;
  const first = isLast ? wordBefore(text, here.start) : here;
  const second = isLast ? here : next;
  if (first.start >= first.end || first.end > second.start) return draft;
  const word = ({ start, end }: Range): string => text.slice(start, end);
  const made = word(second) + text.slice(first.end, second.start) + word(first);
  return put(draft, { start: first.start, end: second.end }, made);
}

/** Where there is none, the first word of the text. */
function wordBefore(text: string, offset: number): Range {
  const end = nextWord(text, previousWord(text, offset));
  return { start: previousWord(text, end), end };
}

function wordAfter(text: string, offset: number): Range {
  const end = nextWord(text, offset);
  return { start: previousWord(text, end), end };
}

/** Changes what is left of the word, or the next word, and goes to its end. */
const recase =
  (change: (word: string) => string) =>
  (draft: Draft): Draft => {
    const { text, cursor } = draft;
    const end = nextWord(text, cursor);
    return put(draft, { start: cursor, end }, change(text.slice(cursor, end)));
  };

export const upperWord = recase((word) => word.toUpperCase());
export const lowerWord = recase((word) => word.toLowerCase());
export const capitalWord = recase((word) =>
  word.toLowerCase().replace(/[\p{L}\p{N}]/u, (first) => first.toUpperCase()),
);
