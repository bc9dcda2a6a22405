/** Jumps: where the user was before each of them, and the message that is being looked for far back. */
import type { ConversationId } from '../../protocol/types.ts';
import type { HistoryAim, HistoryKey } from './history.ts';
import type { Place } from './place.ts';
import type { Focus } from './screen-state.ts';

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

/** History is being fetched until a message is there. */
export interface Seeking {
  readonly conversationId: ConversationId;
  readonly aim: HistoryAim;
  /** What is looked for, in words: the end of "Fetching back to …". */
  readonly words: string;
}
