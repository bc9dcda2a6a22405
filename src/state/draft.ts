/** The composer's document: its one way to change, and the history of changes. Pure; edits and moves stand beside it. */
import { nextBoundary, previousBoundary } from '../text/graphemes.ts';
import type { Draft, DraftStep } from './state.ts';

const undoLimit = 100;

export const emptyDraft: Draft = {
  text: '',
  cursor: 0,
  anchor: null,
  goalColumn: null,
  undo: [],
  redo: [],
  kill: '',
  lastChange: 'other',
  editing: null,
};

export interface Range {
  readonly start: number;
  readonly end: number;
}

export const isBlank = (draft: Draft): boolean => draft.text.trim() === '';

/** The selected text, as offsets; null when nothing is selected. */
export function selectionOf(draft: Draft): Range | null {
  const { anchor, cursor } = draft;
  if (anchor === null || anchor === cursor) return null;
  return anchor < cursor ? { start: anchor, end: cursor } : { start: cursor, end: anchor };
}

/** The offset itself on a boundary, else the end of the cluster it lies in. */
export function snap(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  return nextBoundary(text, previousBoundary(text, offset));
}

/**
 * Puts `inserted` in the place of `range`, with the cursor after it. Neighbouring changes of one kind are one undo step,
 * except that a word begins a new one; the history is shared, not copied, while a step goes on.
 */
export function replaceRange(draft: Draft, range: Range, inserted: string, kind: Draft['lastChange']): Draft {
  if (range.start === range.end && inserted === '') return draft;
  const text = draft.text.slice(0, range.start) + inserted + draft.text.slice(range.end);
  return {
    ...draft,
    text,
    // What was inserted may have joined the cluster after it (a letter before a combining mark).
    cursor: snap(text, range.start + inserted.length),
    anchor: null,
    goalColumn: null,
    undo: continuesStep(draft, range, inserted, kind) ? draft.undo : pushStep(draft.undo, stepOf(draft)),
    redo: draft.redo.length === 0 ? draft.redo : [],
    lastChange: kind,
  };
}

function continuesStep(draft: Draft, range: Range, inserted: string, kind: Draft['lastChange']): boolean {
  if (kind === 'other' || kind !== draft.lastChange || draft.undo.length === 0) return false;
  if (selectionOf(draft) !== null) return false;
  if (kind !== 'insert') return true;
  const startsWord = !/^\s/.test(inserted) && /\s/.test(draft.text.charAt(range.start - 1));
  return !startsWord;
}

const stepOf = (draft: Draft): DraftStep => ({ text: draft.text, cursor: draft.cursor });

const pushStep = (steps: readonly DraftStep[], step: DraftStep): readonly DraftStep[] => [
  ...(steps.length < undoLimit ? steps : steps.slice(1)),
  step,
];

/** Replaces everything, as one undo step. */
export function setText(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft;
  return { ...replaceRange(draft, { start: 0, end: draft.text.length }, text, 'other'), cursor: text.length };
}

export function undo(draft: Draft): Draft {
  const step = draft.undo.at(-1);
  if (step === undefined) return draft;
  return { ...restore(draft, step), undo: draft.undo.slice(0, -1), redo: pushStep(draft.redo, stepOf(draft)) };
}

export function redo(draft: Draft): Draft {
  const step = draft.redo.at(-1);
  if (step === undefined) return draft;
  return { ...restore(draft, step), undo: pushStep(draft.undo, stepOf(draft)), redo: draft.redo.slice(0, -1) };
}

const restore = (draft: Draft, step: DraftStep): Draft => ({
  ...draft,
  text: step.text,
  cursor: step.cursor,
  anchor: null,
  goalColumn: null,
  lastChange: 'other',
});
