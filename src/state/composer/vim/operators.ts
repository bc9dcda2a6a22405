/** Vim's operators: delete, change, yank, upper and lower case, and replacing what is selected. */
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand, VimOperator } from '../../model/vim.ts';
import { type Range, replaceRange } from '../draft.ts';
import { type Around, changed, type Edited, fillRegister, inserting, isClipboard, normal, placed } from './edited.ts';
import { clustersOn, firstNonBlank, lineEnd, lineStart, wholeLines } from './lines.ts';
import { type Selected, selectedBy } from './selected.ts';

/** Does nothing where there is nothing to act on. */
export function operate(vim: Vim, draft: Draft, command: VimCommand, { columns }: Around): Edited {
  const { operator } = command;
  const selected = selectedBy(vim, draft, command, columns) ?? nothingToChange(draft, command);
  if (selected === null || operator === null) return { vim: normal(vim), draft: placed(draft, draft.cursor) };
  if (operator === 'y') return yank(vim, draft, command, selected);
  const repeated = repeatable(draft.text, command, selected);
  const taken = operator === 'd' && vim.mode === 'normal' ? orWholeLines(draft.text, selected) : selected;
  const from = { ...draft, cursor: startOf(draft.text, taken, operator) };
  switch (operator) {
    case 'd':
      return remove(vim, from, repeated, taken);
    case 'c':
      return change(vim, from, repeated, taken);
    case 'r':
      return replaceEach(vim, from, repeated, taken);
    default:
      return recase(vim, from, repeated, taken);
  }
}

/** Where the cursor is when the operator begins, and after it is undone. */
function startOf(text: string, { start, first, isLinewise }: Selected, operator: VimOperator): number {
  if (isLinewise && operator === 'c') return Math.min(first ?? text.length, firstNonBlank(text, start));
  return first ?? start;
}

/** `s`, `cw` and `ciw` on an empty line, and `ch` at the start of any, take nothing and begin insert mode all the same. */
function nothingToChange({ text, cursor }: Draft, { operator, action, char }: VimCommand): Selected | null {
  const isEmptyLine = lineStart(text, cursor) === lineEnd(text, cursor);
  const isMeant = action === 'h' || (isEmptyLine && /^[lwWi]$/.test(action) && /^[wW]?$/.test(char));
  return operator === 'c' && isMeant ? { start: cursor, end: cursor, isLinewise: false } : null;
}

/** What `.` does after a command on a selection: the same to as much text after the cursor. */
function repeatable(text: string, command: VimCommand, { start, end, isLinewise }: Selected): VimCommand {
  if (!command.action.startsWith('selected')) return command;
  const taken = text.slice(start, end);
  if (isLinewise) return { ...command, action: 'span-lines', count: taken.split('\n').length };
  let count = 0;
  for (let at = start; at < end; count++) at = clustersOn(text, at, 1, end);
  return { ...command, action: 'span', count };
}

const textOf = ({ text }: Draft, { start, end, isLinewise }: Selected): string =>
  isLinewise ? `${text.slice(start, end)}\n` : text.slice(start, end);

function yank(vim: Vim, draft: Draft, command: VimCommand, selected: Selected): Edited {
  const text = textOf(draft, selected);
  const cursor = selected.first ?? selected.start;
  const edited = { vim: normal(vim), draft: placed(fillRegister(draft, text, command.register), cursor) };
  return withTaken(edited, command, text, selected);
}

/**
 * Notes whether the text is whole lines, and gives it to the clipboard of the terminal where the register is that of the
 * clipboard.
 */
function withTaken(edited: Edited, command: VimCommand, text: string, { isLinewise }: Selected): Edited {
  const characterwise = isLinewise || !text.endsWith('\n') ? null : text;
  const now = text === '' || command.register === '_' ? edited : { ...edited, vim: { ...edited.vim, characterwise } };
  return isClipboard(command) && text !== '' ? { ...now, copied: text } : now;
}

function remove(vim: Vim, draft: Draft, command: VimCommand, selected: Selected): Edited {
  if (draft.text === '') return { vim: normal(vim), draft };
  const taken = textOf(draft, selected);
  const { start, end } = selected.isLinewise ? withLineBreak(draft.text, selected) : selected;
  if (start === end && !selected.isLinewise) return { vim: normal(vim), draft: placed(draft, draft.cursor) };
  const rest = fillRegister(replaceRange(draft, { start, end }, '', 'other'), taken, command.register);
  const cursor = selected.isLinewise ? firstNonBlank(rest.text, Math.min(selected.start, rest.text.length)) : start;
  return withTaken(changed(vim, command, rest, cursor), command, taken, selected);
}

/** A motion over the end of a line deletes whole lines where only blanks would be left of the first and the last one. */
function orWholeLines(text: string, selected: Selected): Selected {
  const { start, end, isLinewise } = selected;
  const lines = wholeLines(text, selected);
  const left = text.slice(lines.start, start) + text.slice(end, lines.end);
  if (isLinewise || !text.slice(start, end).includes('\n') || left.trim() !== '') return selected;
  return { ...lines, isLinewise: true, first: start };
}

/** Lines go with the line break after them; the last ones with that before them. */
function withLineBreak(text: string, { start, end }: Range): Range {
  if (end < text.length) return { start, end: end + 1 };
  return { start: Math.max(0, start - 1), end };
}

function change(vim: Vim, draft: Draft, command: VimCommand, selected: Selected): Edited {
  const taken = draft.text === '' ? '' : textOf(draft, selected);
  const rest = fillRegister(replaceRange(draft, selected, '', 'other'), taken, command.register);
  const now = { ...rest, cursor: selected.start };
  return withTaken(inserting(vim, command, draft, now), command, taken, selected);
}

function recase(vim: Vim, draft: Draft, command: VimCommand, selected: Selected): Edited {
  const how = command.operator ?? '~';
  const { start, first = start } = selected;
  const cursor = start + recased(draft.text.slice(start, first), how).length;
  return changed(vim, command, withCase(draft, selected, how), cursor);
}

/** The draft with the range in upper or lower case; the same draft where that changes nothing. */
export function withCase(draft: Draft, { start, end }: Range, how: VimOperator): Draft {
  const before = draft.text.slice(start, end);
  const after = recased(before, how);
  return after === before ? draft : replaceRange(draft, { start, end }, after, 'other');
}

function recased(text: string, how: VimOperator): string {
  if (how === 'u') return text.toLowerCase();
  if (how === 'U') return text.toUpperCase();
  return [...text].map(otherCase).join('');
}

/** A letter whose other case is two letters, such as ß, stays as it is. */
function otherCase(letter: string): string {
  const lower = letter.toLowerCase();
  const other = letter === lower ? letter.toUpperCase() : lower;
  return other.length > letter.length ? letter : other;
}

/** Puts the character in the place of each one, save line breaks. */
function replaceEach(vim: Vim, draft: Draft, command: VimCommand, { start, end }: Range): Edited {
  const { text } = draft;
  let made = '';
  for (let at = start; at < end; at = nextBoundary(text, at)) made += text.charAt(at) === '\n' ? '\n' : command.char;
  return changed(vim, command, replaceRange(draft, { start, end }, made, 'other'), start);
}

/** The last cluster of a range, where the cursor can be in normal mode. */
export const lastCluster = (text: string, { start, end }: Range): number =>
  Math.max(start, previousBoundary(text, end));
