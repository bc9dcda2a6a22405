/** What lies over the panes and has the keyboard: its kind, and what was typed and chosen in it. */
import type { ContactId, ConversationId, GroupId, MessageId, Millis } from '../../protocol/types.ts';
import type { Links } from '../model/links.ts';
import type { Found } from './message-hits.ts';
import type { Looked } from './search-result.ts';

export type Overlay =
  | { readonly kind: 'help'; readonly scroll: number }
  | {
      readonly kind: 'confirm';
      readonly id: ConfirmId;
      /** '' where the question is about none. */
      readonly conversationId: ConversationId;
      readonly messageId: MessageId | null;
      /** The text of the message when the question was asked; a change closes the question. */
      readonly textThen: string | null;
      /** The reaction asked about, for `react.unknown-rule`. */
      readonly reaction?: string;
      readonly openedAt: Millis;
    }
  | {
      readonly kind: 'react';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      readonly query: string;
      readonly selected: number;
    }
  | Finding
  | LookingUp
  | { readonly kind: 'token'; readonly value: string }
  /** Whether a token that was given belongs to the account whose conversations and words are here. */
  | { readonly kind: 'same-account'; readonly token: string; readonly unsent: number; readonly openedAt: Millis }
  /** A name of the user's own for a contact or group. */
  | { readonly kind: 'name'; readonly of: ContactId | GroupId; readonly value: string }
  | { readonly kind: 'unsure'; readonly uuid: string }
  /** The addresses of a message, as they were when it was asked. */
  | { readonly kind: 'links'; readonly links: Links; readonly selected: number };

/** A search through what is cached. */
export interface Finding {
  readonly kind: 'find';
  /** Where it is searched; null is everywhere. */
  readonly conversationId: ConversationId | null;
  /** The conversation to which a search everywhere can be narrowed again; null where it was not begun in one. */
  readonly here: ConversationId | null;
  readonly query: string;
  readonly selected: number;
  /** May still be of the words before the last key. */
  readonly found: Found | null;
}

/** Looking somebody or something up by its name. */
export interface LookingUp {
  /** What one goes to may be a conversation, a person, a group or a command. */
  readonly kind: 'go-to' | 'new-conversation';
  /** As typed; where one goes to something, with the sign before it that tells what it names. */
  readonly query: string;
  readonly selected: number;
  /** The choice was moved, and stays with its row from then on. */
  readonly isMoved: boolean;
  readonly looked: Looked;
}

export type ConfirmId = 'message.delete' | 'conversation.delete' | 'react.unknown-rule' | 'app.quit';
