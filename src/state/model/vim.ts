/** The state of vim's modes in the composer of one conversation. */
import type { ConversationId } from '../../protocol/types.ts';
import type { Draft } from './draft.ts';

export type VimMode = 'insert' | 'normal' | 'visual' | 'visual-line';
/** `r` is one where text is selected. */
export type VimOperator = 'd' | 'c' | 'y' | 'u' | 'U' | '~' | 'r';

export interface Vim {
  /** The conversation whose draft it belongs to; another one begins in insert mode. */
  readonly conversationId: ConversationId;
  readonly mode: VimMode;
  readonly pending: VimPending;
  /** In the visual modes, the cluster at which the selection began. */
  readonly anchor: number;
  /** The command that began insert mode; null where a message is typed without one. */
  readonly insertion: VimInsertion | null;
  /** The last `f`, `F`, `t` or `T`, which `;` and `,` repeat. */
  readonly find: VimFind | null;
  /** The last change, which `.` repeats. */
  readonly last: VimChange | null;
  /**
   * The text that was taken last, where it ends with a line break although no whole lines were taken: `p` puts it at the cursor.
   * Null where whole lines were taken, which `p` puts on lines of their own.
   */
  readonly characterwise: string | null;
}

/** The keys of a command that is not complete. */
export interface VimPending {
  /** As they were typed. */
  readonly keys: string;
  readonly register: string | null;
  readonly operator: VimOperator | null;
  /** The digits before the operator, and those after it or where there is none. */
  readonly operatorCount: number | null;
  readonly count: number | null;
  /** What the next character completes: `f`, `g`, `r`, `"`, and `i` or `a` of a text object; null for none. */
  readonly prefix: string | null;
}

/** A complete command, such as `"+3dfx`. */
export interface VimCommand {
  readonly register: string | null;
  readonly operator: VimOperator | null;
  readonly count: number | null;
  /** The key of the motion or command; after a prefix with it, as `gg` and `iw`, but `f` and `r` without `char`. */
  readonly action: string;
  readonly char: string;
}

export interface VimInsertion {
  readonly command: VimCommand;
  /** The draft before the command. */
  readonly before: Draft;
  /** The text when the typing began, and where it began. */
  readonly text: string;
  readonly at: number;
  /** In replace mode, what was typed over since the cursor was at `at`; null for nothing. */
  readonly replaced: VimReplaced | null;
}

/** A text that was typed over, and the one before it. */
export interface VimReplaced {
  /** What was typed in its place. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly before: VimReplaced | null;
}

export interface VimFind {
  readonly action: string;
  readonly char: string;
}

export interface VimChange {
  readonly command: VimCommand;
  /** What was typed then. */
  readonly inserted: string;
}
