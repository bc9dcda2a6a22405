/** The composer's document: `replaceRange`, through which every change goes, and undo. All functions are pure. */

import type { AttachmentFields } from '../../protocol/types.ts';
import { nextBoundary, previousBoundary } from '../../text/unicode/graphemes.ts';
import { sameValue } from '../collections/equal.ts';
import type { Draft, DraftStep, FileChange } from '../model/app-state.ts';

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

/** Whether the composer shows nothing of it: no attachment and no text, not even a blank. */
export const isEmpty = ({ text, attachments = [] }: Pick<Draft, 'text' | 'attachments'>): boolean =>
  text === '' && attachments.length === 0;

/** Whether there is nothing to send: no attachment, and no text but blanks. */
export const isBlank = ({ text, attachments = [] }: Draft): boolean => text.trim() === '' && attachments.length === 0;

/** Whether nothing is lost with the draft: it is empty, edits no message, and nothing was put aside for a recalled text. */
export const holdsNothing = (draft: Draft): boolean =>
  isEmpty(draft) && draft.editing === null && (draft.recalled?.stash ?? '') === '';

/** The selected text, as offsets; null when nothing is selected. */
export function selectionOf(draft: Pick<Draft, 'anchor' | 'cursor'>): Range | null {
  const { anchor, cursor } = draft;
  if (anchor === null || anchor === cursor) return null;
  return anchor < cursor ? { start: anchor, end: cursor } : { start: cursor, end: anchor };
}

/** The offset itself on a boundary, otherwise the end of the cluster that contains it. */
export function snap(text: string, offset: number): number {
  if (offset <= 0) return 0;
  if (offset >= text.length) return text.length;
  return nextBoundary(text, previousBoundary(text, offset));
}

/**
 * Replaces `range`. Neighbouring changes of one kind are one undo step, but a word begins a new one.
 *
 * @param files what the same step does to the attachments; its kind is 'other' then
 */
export function replaceRange(
  draft: Draft,
  range: Range,
  inserted: string,
  kind: Draft['lastChange'],
  files?: FileChange,
): Draft {
  if (range.start === range.end && inserted === '' && files === undefined) return draft;
  const text = draft.text.slice(0, range.start) + inserted + draft.text.slice(range.end);
  const last = continuesStep(draft, range, inserted, kind) ? draft.undo.at(-1) : undefined;
  const moved = draft.stops === undefined ? draft : withStops(draft, stopsAfter(draft.stops, range, inserted.length));
  return {
    ...(files === undefined ? moved : withFiles(moved, files)),
    text,
    // What was inserted may have joined the cluster after it (a letter before a combining mark).
    cursor: snap(text, range.start + inserted.length),
    anchor: null,
    goalColumn: null,
    undo:
      last === undefined
        ? pushStep(draft.undo, { ...stepBack(draft, range, inserted.length), ...(files && { files }) })
        : [...draft.undo.slice(0, -1), joined(last, draft.text, range, inserted.length)],
    redo: draft.redo.length === 0 ? draft.redo : [],
    lastChange: kind,
  };
}

/** The places to fill in after a change: those after it move with the text, and those that it touches are removed. */
const stopsAfter = (stops: readonly Range[], range: Range, length: number): readonly Range[] =>
  stops.flatMap((stop) => {
    if (stop.end < range.start || (stop.end === range.start && stop.start < stop.end)) return [stop];
    const by = length - (range.end - range.start);
    return stop.start >= range.end ? [{ start: stop.start + by, end: stop.end + by }] : [];
  });

function withStops({ stops: _, ...others }: Draft, stops: readonly Range[]): Draft {
  return stops.length === 0 ? others : { ...others, stops };
}

/** The step that takes back the change of `range` of the draft's text into `length` characters. */
const stepBack = (draft: Draft, { start, end }: Range, length: number): DraftStep => ({
  start,
  end: start + length,
  text: copyOf(draft.text.slice(start, end)),
  cursor: draft.cursor,
});

/** The step that takes back the change of `range` of `text` into `length` characters, and then what `step` takes back. */
function joined(step: DraftStep, text: string, range: Range, length: number): DraftStep {
  const start = Math.min(step.start, range.start);
  const end = Math.max(step.end, range.end);
  return {
    start,
    end: end + length - (range.end - range.start),
    text: copyOf(text.slice(start, step.start)) + step.text + copyOf(text.slice(step.end, end)),
    cursor: step.cursor,
  };
}

/** Copies a slice: a slice itself keeps, in V8, the whole text in memory that it was taken from. */
const copyOf = (slice: string): string => ` ${slice}`.slice(1);

function continuesStep(draft: Draft, range: Range, inserted: string, kind: Draft['lastChange']): boolean {
  if (kind === 'other' || kind !== draft.lastChange || draft.undo.length === 0) return false;
  if (selectionOf(draft) !== null) return false;
  if (kind !== 'insert') return true;
  const startsWord = !/^\s/.test(inserted) && /\s/.test(draft.text.charAt(range.start - 1));
  return !startsWord;
}

const pushStep = (steps: readonly DraftStep[], step: DraftStep): readonly DraftStep[] => [
  ...(steps.length < undoLimit ? steps : steps.slice(1)),
  step,
];

/** Attaches files after those that are there, as one undo step. */
export const attach = (draft: Draft, added: readonly AttachmentFields[]): Draft =>
  changeFiles(draft, { added, removed: [] });

/** Removes one attachment with these fields, as one undo step; the same draft where there is none. */
export const detach = (draft: Draft, fields: AttachmentFields): Draft =>
  draft.attachments?.some((file) => sameValue(file, fields)) === true
    ? changeFiles(draft, { added: [], removed: [fields] })
    : draft;

const changeFiles = (draft: Draft, files: FileChange): Draft =>
  replaceRange(draft, { start: draft.cursor, end: draft.cursor }, '', 'other', files);

const mostEarlierKills = 9;

/** Makes `text` what yanking inserts, and the text before it what comes after it. */
export function withKill(draft: Draft, text: string): Draft {
  const earlier = [draft.kill, ...(draft.earlierKills ?? [])].filter((one) => one !== '').slice(0, mostEarlierKills);
  return { ...draft, kill: text, ...(earlier.length > 0 && { earlierKills: earlier }) };
}

/** Empties the text and removes the attachments, as one undo step. */
export function clear(draft: Draft): Draft {
  const { text, attachments: removed } = draft;
  const files = removed === undefined ? undefined : { added: [], removed };
  return replaceRange(draft, { start: 0, end: text.length }, '', 'other', files);
}

/** Changes the attachments. A step names only the files that it changes, as another process may have attached others since. */
function withFiles(draft: Draft, { added, removed }: FileChange): Draft {
  const { attachments: held = [], ...rest } = draft;
  const left = [...held];
  for (const fields of removed) {
    const at = left.findLastIndex((file) => sameValue(file, fields));
    if (at >= 0) left.splice(at, 1);
  }
  const attachments = [...left, ...added];
  return attachments.length === 0 ? rest : { ...rest, attachments };
}

const inverse = ({ added, removed }: FileChange): FileChange => ({ added: removed, removed: added });

/** Replaces the whole text, as one undo step. */
export function setText(draft: Draft, text: string): Draft {
  if (text === draft.text) return draft;
  return { ...replaceRange(draft, { start: 0, end: draft.text.length }, text, 'other'), cursor: text.length };
}

export function undo(draft: Draft): Draft {
  const step = draft.undo.at(-1);
  if (step === undefined) return draft;
  const again = { ...opposite(draft, step), first: step.cursor };
  return { ...restore(draft, step), undo: draft.undo.slice(0, -1), redo: pushStep(draft.redo, again) };
}

export function redo(draft: Draft): Draft {
  const step = draft.redo.at(-1);
  if (step === undefined) return draft;
  const { first = draft.cursor } = step;
  const back = { ...opposite(draft, step), cursor: first };
  return { ...restore(draft, step), undo: pushStep(draft.undo, back), redo: draft.redo.slice(0, -1) };
}

/** The step that takes back what carrying out `step` does. */
const opposite = (draft: Draft, { start, end, text, files }: DraftStep): DraftStep => ({
  ...stepBack(draft, { start, end }, text.length),
  ...(files && { files: inverse(files) }),
});

/** Makes one undo step of the changes since `before`, an earlier state of the draft; no step where the text is the same. */
export function asOneStep(before: Draft, draft: Draft): Draft {
  const last = before.undo.at(-1);
  const from = last === undefined ? 0 : draft.undo.lastIndexOf(last) + 1;
  const [oldest] = draft.undo;
  // Only so many steps are kept, so all of the earlier ones may have been dropped.
  const areDropped = from === 0 && oldest !== undefined && !before.undo.includes(oldest);
  const isKnown = last === undefined || from > 0 || areDropped;
  if (!isKnown || draft.undo.slice(from).some(({ files }) => files !== undefined)) return draft;
  const kept = areDropped ? before.undo : draft.undo.slice(0, from);
  if (before.text === draft.text) return { ...draft, undo: kept };
  const { start, end } = difference(before.text, draft.text);
  const step = stepBack(before, { start, end: end + before.text.length - draft.text.length }, end - start);
  return { ...draft, undo: pushStep(kept, step) };
}

/** The part of `after` that differs from `before`. */
function difference(before: string, after: string): Range {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let same = 0;
  const isSame = (back: number): boolean =>
    before.charCodeAt(before.length - back) === after.charCodeAt(after.length - back);
  while (same < shorter - start && isSame(same + 1)) same++;
  return { start, end: after.length - same };
}

const restore = ({ stops: _, ...draft }: Draft, { start, end, text, cursor, files }: DraftStep): Draft => ({
  ...(files === undefined ? draft : withFiles(draft, inverse(files))),
  text: draft.text.slice(0, start) + text + draft.text.slice(end),
  cursor,
  anchor: null,
  goalColumn: null,
  lastChange: 'other',
});
