/** Text of messages that the mouse has selected. */
import type { MessageId } from '../../protocol/types.ts';

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
