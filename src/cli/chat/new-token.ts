/** Handles tokens that come while the chat is open: from the keyring, or from the user, to be saved for the next start. */
import type { AccountToOpen } from '../../session.ts';
import { lacksToken } from '../../state/model/connection.ts';
import type { AppStore } from '../../state/store.ts';
import { addNotice, dropNotice } from '../../state/view/notices.ts';
import { writeBeforeExit } from '../../terminal/tty-port.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { forLocale } from '../process/ascii-output.ts';
import { messageOf } from '../process/exit.ts';
import type { ChatAccount, TokenPlace } from '../sign-in/find-account.ts';

const waitingTexts = {
  command: 'Waiting for the token command.',
  keyring: 'Waiting for the keyring of this system; is it locked?',
  server: 'Waiting for the server, whose list shows whether the token is for this account.',
} as const;

/** The time after which the user is told that the keyring is slow; an unlocked one answers in a tenth of it. */
const slowMs = 2_000;

/**
 * @param hide is called with the token as soon as it is known
 * @param report is called with a notice when the keyring is slow to answer
 */
export function watchingToken<T extends AccountToOpen & Pick<ChatAccount, 'lateTokenFrom'>>(
  account: T,
  hide: (token: string) => void,
  report: (text: string) => void,
): Omit<T, 'token'> & Pick<AccountToOpen, 'token'> {
  const { token } = account;
  if (typeof token === 'string') {
    hide(token);
    return account;
  }
  const read = async (signal: AbortSignal): Promise<string> => {
    const slow = setTimeout(() => report(waitingTexts[account.lateTokenFrom ?? 'keyring']), slowMs);
    try {
      const text = await token.read(signal);
      hide(text);
      return text;
    } finally {
      clearTimeout(slow);
    }
  };
  return { ...account, token: { read } };
}

/** Saves a token that was given in the chat once the server has accepted it. */
export class TokenSaver {
  readonly #store: AppStore;
  readonly #place: TokenPlace | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The token that was given and is neither saved nor refused. */
  #pending: { readonly token: string; readonly isTaken: boolean } | null = null;
  #isLeaving = false;
  #lastNotice: string | null = null;

  /** @param place absent: nothing is saved */
  constructor(store: AppStore, place: TokenPlace | undefined) {
    this.#store = store;
    this.#place = place;
  }

  /**
   * To be called when the session continues with this token. The token is saved once the server has accepted it; a notice
   * reports when it is refused.
   */
  given(token: string): void {
    const place = this.#place;
    const own = { token, isTaken: false };
    this.#pending = own;
    // What was said about the token before would be taken for an answer to this one.
    this.#store.setState(dropNotice(about));
    const unsubscribe = this.#store.subscribe(() => {
      const { connection } = this.#store.getState().view;
      const isOnline = connection.status === 'online';
      if (!isOnline && !lacksToken(connection)) return;
      unsubscribe();
      if (this.#pending !== own) return;
      this.#pending = null;
      if (!isOnline) this.#report(connection.status === 'other-account' ? otherAccount : refused);
      else if (place !== undefined) this.#saving = this.#save(place, token);
    });
  }

  /** Resolves when an accepted token is saved, or a notice says why it is not. */
  settled(): Promise<void> {
    return this.#saving;
  }

  /** Ends the saving: at `deadline` the token goes into the file. @returns a text to print after the program has ended */
  async leave(deadline: Promise<unknown>): Promise<string | null> {
    this.#isLeaving = true;
    await Promise.race([this.#saving, deadline]);
    return this.leaveNow();
  }

  /** As `leave`, but at once, for a signal. */
  leaveNow(): string | null {
    if (this.#pending === null || this.#place === undefined) return this.#lastNotice;
    const { token, isTaken } = this.#pending;
    if (!isTaken) return `${notSaved}: the server has not answered to it`;
    this.#pending = null;
    try {
      return this.#place.saveInFile(token);
    } catch (error) {
      return `${notSaved}: ${messageOf(error)}`;
    }
  }

  async #save(place: TokenPlace, token: string): Promise<void> {
    const own = { token, isTaken: true };
    this.#pending = own;
    try {
      const notice = await place.save(token, this.#store.getState().settings);
      if (notice !== null) this.#report(notice);
    } catch (error) {
      this.#report(`${notSaved}: ${messageOf(error)}`);
    }
    if (this.#pending === own) this.#pending = null;
  }

  #report(text: string): void {
    if (this.#isLeaving) this.#lastNotice = text;
    else showTokenNotice(this.#store, text);
  }
}

const refused = 'The server refuses this token. It was not saved';
const otherAccount = 'This token is for another account. It was not saved';
const notSaved = 'The new token was not saved';

/** Prints one line on stderr once the terminal has been given back. */
export function sayAtTheEnd(text: string | null): void {
  if (text !== null) process.once('exit', () => writeBeforeExit(forLocale(`msg-tui: ${sanitizeLine(text)}\n`)));
}

const about = 'token';
/** The time for which the notice, which is shown once, can be read. */
const shownMs = 15_000;

export function showTokenNotice(store: AppStore, text: string): void {
  const at = Date.now();
  store.setState(addNotice({ tone: 'info', text, at, until: at + shownMs, about }));
}
