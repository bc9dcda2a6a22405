/** Puts sent texts into the composer, one after the other; what it held before comes back at the end. */
import type { Draft } from '../model/app-state.ts';
import { emptyDraft, setText } from './draft.ts';

/** Puts a text into the draft, which keeps what it held before. */
export function recallText(draft: Draft, text: string): Draft {
  return { ...setText(draft, text), recalled: { text, stash: stashOf(draft) } };
}

/** The text that comes back at the end: never one that was recalled and not changed. */
function stashOf(draft: Draft): string {
  const { recalled } = draft;
  if (recalled === undefined) return draft.text;
  return recalled.text === draft.text || recalled.stash !== '' ? recalled.stash : draft.text;
}

/**
 * The draft with the next text of the list, or the previous one; before the first one, with what the composer held.
 * @param texts newest first
 * @returns null where there is none
 */
export function stepThrough(draft: Draft, texts: readonly string[], by: 1 | -1): Draft | null {
  const { recalled } = draft;
  const isRecalled = recalled !== undefined && recalled.text === draft.text;
  if (!isRecalled && by < 0) return recalled !== undefined && draft.text === '' ? withoutRecall(draft) : null;
  const at = isRecalled ? texts.indexOf(recalled.text) + by : texts[0] === draft.text ? 1 : 0;
  if (at < 0) return withoutRecall(draft);
  const text = texts[at];
  return text === undefined ? null : recallText(draft, text);
}

/** Puts back what the composer held, as an undo step. */
function withoutRecall(draft: Draft): Draft {
  const { recalled, ...rest } = setText(draft, draft.recalled?.stash ?? '');
  return rest;
}

/** What is left in the composer when its text was sent: what it held before that text was recalled. */
export function afterSending({ recalled, hasLongPaste }: Draft): Draft | null {
  if (recalled === undefined || recalled.stash === '') return null;
  const { stash } = recalled;
  return { ...emptyDraft, text: stash, cursor: stash.length, ...(hasLongPaste && { hasLongPaste }) };
}
