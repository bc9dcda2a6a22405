/** The replace mode that `R` begins: what is typed takes the place of the text, which Backspace brings back. */
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimInsertion, VimReplaced } from '../../model/vim.ts';
import { replaceRange, selectionOf } from '../draft.ts';
import type { Edited } from './edited.ts';
import { clustersOn, lineEnd } from './lines.ts';

export const isReplacing = ({ command }: VimInsertion): boolean => command.action === 'R';

/** @returns null for the keys that do the same as in insert mode */
export function pressReplacing(vim: Vim, insertion: VimInsertion, draft: Draft, key: string): Edited | null {
  if (selectionOf(draft) !== null) return null;
  // After another move or change, what Backspace brings back and `.` repeats begins anew.
  const isHere = draft.cursor === placeOf(insertion);
  const held = isHere ? insertion : { ...insertion, at: draft.cursor, replaced: null };
  if (key === 'backspace' || key === 'ctrl+h') return restore(vim, held, draft);
  return [...key].length === 1 ? overwrite(vim, held, draft, key) : null;
}

/** Where the text that was typed without another move or change ends. */
const placeOf = ({ at, replaced }: VimInsertion): number => replaced?.end ?? at;

/** What was typed last, if the cursor is still after it. */
export const typedOver = (insertion: VimInsertion, { text, cursor }: Draft): string | null =>
  cursor === placeOf(insertion) ? text.slice(insertion.at, cursor) : null;

/** Puts the text in the place of as many clusters; where the line has no more, it is added. */
export function overwrite(vim: Vim, insertion: VimInsertion, draft: Draft, typed: string): Edited {
  const { text, cursor } = draft;
  const before = previousBoundary(text, cursor);
  const isJoined = before < cursor && nextBoundary(text.slice(before, cursor) + typed, 0) > cursor - before;
  const now = withOverwritten(draft, typed, isJoined ? 0 : clustersIn(typed));
  const taken = text.slice(cursor, now.cursor + text.length - now.text.length);
  const { replaced } = insertion;
  // A combining mark, or a further part of an emoji, belongs to the cluster that was typed before it.
  const step: VimReplaced =
    isJoined && replaced !== null
      ? { ...replaced, end: now.cursor, text: replaced.text + taken }
      : { start: cursor, end: now.cursor, text: taken, before: replaced };
  return { vim: { ...vim, insertion: { ...insertion, replaced: step } }, draft: now };
}

export function withOverwritten(draft: Draft, typed: string, count = clustersIn(typed)): Draft {
  const { text, cursor } = draft;
  const end = clustersOn(text, cursor, count, lineEnd(text, cursor));
  return replaceRange(draft, { start: cursor, end }, typed, 'insert');
}

function clustersIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = nextBoundary(text, at)) count++;
  return count;
}

/** Backspace: before what was typed, it only moves. */
function restore(vim: Vim, insertion: VimInsertion, draft: Draft): Edited {
  const { replaced } = insertion;
  const start = replaced?.start ?? previousBoundary(draft.text, draft.cursor);
  const now = replaced === null ? draft : replaceRange(draft, replaced, replaced.text, 'insert');
  const held = replaced === null ? { ...insertion, at: start } : { ...insertion, replaced: replaced.before };
  return { vim: { ...vim, insertion: held }, draft: { ...now, cursor: start } };
}
