/** Editing with vim's modes: one key, the draft before and after. */
import type { ConversationId } from '../../../protocol/types.ts';
import { nextBoundary } from '../../../text/unicode/graphemes.ts';
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand } from '../../model/vim.ts';
import { redo, selectionOf, undo } from '../draft.ts';
import { insert } from '../draft-edit.ts';
import { changes } from './changes.ts';
import { type Around, type Edited, moved, normal, placed } from './edited.ts';
import { beginInsert, endInsert } from './insertion.ts';
import { firstNonBlank, lineEnd, lineStart } from './lines.ts';
import { endOfMotion } from './motions.ts';
import { lastCluster, operate } from './operators.ts';
import { isReplacing, overwrite, pressReplacing } from './overwriting.ts';
import { nothingPending, readKey } from './pending.ts';
import { textObject } from './text-objects.ts';

/** The composer begins in insert mode. */
export const newVim = (conversationId: ConversationId): Vim => ({
  conversationId,
  mode: 'insert',
  pending: nothingPending,
  anchor: 0,
  insertion: null,
  find: null,
  last: null,
  characterwise: null,
});

/** Keys with the meaning of others, in all modes but insert mode. */
const aliases: Readonly<Record<string, string>> = { backspace: 'h', 'ctrl+h': 'h', ' ': 'l', delete: 'x' };
/** Keys that are motions while a command is not complete or text is selected; else they do what they always do. */
const arrows: Readonly<Record<string, string>> = { left: 'h', right: 'l', up: 'k', down: 'j', home: '0', end: '$' };

/** The keys that do what they always do. After an incomplete command all others only cancel it. */
const others = /^(?!ctrl\+[chr]$)(?:ctrl|alt|shift)\+.|^(?:f\d+|tab|pageup|pagedown)$/;
const othersWhenIdle = /^(?!ctrl\+r$)(?:ctrl|alt|shift)\+.|^[a-z0-9]{2,}$/;

/**
 * @param key a character, `escape`, `enter` or another key by its name
 * @returns null where the key is not one of vim's, so that it does what it does without modes
 */
export function pressVim(vim: Vim, draft: Draft, key: string, around: Around): Edited | null {
  if (vim.mode === 'insert') return pressTyping(vim, draft, key);
  const now = moved(vim, draft, draft.cursor, draft.goalColumn);
  const isIdle = vim.pending.keys === '';
  const isVisual = vim.mode !== 'normal';
  if (key === 'escape') return leave(vim, now);
  const meant =
    vim.pending.prefix === null ? (aliases[key] ?? (isIdle && !isVisual ? key : (arrows[key] ?? key))) : key;
  const read = readKey(vim.pending, meant, vim.mode);
  if (read === null) {
    if (isIdle) return othersWhenIdle.test(meant) ? null : { vim, draft: now };
    const cancelled: Edited = { vim: { ...vim, pending: nothingPending }, draft: now };
    return others.test(meant) ? { ...cancelled, isPassedOn: true } : cancelled;
  }
  if ('pending' in read) return { vim: { ...vim, pending: read.pending }, draft: now };
  return carryOut({ ...vim, pending: nothingPending }, now, read.command, around);
}

/**
 * Outside of insert mode, the selection of the draft, which the mouse has made, becomes that of visual mode; without one,
 * visual mode ends.
 *
 * @param isDrag the cluster under the pointer belongs to the selection, and the draft keeps where the drag began
 */
export function selectByMouse(vim: Vim, draft: Draft, isDrag: boolean): Edited {
  if (vim.mode === 'insert') return { vim, draft };
  const selection = selectionOf(draft);
  if (selection === null) return { vim: normal(vim), draft: { ...draft, lastChange: 'other' } };
  const selecting: Vim = { ...normal(vim), mode: 'visual', anchor: draft.anchor ?? draft.cursor };
  if (isDrag) return { vim: selecting, draft };
  return { vim: selecting, draft: { ...draft, anchor: null, cursor: lastCluster(draft.text, selection) } };
}

function pressTyping(vim: Vim, draft: Draft, key: string): Edited | null {
  if (key === 'escape') return endInsert(vim, draft);
  const { insertion } = vim;
  return insertion !== null && isReplacing(insertion) ? pressReplacing(vim, insertion, draft, key) : null;
}

/** Ends the incomplete command, or else the selection; null where there is neither. */
function leave(vim: Vim, draft: Draft): Edited | null {
  if (vim.pending.keys !== '') return { vim: { ...vim, pending: nothingPending }, draft };
  return vim.mode === 'normal' ? null : leaveVisual(vim, draft);
}

const leaveVisual = (vim: Vim, draft: Draft): Edited => ({
  vim: normal(vim),
  draft: placed(draft, draft.cursor, draft.goalColumn),
});

function carryOut(vim: Vim, draft: Draft, command: VimCommand, around: Around): Edited {
  const held = 'fFtT'.includes(command.action) ? { ...vim, find: { action: command.action, char: command.char } } : vim;
  if (command.operator !== null) return operate(held, draft, command, around);
  const change = changes[command.action];
  if (change !== undefined) return change(held, draft, command, around);
  const isVisual = held.mode !== 'normal';
  if (isVisual && command.char !== '' && 'ia'.includes(command.action)) return selectObject(held, draft, command);
  const act = (isVisual ? visualActs : acts)[command.action];
  return act === undefined ? move(held, draft, command, around) : act(held, draft, command, around);
}

function move(vim: Vim, draft: Draft, command: VimCommand, { columns }: Around): Edited {
  const motion = endOfMotion({ ...draft, columns, find: vim.find, isVisual: vim.mode !== 'normal' }, command);
  return { vim, draft: motion === null ? draft : moved(vim, draft, motion.to, motion.goalColumn ?? null) };
}

type Act = (vim: Vim, draft: Draft, command: VimCommand, around: Around) => Edited;

const steps =
  (step: (draft: Draft) => Draft): Act =>
  (vim, draft, { count }) => {
    let now = draft;
    for (let left = count ?? 1; left > 0; left--) {
      const next = step(now);
      if (next === now) break;
      now = next;
    }
    return { vim, draft: placed(now, now.cursor) };
  };

/** Puts the cursor where it was before the change that is done again; where that line is gone, into the last one. */
function redone(draft: Draft): Draft {
  const now = redo(draft);
  if (now === draft) return draft;
  const before = now.undo.at(-1)?.cursor ?? now.cursor;
  const line = lineStart(draft.text, before);
  const isGone = line > now.text.length;
  const cursor = isGone ? firstNonBlank(now.text, now.text.length) : Math.min(before, lineEnd(now.text, line));
  return { ...now, cursor };
}

const repeat: Act = (vim, draft, { count }, around) => {
  if (vim.last === null) return { vim, draft };
  const { command, inserted } = vim.last;
  const done = carryOut(vim, draft, { ...command, count: count ?? command.count }, around);
  const { insertion } = done.vim;
  if (insertion === null) return done;
  const typed = isReplacing(insertion)
    ? overwrite(done.vim, insertion, done.draft, inserted)
    : { ...done, draft: insert(done.draft, inserted) };
  return endInsert(typed.vim, typed.draft);
};

const visual =
  (mode: 'visual' | 'visual-line'): Act =>
  (vim, draft) => {
    if (vim.mode === mode) return leaveVisual(vim, draft);
    return { vim: { ...vim, mode, anchor: vim.mode === 'normal' ? draft.cursor : vim.anchor }, draft };
  };

const begin: Act = (vim, draft, command) => beginInsert(vim, draft, command);

const acts: Readonly<Record<string, Act>> = {
  u: steps(undo),
  'ctrl+r': steps(redone),
  '.': repeat,
  v: visual('visual'),
  V: visual('visual-line'),
  i: begin,
  a: begin,
  I: begin,
  A: begin,
  o: begin,
  O: begin,
  R: begin,
};

const visualActs: Readonly<Record<string, Act>> = {
  v: visual('visual'),
  V: visual('visual-line'),
  o: (vim, draft) => ({ vim: { ...vim, anchor: draft.cursor }, draft: moved(vim, draft, vim.anchor) }),
};

function selectObject(vim: Vim, draft: Draft, { action, char, count }: VimCommand): Edited {
  const { text, cursor } = draft;
  // Where more than the character under the cursor is selected, the selection goes on with the object after it.
  const isMore = vim.anchor < cursor && /[wWp]/.test(char);
  const from = isMore ? nextBoundary(text, vim.mode === 'visual-line' ? lineEnd(text, cursor) : cursor) : cursor;
  const found = textObject(text, from, action, char, count ?? 1);
  if (found === null || (found.start === found.end && !found.isLinewise)) return { vim, draft };
  // The last line of a paragraph may be empty, and the cluster before its end the line break before it.
  const [mode, to] = found.isLinewise
    ? (['visual-line', lineStart(draft.text, found.end)] as const)
    : (['visual', lastCluster(draft.text, found)] as const);
  return { vim: { ...vim, mode, anchor: isMore ? vim.anchor : found.start }, draft: placed(draft, to) };
}
