/** The commands that begin insert mode, and what Esc makes of the text that was typed: one undo step that `.` repeats. */
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand, VimInsertion } from '../../model/vim.ts';
import { asOneStep, replaceRange } from '../draft.ts';
import { type Edited, inserting, normal, placed } from './edited.ts';
import { firstNonBlank, isBlankAt, lineEnd, lineStart } from './lines.ts';
import { isReplacing, typedOver, withOverwritten } from './overwriting.ts';

export function beginInsert(vim: Vim, draft: Draft, command: VimCommand): Edited {
  const { text, cursor } = draft;
  const opened = command.action === 'o' ? lineEnd(text, cursor) : lineStart(text, cursor);
  if (command.action === 'o' || command.action === 'O') {
    const now = replaceRange(draft, { start: opened, end: opened }, '\n', 'other');
    return inserting(vim, command, draft, { ...now, cursor: command.action === 'o' ? opened + 1 : opened });
  }
  const now = { ...draft, cursor: placeOf(command.action, text, cursor) };
  return inserting(vim, command, now, now);
}

function placeOf(action: string, text: string, cursor: number): number {
  if (action === 'I') {
    const first = firstNonBlank(text, cursor);
    return isBlankAt(text, first) ? lineEnd(text, cursor) : first;
  }
  if (action === 'A') return lineEnd(text, cursor);
  if (action === 'a') return Math.min(nextBoundary(text, cursor), lineEnd(text, cursor));
  return cursor;
}

/** Esc: the cursor goes back to the last character that was typed. */
export function endInsert(vim: Vim, draft: Draft): Edited {
  const { insertion } = vim;
  const back = (now: Draft): Draft =>
    placed(now, Math.max(lineStart(now.text, now.cursor), previousBoundary(now.text, now.cursor)));
  if (insertion === null) return { vim: normal(vim), draft: back(draft) };
  const inserted = isReplacing(insertion) ? typedOver(insertion, draft) : typed(insertion, draft.text);
  const last = { command: insertion.command, inserted: inserted ?? '' };
  const whole = inserted === null ? draft : withRepeats(insertion, inserted, draft);
  return { vim: { ...normal(vim), last }, draft: back(asOneStep(insertion.before, whole)) };
}

/** What was typed; null where more than one place of the text has changed. */
function typed({ text: before, at }: VimInsertion, after: string): string | null {
  const rest = before.length - at;
  const isOnePlace =
    after.length >= before.length && after.startsWith(before.slice(0, at)) && after.endsWith(before.slice(at));
  return isOnePlace ? after.slice(at, after.length - rest) : null;
}

/** The greatest length of a repeated text. */
const repeatLimit = 100_000;

/** How often a text is inserted when it was asked for `count` times, within the limit. */
export const timesWithin = (count: number, text: string): number =>
  Math.max(1, Math.min(count, Math.floor(repeatLimit / Math.max(1, text.length))));

/** `3ix` types x three times, and `3o` opens three lines, empty ones too. A count of other commands says how much they take. */
function withRepeats(insertion: VimInsertion, inserted: string, draft: Draft): Draft {
  const { command, at } = insertion;
  const opens = command.action === 'o' || command.action === 'O';
  const isRepeated = command.operator === null && (command.count ?? 1) > 1 && (opens || inserted !== '');
  if (!isRepeated) return draft;
  if (isReplacing(insertion))
    return withOverwritten(draft, inserted.repeat(timesWithin(command.count ?? 1, inserted) - 1));
  const once = opens ? `\n${inserted}` : inserted;
  const end = at + inserted.length;
  return replaceRange(draft, { start: end, end }, once.repeat(timesWithin(command.count ?? 1, once) - 1), 'other');
}
