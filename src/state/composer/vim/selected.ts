/** Finds what an operator of vim acts on: what its motion passes, its text object, or the selection of a visual mode. */
import { nextBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand } from '../../model/vim.ts';
import { type Range, snap } from '../draft.ts';
import { firstNonBlank, lineEnd, lineStart, wholeLines } from './lines.ts';
import { endOfMotion } from './motions.ts';
import { textObject } from './text-objects.ts';

export interface Selected extends Range {
  readonly isLinewise: boolean;
  /** Where the motion over whole lines began or has led, whichever is first: yanking leaves the cursor there. */
  readonly first?: number;
}

/** The selection of a visual mode, with the cluster or the line break under the cursor; null in the other modes. */
export function visualRange({ mode, anchor }: Vim, { text, cursor }: Pick<Draft, 'text' | 'cursor'>): Selected | null {
  if (mode !== 'visual' && mode !== 'visual-line') return null;
  const held = snap(text, anchor);
  const start = Math.min(held, cursor);
  const end = Math.max(held, cursor);
  if (mode === 'visual-line') return { ...wholeLines(text, { start, end }), isLinewise: true };
  return { start, end: nextBoundary(text, end), isLinewise: false };
}

/** Returns null where the motion leads nowhere or there is no such object. */
export function selectedBy(vim: Vim, draft: Draft, command: VimCommand, columns: number): Selected | null {
  const { text, cursor } = draft;
  const { action, char } = command;
  if (action === 'selected') return visualRange(vim, draft);
  if (action === 'selected-lines') return visualRange({ ...vim, mode: 'visual-line' }, draft);
  if (action === 'i' || action === 'a') {
    const object = textObject(text, cursor, action, char, command.count ?? 1);
    return object === null ? null : { start: object.start, end: object.end, isLinewise: object.isLinewise === true };
  }
  const motion = endOfMotion({ ...draft, columns, find: vim.find, isVisual: false }, command);
  if (motion === null) return null;
  const start = Math.min(cursor, motion.to);
  const end = Math.max(cursor, motion.to);
  if (motion.isLinewise) return { ...wholeLines(text, { start, end }), isLinewise: true, first: start };
  // Where the motion ends on an empty line, its line break is no character.
  if (motion.isInclusive)
    return { start, end: Math.min(nextBoundary(text, end), lineEnd(text, end)), isLinewise: false };
  return upToLineStart(text, { start, end });
}

/** A motion to the start of a line selects the text before that line, or whole lines when it began at the start of one. */
function upToLineStart(text: string, { start, end }: Range): Selected {
  const isAtLineStart = end > 0 && text.charAt(end - 1) === '\n' && lineStart(text, start) < end;
  if (!isAtLineStart || start === end) return { start, end, isLinewise: false };
  if (start > firstNonBlank(text, start)) return { start, end: end - 1, isLinewise: false };
  return { ...wholeLines(text, { start, end: end - 1 }), isLinewise: true, first: start };
}
