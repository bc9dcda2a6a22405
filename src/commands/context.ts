/** What a command may do besides changing the state: the ports of the layers that it cannot import. */
import type { ConversationId, Message, MessageId, Millis } from '../protocol/types.ts';
import type { AppState, Draft, OpAction } from '../state/model/app-state.ts';
import type { Copy } from '../state/select/copy-text.ts';

export interface CommandContext {
  get(): AppState;
  /** The transition gets the newest state; returning the same object changes nothing. */
  update(transition: (state: AppState) => AppState): void;
  now(): Millis;
  /**
   * Puts a change into the outbox: on disk first, then in the state. False when the disk refused: a notice says so and
   * nothing was changed. `draftOf`: the conversation whose draft the change was made from; it is deleted in the same
   * transaction.
   */
  enqueue(action: OpAction, draftOf?: ConversationId): boolean;
  /** A failed op is tried again; one without an answer is sent again by the user's own decision. */
  retryOp(uuid: string): void;
  /** Later messages no longer wait for one without an answer. False when that could not be kept; a notice says why. */
  letPass(uuid: string): boolean;
  /**
   * Takes it back unless it is being sent, and puts the draft that has its words on disk in the same transaction. False
   * when it could not be taken back; a notice says why.
   */
  discardOp(uuid: string, into?: { readonly conversationId: ConversationId; readonly draft: Draft }): boolean;
  /** Shows it (state: `openInView`) and begins to fetch it; a peek (`peekInView`) marks nothing as read. */
  openConversation(id: ConversationId, options?: { readonly isPeek: boolean }): void;
  /** Shows none (state: `closeInView`). */
  closeConversation(): void;
  /** Scrolls the open thread by rows (negative = towards older) or by pages, and asks for history near its ends. */
  scrollThread(amount: { readonly rows: number } | { readonly pages: number } | 'top' | 'bottom'): void;
  /** Moves the thread just as far as needed to show the message. */
  revealMessage(id: MessageId): void;
  /**
   * Opens its conversation where it stands, also far back, selected and with the keyboard on it. False when it is not
   * cached any more.
   */
  showMessage(conversationId: ConversationId, message: Pick<Message, 'id' | 'createdAt' | 'rank'>): boolean;
  /** Cells in a row of the composer's text. */
  composerColumns(): number;
  pollNow(): void;
  /** Hands it to the terminal's clipboard, which does not answer; `said` tells the user. */
  copy(copy: Copy, said: string): void;
  /** Hands an address to the desktop's browser; a notice says what became of it. */
  openLink(href: string): void;
  /** A new token for this server (after a 401). */
  signIn(token: string): void;
  redraw(): void;
  suspend(): void;
  quit(): void;
}
