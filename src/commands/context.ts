/** The context of a command: the state, and the ports through which it reaches the layers that it cannot import. */
import type { ConversationId, Message, MessageId, Millis } from '../protocol/types.ts';
import type { AppState, Draft, OpAction } from '../state/model/app-state.ts';
import type { FetchedBack, Found, HistoryAim } from '../state/model/history.ts';
import type { EnqueueOptions } from '../state/model/op.ts';
import type { KeyChanges } from '../state/model/overlay.ts';
import type { SettingsPage, Tried, Written } from '../state/model/setting-entry.ts';
import type { Settings } from '../state/model/settings.ts';
import type { Copy } from '../state/select/message-texts.ts';

/** The settings of config.toml. `check` and `changes` answer once `read` has. */
export interface SettingsPort {
  /** Reads the file; `done` is called later. */
  read(done: (page: SettingsPage) => void): void;
  /** The value of a typed text, or one line that says what is wrong with it. */
  check(id: string, text: string): { readonly value: Written } | { readonly problem: string };
  /** The fields of the running settings that differ, with the values that they have with `to`. */
  changes(from: Tried, to: Tried): Partial<Settings>;
  /** Writes the values to the file and keeps the rest of it; `done` gets one line on what became of it. */
  write(tried: Tried, done: (result: SaveResult) => void): void;
  /** Checks a typed text and writes it. */
  set(id: string, text: string, done: (result: SaveResult) => void): void;
}

/** What became of a file that was to be written, in one line for the user. */
export type SaveResult = { readonly said: string } | { readonly problem: string };

export interface CommandContext {
  get(): AppState;
  /** The transition gets the newest state; returning the same object changes nothing. */
  update(transition: (state: AppState) => AppState): void;
  now(): Millis;
  /**
   * The first key of the command as it is shown, by the profile and the bindings of now; '' where it has none.
   * @param where the key works where the keyboard is in this state
   */
  keyOf(commandId: string, where?: AppState): string;
  /**
   * Puts a change into the outbox: on disk first, then in the state. False when the disk refused, or where another process
   * has changed the draft that the change was made from: a notice says so and nothing was changed.
   */
  enqueue(action: OpAction, options?: EnqueueOptions): boolean;
  /** Runs it once, after so many milliseconds. */
  later(ms: number, run: () => void): void;
  /** Tries a failed op again; one without an answer is sent again by the user's own decision. */
  retryOp(uuid: string): void;
  /** Lets later messages go before one without an answer. False when the disk refused; a notice says why. */
  letPass(uuid: string): boolean;
  /**
   * Takes the change back unless it is being sent, and writes the draft with its text in the same transaction. False
   * when it could not be taken back; a notice says why.
   */
  discardOp(uuid: string, into?: { readonly conversationId: ConversationId; readonly draft: Draft }): boolean;
  /** Shows the conversation (`openInView`) and begins to fetch it; a peek (`peekInView`) marks nothing as read. */
  openConversation(id: ConversationId, options?: { readonly isPeek?: boolean; readonly isJump?: boolean }): void;
  /** Closes the conversation that is shown (`closeInView`). */
  closeConversation(): void;
  /** Marks the newest message of others as unread, here only. It need not be in memory. */
  markUnread(id: ConversationId): void;
  /**
   * Scrolls the open thread by rows (negative = towards older) or by pages, and asks for history near its ends. While the
   * messages have the keyboard, a selected one that is out of sight then leaves the selection to the nearest in sight.
   * `hold`: the row at the top stays there when rows are added below it. `release`: at the newest row, new ones come into
   * sight again.
   */
  scrollThread(
    amount: { readonly rows: number } | { readonly pages: number } | 'top' | 'bottom' | 'hold' | 'release',
  ): void;
  /** Moves the thread just as far as needed to show the message. */
  revealMessage(id: MessageId): void;
  /**
   * Opens the conversation at the message, also far back, and selects the message. False when it is not
   * cached any more.
   */
  showMessage(conversationId: ConversationId, message: Pick<Message, 'id' | 'createdAt' | 'rank'>): boolean;
  /** Looks in the cache for a message by its place in the history of the conversation. */
  findInHistory(conversationId: ConversationId, aim: HistoryAim): Found;
  /** Fetches history until the message is there; null once `isWanted` returns false. See `Engine.fetchBack`. */
  fetchBack(
    conversationId: ConversationId,
    aim: HistoryAim,
    options: { readonly isWanted: () => boolean; readonly onPage: (oldest: Millis | null) => void },
  ): Promise<FetchedBack | null>;
  /** Cells in a row of the composer's text. */
  composerColumns(): number;
  pollNow(): void;
  /** Hands the text to the terminal's clipboard, which does not answer; `said` is the notice about it. */
  copy(copy: Copy, said: string): void;
  /** Hands an address to the desktop's browser; a notice says what became of it. */
  openLink(href: string): void;
  /**
   * Lends the terminal to the user's editor with this text; `done` gets what was saved, or one line on why that does not
   * count, with the text all the same: null for nothing new.
   */
  editText(
    text: string,
    done: (edited: { readonly text: string } | { readonly problem: string; readonly saved: string | null }) => void,
  ): void;
  /** Reads a snippet of the user's; `done` gets its text, or one line on why there is none. */
  readSnippet(name: string, done: (read: { readonly text: string } | { readonly problem: string }) => void): void;
  /** Keeps a text as a new snippet; `done` gets one line on what became of it. */
  saveSnippet(name: string, text: string, done: (result: SaveResult) => void): void;
  /**
   * Keeps other keys of commands in the user's configuration: the keys by the ids of the commands, null for those of the key
   * profile. `done` gets one line on why they were not saved.
   */
  saveKeys(changes: KeyChanges, done: (problem: string | null) => void): void;
  /** Writes a new file: a text, or what is cached of a conversation; `done` gets one line on what became of it. */
  saveFile(
    path: string,
    content: string | { readonly conversation: ConversationId },
    done: (result: SaveResult) => void,
  ): void;
  /** Goes on with a new token for this server (after a 401). */
  signIn(token: string): void;
  /** Shows a notification now, even while the terminal has the focus, and reports how it was sent. */
  testNotification(): void;
  /** Reports in a notice how old what the chat showed was, and what that cost. */
  reportFreshness(): void;
  readonly settings: SettingsPort;
  /** Closes this account and opens that of the profile; a notice says why where it cannot. */
  switchAccount(profile: string): void;
  redraw(): void;
  /** Stops the program until the shell continues it. Calls back where no shell waits for it, so that it goes on at once. */
  suspend(onNotStopped: () => void): void;
  quit(): void;
}
