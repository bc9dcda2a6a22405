/** Vim's changes without an operator: putting, replacing and joining text, upper and lower case. */
import { nextBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand } from '../../model/vim.ts';
import { replaceRange, snap } from '../draft.ts';
import { type Around, changed, type Edited, fillRegister, isClipboard, normal, placed } from './edited.ts';
import { timesWithin } from './insertion.ts';
import { clustersOn, firstNonBlank, lineAt, lineEnd, lineStart } from './lines.ts';
import { lastCluster, operate, withCase } from './operators.ts';
import { visualRange } from './selected.ts';

type Change = (vim: Vim, draft: Draft, command: VimCommand, around: Around) => Edited;

const nothing = (vim: Vim, draft: Draft): Edited => ({ vim: normal(vim), draft: placed(draft, draft.cursor) });

/** Whether the text that `p` puts is whole lines. */
const isLines = ({ characterwise }: Vim, held: string): boolean => held.endsWith('\n') && held !== characterwise;

const registerText = (draft: Draft, command: VimCommand, { clipboard }: Around): string =>
  isClipboard(command) ? clipboard : draft.kill;

/** `p` and `P`: a text that ends with a line break is put on separate lines. */
const put: Change = (vim, draft, command, around) => {
  if (visualRange(vim, draft) !== null) return putOver(vim, draft, command, around);
  const held = registerText(draft, command, around);
  if (held === '') return nothing(vim, draft);
  const { text, cursor } = draft;
  const isAfter = command.action === 'p';
  const many = held.repeat(timesWithin(command.count ?? 1, held));
  if (isLines(vim, held)) {
    const place = isAfter ? lineEnd(text, cursor) : lineStart(text, cursor);
    const lines = isAfter ? `\n${many.slice(0, -1)}` : many;
    const now = replaceRange(draft, { start: place, end: place }, lines, 'other');
    return changed(vim, command, now, firstNonBlank(now.text, isAfter ? place + 1 : place));
  }
  const place = isAfter ? Math.min(nextBoundary(text, cursor), lineEnd(text, cursor)) : cursor;
  const now = replaceRange(draft, { start: place, end: place }, many, 'other');
  return changed(vim, command, now, onPut(now.text, place, many));
};

/** The last character of a text that was put, or the first one of several lines. */
const onPut = (text: string, start: number, made: string): number =>
  made.includes('\n') ? start : lastCluster(text, { start, end: start + made.length });

/** Replaces the selection by the text. What was selected is put the next time, except after `P`. */
function putOver(vim: Vim, draft: Draft, command: VimCommand, around: Around): Edited {
  const selected = visualRange(vim, draft);
  const held = registerText(draft, command, around);
  if (selected === null || held === '') return nothing(vim, draft);
  const { start, end, isLinewise } = selected;
  const taken = draft.text.slice(start, end) + (isLinewise ? '\n' : '');
  const hasLines = isLines(vim, held);
  const once = isLinewise && !hasLines ? `${held}\n` : held;
  const many = once.repeat(timesWithin(command.count ?? 1, once));
  const inserted = isLinewise ? many.slice(0, -1) : hasLines ? `\n${many}` : many;
  const now = replaceRange(draft, { start, end }, inserted, 'other');
  const cursor =
    isLinewise || hasLines ? firstNonBlank(now.text, isLinewise ? start : start + 1) : onPut(now.text, start, inserted);
  const edited = changed(vim, { ...command, action: 'p' }, now, cursor);
  if (command.action === 'P' || taken === '') return edited;
  const characterwise = isLinewise ? null : taken;
  return { vim: { ...edited.vim, characterwise }, draft: fillRegister(edited.draft, taken, null) };
}

/** `r`: with too few characters in the line, nothing is replaced. */
const replace: Change = (vim, draft, command, around) => {
  if (visualRange(vim, draft) !== null)
    return operate(vim, draft, { ...command, operator: 'r', action: 'selected' }, around);
  const { text, cursor } = draft;
  const { char } = command;
  const count = command.count ?? 1;
  const last = clustersOn(text, cursor, count - 1, lineEnd(text, cursor));
  if (last >= lineEnd(text, cursor)) return nothing(vim, draft);
  const made = char === '\n' ? char : char.repeat(count);
  const now = replaceRange(draft, { start: cursor, end: nextBoundary(text, last) }, made, 'other');
  const end = cursor + made.length;
  return changed(vim, command, now, char === '\n' ? end : lastCluster(now.text, { start: cursor, end }));
};

const switchCase: Change = (vim, draft, command) => {
  const { text, cursor } = draft;
  const end = clustersOn(text, cursor, command.count ?? 1, lineEnd(text, cursor));
  const now = withCase(draft, { start: cursor, end }, '~');
  return changed(vim, command, now, end + now.text.length - text.length);
};

/** Lines are joined with a blank, without the blanks that the next one begins with; by `gJ` as they are. */
const join: Change = (vim, draft, command) => {
  const { text, cursor } = draft;
  const selected = visualRange(vim, draft);
  const first = lineStart(text, selected?.start ?? cursor);
  const count = Math.max(2, command.count ?? 2);
  const lastLine = selected === null ? lineAt(text, cursor, count - 1) : Math.max(cursor, snap(text, vim.anchor));
  const end = lineEnd(text, selected !== null && lineEnd(text, first) >= lastLine ? lineAt(text, first, 1) : lastLine);
  const [head = '', ...others] = text.slice(first, end).split('\n');
  if (others.length === 0) return { vim: normal(vim), draft: placed(draft, selected?.start ?? cursor) };
  let made = head;
  let place = head.length;
  for (const line of others) {
    place = made.length;
    made += command.action === 'gJ' ? line : withBlank(made, line.trimStart());
  }
  const repeated = selected === null ? command : { ...command, count: others.length + 1 };
  return changed(vim, repeated, replaceRange(draft, { start: first, end }, made, 'other'), first + place);
};

const withBlank = (before: string, rest: string): string =>
  (rest === '' || before === '' || /\s$/.test(before) || rest.startsWith(')') ? '' : ' ') + rest;

export const changes: Readonly<Record<string, Change>> = {
  p: put,
  P: put,
  r: replace,
  '~': switchCase,
  J: join,
  gJ: join,
};
