/** Typing, pasting, deleting, killing and yanking in the composer. */

import { cleanInput } from '../../text/safe/sanitize.ts';
import { nextBoundary, nextWord, previousBoundary, previousWord } from '../../text/unicode/graphemes.ts';
import type { Draft } from '../model/app-state.ts';
import { detach, type Range, replaceRange, selectionOf, withKill } from './draft.ts';
import { isLongPaste } from './long-text.ts';

const atCursor = (draft: Draft): Range => ({ start: draft.cursor, end: draft.cursor });

/** Inserts typed text in the place of the selection. Undo takes it back word by word. */
export const insert = (draft: Draft, text: string): Draft =>
  replaceRange(draft, selectionOf(draft) ?? atCursor(draft), text, 'insert');

/**
 * Inserts pasted text without its control characters, as one undo step.
 *
 * @param isMore it belongs to the paste before, and to its step
 */
export function paste(draft: Draft, text: string, isMore = false): Draft {
  const before: Draft = isMore ? draft : { ...draft, lastChange: 'other' };
  const pasted = replaceRange(before, selectionOf(draft) ?? atCursor(draft), cleanInput(text), 'paste');
  if (pasted === before) return draft;
  const { start, end } = pasted.undo.at(-1) ?? atCursor(pasted);
  return isLongPaste(pasted.text.slice(start, end)) ? { ...pasted, hasLongPaste: true } : pasted;
}

export const newline = (draft: Draft): Draft =>
  replaceRange(draft, selectionOf(draft) ?? atCursor(draft), '\n', 'other');

/** Deletes backwards. At the start of a new message it removes the last attachment, which is shown before the text. */
export function deleteBack(draft: Draft): Draft {
  const last = draft.attachments?.at(-1);
  const isAtStart = draft.cursor === 0 && selectionOf(draft) === null;
  if (isAtStart && last !== undefined && draft.editing === null) return detach(draft, last);
  return deleteOr(draft, { start: previousBoundary(draft.text, draft.cursor), end: draft.cursor });
}

export const deleteForward = (draft: Draft): Draft =>
  deleteOr(draft, { start: draft.cursor, end: nextBoundary(draft.text, draft.cursor) });

const deleteOr = (draft: Draft, range: Range): Draft => replaceRange(draft, selectionOf(draft) ?? range, '', 'delete');

export const killWordBack = (draft: Draft): Draft =>
  kill(draft, { start: previousWord(draft.text, draft.cursor), end: draft.cursor });

export const killWordForward = (draft: Draft): Draft =>
  kill(draft, { start: draft.cursor, end: nextWord(draft.text, draft.cursor) });

/** Kills to the end of the logical line; at its end, kills the newline. */
export function killToEnd(draft: Draft): Draft {
  const lineEnd = draft.text.indexOf('\n', draft.cursor);
  const end = lineEnd === -1 ? draft.text.length : lineEnd;
  return kill(draft, { start: draft.cursor, end: end === draft.cursor ? nextBoundary(draft.text, end) : end });
}

/** Kills to the start of the logical line; at its start, kills the newline before it. */
export function killToStart(draft: Draft): Draft {
  const start = draft.cursor === 0 ? 0 : draft.text.lastIndexOf('\n', draft.cursor - 1) + 1;
  const from = start === draft.cursor ? previousBoundary(draft.text, start) : start;
  return kill(draft, { start: from, end: draft.cursor });
}

/** Consecutive kills are collected in the order that they had in the text, as in readline. */
function kill(draft: Draft, range: Range): Draft {
  const taken = selectionOf(draft) ?? range;
  const text = draft.text.slice(taken.start, taken.end);
  if (text === '') return draft;
  const isBackwards = taken.end === draft.cursor;
  const gathered = isBackwards ? text + draft.kill : draft.kill + text;
  const isRun = draft.lastChange === 'kill' && selectionOf(draft) === null;
  const { killedFiles: _, ...cut } = replaceRange(draft, taken, '', 'kill');
  return isRun ? { ...cut, kill: gathered } : withKill(cut, text);
}

/** Attachments of a discarded message come back once, and not into an edit, which has no place for them. */
export function yank(draft: Draft): Draft {
  const range = selectionOf(draft) ?? atCursor(draft);
  const { killedFiles: added, ...rest } = draft;
  if (added === undefined || draft.editing !== null)
    return asYanked(draft, replaceRange(draft, range, draft.kill, 'other'));
  return replaceRange(rest, range, draft.kill, 'other', { added, removed: [] });
}

/** Puts what was cut before in the place of what was put back just now, and after the oldest text the newest one. */
export function yankEarlier(draft: Draft): Draft {
  const { earlierKills: [next, ...others] = [] } = draft;
  const yanked = draft.undo.at(-1);
  if (draft.lastChange !== 'yank' || yanked === undefined || next === undefined) return draft;
  const turned = { ...draft, kill: next, earlierKills: [...others, draft.kill] };
  return asYanked(draft, replaceRange(turned, { start: yanked.start, end: yanked.end }, next, 'other'));
}

const asYanked = (before: Draft, draft: Draft): Draft => (draft === before ? draft : { ...draft, lastChange: 'yank' });
