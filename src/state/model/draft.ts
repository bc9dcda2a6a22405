/** A text that is being written: the composer's draft of a conversation, or the text in a text field. */
import type { SentContent } from '../../protocol/same-text.ts';
import type { AttachmentFields, ConversationId, MessageId, Partner } from '../../protocol/types.ts';

/** The composer of one conversation. Offsets are UTF-16 units at grapheme boundaries. */
export interface Draft extends SentContent {
  readonly cursor: number;
  /** The other end of the selection; null when nothing is selected. */
  readonly anchor: number | null;
  /** The column that up and down try to keep, in cells. */
  readonly goalColumn: number | null;
  readonly undo: readonly DraftStep[];
  readonly redo: readonly DraftStep[];
  readonly kill: string;
  /** What was cut before, the newest first. */
  readonly earlierKills?: readonly string[];
  /** Attachments of a message that was discarded; yanking attaches them again. */
  readonly killedFiles?: readonly AttachmentFields[];
  /** Kind of the last change, so that runs of it are one undo step. */
  readonly lastChange: 'insert' | 'delete' | 'kill' | 'yank' | 'paste' | 'other';
  /** The own message being edited here; the text replaces it when sent. */
  readonly editing: DraftEditing | null;
  /** Places of a snippet that are still to be filled in, in the order in which Tab visits them. */
  readonly stops?: readonly { readonly start: number; readonly end: number }[];
  /** A long text was pasted at once, so that sending it is asked about. */
  readonly hasLongPaste?: true;
  /** The sent text that was recalled here, and what the draft held before. */
  readonly recalled?: { readonly text: string; readonly stash: string };
}

export interface DraftEditing {
  readonly messageId: MessageId;
  readonly base: string;
  /** What the composer held before, when it held anything; comes back when editing ends. */
  readonly stash?: string;
}

/** Undoes a change: puts `text` in the place of `start` to `end`. It is as large as the change, not as the draft. */
export interface DraftStep {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The cursor before the change. */
  readonly cursor: number;
  /** In a step of redo, the cursor before the change that it does again. */
  readonly first?: number;
  /** What the change did to the attachments; absent where it left them alone. */
  readonly files?: FileChange;
}

export interface FileChange {
  readonly added: readonly AttachmentFields[];
  readonly removed: readonly AttachmentFields[];
}

/** A draft, and the conversation that it is for. */
export interface DraftChange {
  readonly conversationId: ConversationId;
  readonly draft: Draft;
}

/** The conversation that was asked for last and is not there yet, and what was open and written when it was asked for. */
export interface Starting extends Partner {
  readonly openId: ConversationId | null;
  readonly draft: Draft;
}
