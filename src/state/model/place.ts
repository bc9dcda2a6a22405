/** The reading place of a thread: its scroll position, its selected and marked messages, the parts of long ones. */
import type { MessageId } from '../../protocol/types.ts';

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
