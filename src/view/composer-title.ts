/** Draws the upper border of the composer: who gets the draft, the mode of vim, and how many rows are out of sight. */
import { isReplacing } from '../state/composer/vim/overwriting.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { Vim, VimMode } from '../state/model/vim.ts';
import { selectComposer, selectConversationName, selectPlace, selectVim } from '../state/select/selectors.ts';
import { type Row, span, type Target } from '../text/layout/row.ts';
import type { EditableLayout, EditableLine } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { borderRow, type Corners, type KeyOf, type Look, paneLook } from './frame.ts';
import type { Below } from './thread-unread.ts';

export type ComposerTitleFacts = [columns: number, hidden: number, ...ReturnType<typeof titleFacts>];

/** @param unreadBelow counts the unread messages below the thread pane */
export function titleFacts(
  state: AppState,
  unreadBelow: () => Below,
): [
  name: SafeText | null,
  isEditing: boolean,
  isFocused: boolean,
  below: Below,
  mode: VimMode | 'replace' | null,
  pending: string,
] {
  const { openId } = state.view;
  if (openId === null) return [null, false, false, 'nothing', null, ''];
  const below = selectPlace(state, openId).scroll.at === 'bottom' ? 'nothing' : unreadBelow();
  const isEditing = selectComposer(state).editing !== null;
  const isFocused = state.screen.focus === 'composer';
  const vim = isFocused ? selectVim(state) : null;
  const name = selectConversationName(state, openId);
  return [name, isEditing, isFocused, below, vim === null ? null : shownMode(vim), vim?.pending.keys ?? ''];
}

export function titleRow(look: Look, keyOf: KeyOf, ...facts: ComposerTitleFacts): Row {
  const [columns, hidden, name, isEditing, isFocused, below, mode, pending] = facts;
  const { theme, signs } = look;
  const corners: Corners = { left: signs.teeRight, right: signs.teeLeft };
  const drawn = paneLook(look, isFocused);
  const inMode = (text: SafeText): Row => {
    const full = mode === null ? text : safe`${modeText(mode, pending)} ${signs.dot} ${text}`;
    return [span(full, drawn.title)];
  };
  const to = name === null ? literal('No conversation') : safe`To ${name}`;
  const title = inMode(isEditing ? editingText(look, keyOf, mode) : to);
  // The footer names the key too.
  const shorter = isEditing ? inMode(literal('Editing')) : title;
  const above = hidden === 0 ? [] : [span(hiddenText(hidden, signs.up), theme.muted)];
  if (below === 'nothing') return borderRow(columns, corners, drawn, { title, shorter, note: above });
  const more = below === 0 || below === null ? safe`newer ${signs.down}` : safe`${below} new ${signs.down}`;
  const right = hidden === 0 ? more : safe`${hiddenText(hidden, signs.up)} ${signs.dot} ${more}`;
  const note = [span(right, below === 0 ? theme.muted : theme.unread, toNewest)];
  return borderRow(columns, corners, drawn, { title, shorter, note });
}

function editingText({ signs }: Look, keyOf: KeyOf, mode: VimMode | 'replace' | null): SafeText {
  const escapeKey = sanitizeLine(keyOf('layer.back') || 'Esc');
  const escapes = mode === null || mode === 'normal' ? escapeKey : safe`${escapeKey} ${escapeKey}`;
  return safe`Editing ${signs.dot} ${escapes} to cancel`;
}

const shownMode = ({ mode, insertion }: Vim): VimMode | 'replace' =>
  insertion !== null && isReplacing(insertion) ? 'replace' : mode;

const modeNames: Readonly<Record<VimMode | 'replace', SafeText>> = {
  insert: literal('INSERT'),
  replace: literal('REPLACE'),
  normal: literal('NORMAL'),
  visual: literal('VISUAL'),
  'visual-line': literal('VISUAL LINE'),
};

/** Names the mode, with the keys of a command that is not complete. */
const modeText = (mode: VimMode | 'replace', pending: string): SafeText =>
  pending === '' ? modeNames[mode] : safe`${modeNames[mode]} ${sanitizeLine(pending)}`;

const countedRows = 99;

/** How many rows of the text are above the first one in sight, counted no further than `countedRows` + 1. */
export const rowsAbove = (text: EditableLayout, first: EditableLine | undefined): number =>
  first === undefined || first.start === 0 ? 0 : countRows(first, text.rowBefore);

/** How many rows of the text are below the last one in sight, counted in the same way. */
export const rowsBelow = (text: EditableLayout, last: EditableLine | undefined): number =>
  last === undefined ? 0 : countRows(last, text.rowAfter);

function countRows(from: EditableLine, next: (row: EditableLine) => EditableLine | null): number {
  let count = 0;
  for (let row = next(from); row !== null && count <= countedRows; row = next(row)) count++;
  return count;
}

/** @param arrow the direction in which the rows are */
export function hiddenText(hidden: number, arrow: SafeText): SafeText {
  if (hidden > countedRows) return safe`${arrow} more than ${countedRows} lines`;
  return safe`${arrow} ${hidden} more ${hidden === 1 ? literal('line') : literal('lines')}`;
}

const toNewest: Target = { kind: 'command', id: 'thread.newest' };
