/** Overlays: dialogs over the panes that have the keyboard. Each kind has what was typed and selected in it. */
import type { SentContent } from '../../protocol/same-text.ts';
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import type { DetailsOverlay, Person, PersonOverlay } from './details.ts';
import type { Draft } from './draft.ts';
import type { Links } from './links.ts';
import type { MessageSearchResult, NameSearchResult } from './search-results.ts';
import type { SettingsPage, Tried } from './setting-entry.ts';
import type { Settings } from './settings.ts';

/** An overlay with a text field. */
export interface TextField {
  readonly typed: string;
  /** Cursor and undo of the field, while `field.text` is what is typed; see `fieldDraft`. */
  readonly field?: Draft;
}

export type Overlay =
  /** All commands with their keys, to search and to choose from. */
  | (TextField & { readonly kind: 'help'; readonly selected: number })
  /** Asks for the new key of a command. */
  | {
      readonly kind: 'rebind';
      /** The id of the command. */
      readonly command: string;
      /** A key that has other meanings, which is taken only after a second answer; null while none was pressed. */
      readonly pressed: PressedKey | null;
    }
  | {
      readonly kind: 'confirm';
      /** Names the question; its texts and what it does are in `commands/questions.ts`. */
      readonly id: string;
      /** '' where the question is about no conversation. */
      readonly conversationId: ConversationId;
      readonly messageId: MessageId | null;
      /** The text of the message when the question was asked; the answer counts only while it has not changed. */
      readonly textThen: string | null;
      /** The reaction asked about, for `react.unknown-rule`. */
      readonly reaction?: string;
      readonly openedAt: Millis;
    }
  | (TextField & {
      readonly kind: 'reaction-picker';
      readonly conversationId: ConversationId;
      readonly messageId: MessageId;
      /** The reactions that the message had when the picker was opened, so that no row moves; absent: it had none. */
      readonly reactionsThen?: readonly string[];
      readonly selected: number;
    })
  | MessageSearchOverlay
  | NamePrompt<'switcher'>
  | NamePrompt<'new-conversation'>
  | NamePrompt<'forward'>
  | (TextField & { readonly kind: 'token' })
  /** Asks under which name a text is kept as a snippet. */
  | (TextField & { readonly kind: 'snippet-name'; readonly text: string })
  /** Asks for the path of the file that this text of so many messages is saved to. */
  | (TextField & { readonly kind: 'save-messages'; readonly text: string; readonly messages: number })
  /** Asks for the path of the file that the conversation is exported to. */
  | (TextField & { readonly kind: 'export-conversation'; readonly conversationId: ConversationId })
  /** The search in the texts that were sent before. */
  | (TextField & { readonly kind: 'sent-texts'; readonly selected: number })
  /** Asks whether a new token belongs to the account whose conversations and unsent texts are on this machine. */
  | { readonly kind: 'same-account'; readonly token: string; readonly unsent: number; readonly openedAt: Millis }
  /** A name that the user gives to a contact or group. */
  | (TextField & { readonly kind: 'own-name'; readonly of: Person })
  /** What is to be attached to the message that is written in the conversation. */
  | (TextField & { readonly kind: 'attach'; readonly conversationId: ConversationId })
  /** Asks for the day to go to in a conversation. */
  | (TextField & { readonly kind: 'go-to-date'; readonly conversationId: ConversationId })
  | SettingsOverlay
  /** Asks for the value of a setting. */
  | (TextField & { readonly kind: 'setting-value'; readonly id: string })
  /** Asks what becomes of a message of which it is not known whether it arrived. */
  | { readonly kind: 'unsure'; readonly uuid: string }
  /** Things to do with a message or conversation; the rows of each menu are in `commands/menus.ts`. */
  | {
      readonly kind: 'menu';
      readonly id: string;
      readonly conversationId: ConversationId;
      /** The item of the thread that the rows are about, which may be a message that is not sent; null for other menus. */
      readonly itemId: MessageId | null;
      readonly selected: number;
      /** The id of the row that keys have selected, which may have another place by now; absent: none have. */
      readonly row?: string;
    }
  | DetailsOverlay
  /** The notices of this run. */
  | { readonly kind: 'notices'; readonly scroll: number }
  | PersonOverlay
  /** A note of the user's own about a contact or group. */
  | (TextField & { readonly kind: 'own-note'; readonly of: Person })
  /** The addresses of a message, as they were when the dialog was opened. */
  | { readonly kind: 'links'; readonly links: Links; readonly selected: number };

/** The new keys of commands by their ids; null for the keys of the key profile. */
export type KeyChanges = Readonly<Record<string, readonly string[] | null>>;

export interface PressedKey {
  /** The key that was pressed, or those of the key profile. */
  readonly keys: readonly string[];
  /** They are those of the key profile, so that nothing is kept for the command. */
  readonly isUsual: boolean;
  readonly at: Millis;
  /** Why the key cannot be taken; null where it can. */
  readonly refusal: string | null;
  /** What the keys mean already: the ids of these commands, and a sentence on each. */
  readonly conflicts: readonly { readonly id: string; readonly text: string }[];
}

/** Every setting; what is typed is a filter. */
export interface SettingsOverlay extends TextField {
  readonly kind: 'settings';
  readonly selected: number;
  /** Null while config.toml is being read. */
  readonly page: SettingsPage | null;
  readonly tried: Tried;
  /** The fields of the running settings that `tried` has changed, as they were before. */
  readonly before: Partial<Settings>;
  /** What was tried at each Enter that this screen has carried out; absent: there was none. */
  readonly written?: readonly Tried[];
  /** The result of the last key, in one line; null where there is nothing to report. */
  readonly remark: string | null;
}

/** The search through cached messages (Ctrl-F). */
export interface MessageSearchOverlay extends TextField {
  readonly kind: 'message-search';
  /** The conversation that is searched; null: all of them. */
  readonly conversationId: ConversationId | null;
  /** The conversation in which the search was opened, to which it can be narrowed again; null where there was none. */
  readonly here: ConversationId | null;
  readonly selected: number;
  /** May still be the result of an earlier query: see `isResultFor`. */
  readonly result: MessageSearchResult | null;
  /** Absent until older messages are fetched for the search. */
  readonly fetched?: FetchedForSearch;
}

/** What the user has fetched to search in it. */
export interface FetchedForSearch {
  /** When the user last asked for more. What still comes for an earlier request has another time, and is not counted. */
  readonly begunAt: Millis;
  /** How many pages have come for this search. */
  readonly pages: number;
  /** The time of the oldest message that is kept by now; null until the first page has come. */
  readonly oldest: Millis | null;
  readonly isOver: boolean;
}

/** A prompt that searches by name: the switcher (Ctrl-K), "new conversation" (Ctrl-N), or where to forward messages. */
export interface NamePrompt<Kind extends NamePromptKind = NamePromptKind> extends TextField {
  readonly kind: Kind;
  readonly selected: number;
  /** The user moved the selection, which stays on its row from then on. */
  readonly isMoved: boolean;
  readonly result: NameSearchResult;
  /** What is forwarded, and where to; null in the other prompts. */
  readonly forwarding?: Forwarding | null;
}

export type NamePromptKind = 'switcher' | 'new-conversation' | 'forward';

export interface Forwarding {
  /** As the messages were when the prompt was opened. */
  readonly content: SentContent;
  readonly messages: number;
  /** The conversation of these messages. */
  readonly from: ConversationId;
  /** In the order in which they were chosen. */
  readonly chosen: readonly ConversationId[];
}
