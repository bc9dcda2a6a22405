/** A text field is a draft of one line: it is edited by the functions that edit the composer. */
import { cleanInput } from '../../text/safe/sanitize.ts';
import { memoLast } from '../collections/memo.ts';
import type { Draft } from '../model/app-state.ts';
import { emptyDraft, replaceRange, selectionOf } from './draft.ts';

/**
 * The draft of a field.
 * @param text the text in the field
 * @param held cursor and undo as they were left; they count only while they belong to this text
 */
export const fieldDraft = memoLast(
  (text: string, held: Draft | undefined): Draft =>
    held?.text === text ? held : { ...emptyDraft, text, cursor: text.length },
);

/** Inserts pasted text as one line and one undo step. */
export function pasteLine(draft: Draft, text: string): Draft {
  const line = cleanInput(text)
    .trim()
    .replace(/\s*\n\s*|\t/g, ' ');
  return replaceRange(draft, selectionOf(draft) ?? { start: draft.cursor, end: draft.cursor }, line, 'other');
}
