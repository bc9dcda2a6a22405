/** The result of a key of vim, and the steps that all of its commands share. */
import type { Draft } from '../../model/draft.ts';
import type { Vim, VimCommand } from '../../model/vim.ts';
import { snap, withKill } from '../draft.ts';
import { onCluster } from './lines.ts';
import { nothingPending } from './pending.ts';

export interface Edited {
  readonly vim: Vim;
  readonly draft: Draft;
  /** Text for the clipboard of the terminal. */
  readonly copied?: string;
  /** The key has ended an incomplete command, and does what it does without modes. */
  readonly isPassedOn?: true;
}

/** What the commands need to know besides the draft. */
export interface Around {
  /** How wide the rows of the composer are. */
  readonly columns: number;
  /** What was copied or pasted last in this program, for `"+p`. */
  readonly clipboard: string;
}

/** The draft with its cursor on the cluster at `offset`, as in normal mode; the next change is a separate undo step. */
export const placed = (draft: Draft, offset: number, goalColumn: number | null = null): Draft => ({
  ...draft,
  cursor: onCluster(draft.text, offset),
  anchor: null,
  goalColumn,
  lastChange: 'other',
});

/** As `placed`, but in the visual modes the cursor may be on the line break, which is selected then, or at the end of the text. */
export const moved = (vim: Vim, draft: Draft, offset: number, goalColumn: number | null = null): Draft => {
  const now = placed(draft, offset, goalColumn);
  return vim.mode === 'normal' ? now : { ...now, cursor: snap(draft.text, offset) };
};

/** Makes `text` what `p` puts, and what `Ctrl-Y` inserts with the standard keys; the register `_` keeps nothing. */
export function fillRegister(draft: Draft, text: string, register: string | null): Draft {
  if (text === '' || register === '_') return draft;
  const { killedFiles: _, ...rest } = draft;
  return withKill(rest, text);
}

export const isClipboard = ({ register }: VimCommand): boolean => register === '+' || register === '*';

export const normal = (vim: Vim): Vim => ({ ...vim, mode: 'normal', pending: nothingPending, insertion: null });

/** @param now the draft in which typing begins at the cursor; @param before the draft before the whole command */
export const inserting = (vim: Vim, command: VimCommand, before: Draft, now: Draft): Edited => ({
  vim: {
    ...normal(vim),
    mode: 'insert',
    insertion: { command, before, text: now.text, at: now.cursor, replaced: null },
  },
  draft: { ...now, anchor: null, goalColumn: null, lastChange: 'other' },
});

/** Ends a change, which `.` repeats from now on. */
export const changed = (vim: Vim, command: VimCommand, draft: Draft, cursor: number): Edited => ({
  vim: { ...normal(vim), last: { command, inserted: '' } },
  draft: placed(draft, cursor),
});
