/**
 * Where the user reads: the place in each thread, jumps between places, the walk through the unread conversations, and text
 * that the mouse has selected.
 */
import type { ConversationId, MessageId } from '../../protocol/types.ts';
import type { HistoryAim, HistoryKey } from './history.ts';
import type { Focus } from './screen-state.ts';

/** Where one thread is read. */
export interface Place {
  readonly scroll: ScrollPlace;
  readonly selectedId: MessageId | null;
  /** The long message that is read further than its first part. */
  readonly part?: ReadPart;
  /** The message that is shown as it was typed. */
  readonly rawId?: MessageId | null;
  /** The messages that are marked, so that an action takes all of them. */
  readonly marked?: readonly MessageId[];
  /** The long messages that are shown whole, the last one unfolded last. */
  readonly unfolded?: readonly MessageId[];
}

/** The part of a long message that is shown: the offsets in the raw text at which it and the parts before it begin. */
export interface ReadPart {
  readonly messageId: MessageId;
  readonly starts: readonly number[];
}

/** `line` rows of the message are above the top of the pane; history added above never moves what is read. */
export type ScrollPlace =
  | { readonly at: 'bottom' }
  | { readonly at: 'message'; readonly messageId: MessageId; readonly line: number };

/** The places before the jumps that were made, and those that were left by going back; the last one is the nearest. */
export interface Jumps {
  readonly back: readonly JumpPlace[];
  readonly forward: readonly JumpPlace[];
}

export interface JumpPlace {
  readonly conversationId: ConversationId;
  readonly place: Place;
  /** The message at the top of the pane; null at the newest messages. */
  readonly top: HistoryKey | null;
  readonly focus: Focus;
}

/** A walk through the unread conversations. */
export interface Triage {
  /** Where the user was before. */
  readonly from: JumpPlace | 'nothing-open';
  readonly direction: -1 | 1;
  /** What it has opened in this direction: a long conversation stays unread until its end was seen. */
  readonly opened: readonly ConversationId[];
}

/** History is being fetched until a message is there. */
export interface Seeking {
  readonly conversationId: ConversationId;
  readonly aim: HistoryAim;
  /** What is looked for, in words: the end of "Fetching back to …". */
  readonly words: string;
}

/** A cell of a message as it is drawn; it stays where it is while the thread scrolls and grows. */
export interface TextSpot {
  readonly messageId: MessageId;
  /** The row of the message, from 0, below its day and author lines. */
  readonly line: number;
  /** The column of the pane. */
  readonly column: number;
}

/** From the cell where the button was pressed to the one under the pointer, both included. */
export interface TextSelection {
  readonly anchor: TextSpot;
  readonly head: TextSpot;
}
