/** What the composer offers for the word at its cursor: people for `@an`, emoji for `:smi`, commands for `/mu`. */
import type { Contact, ContactId, Conversation, ConversationId, Message } from '../../protocol/types.ts';

/** A word that something can be offered for. */
export interface CompletionWord {
  readonly kind: 'person' | 'emoji' | 'command';
  /** Where it begins in the draft. */
  readonly start: number;
  /** As it was typed, with its first sign. */
  readonly typed: string;
}

export interface CompletionRow {
  /** The text that replaces the word when the row is taken. */
  readonly text: string;
  /** What the row shows; neither is sanitised. */
  readonly label: string;
  readonly note: string;
  /** It can be taken, but does nothing now; the note says why. */
  readonly isDisabled?: true;
}

/** The parts of the state in which people are searched; when one of them changes, the search is repeated. */
export interface PeopleSources {
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  /** Names that the user gave. */
  readonly names: ReadonlyMap<string, string>;
  /** The messages of the open conversation. */
  readonly messages: readonly Message[] | undefined;
}

/** It holds for one word of one draft: see `heldCompletion`. */
export interface Completion extends CompletionWord {
  readonly conversationId: ConversationId;
  readonly rows: readonly CompletionRow[];
  /** The row that was chosen; null until a key chose one. */
  readonly selected: number | null;
  /** What the people among the rows were found in. */
  readonly sources?: PeopleSources;
  /** False while people further down a long contact book have not been searched. */
  readonly isDone: boolean;
  /** Esc closed it; it stays closed for this word. */
  readonly isClosed: boolean;
}
