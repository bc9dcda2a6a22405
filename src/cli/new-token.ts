/** Tokens that come while the chat is open: from the keyring, or given by the user and kept for the next start. */

import type { SessionTarget } from '../session.ts';
import type { AppStore } from '../state/store.ts';
import { addNotice } from '../state/view/connection.ts';
import { writeLastWords } from '../terminal/tty-port.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { plain } from './ascii-output.ts';
import { messageOf } from './exit.ts';
import type { TokenPlace } from './target.ts';

/** A keyring that is open answers in a tenth of that. */
const slowMs = 2_000;

/** @param hide is handed the token as soon as it is known @param tell is handed why nothing comes yet */
export function watchingToken(
  target: SessionTarget,
  hide: (token: string) => void,
  tell: (text: string) => void,
): SessionTarget {
  const { token } = target;
  if (typeof token === 'string') {
    hide(token);
    return target;
  }
  const read = async (signal: AbortSignal): Promise<string> => {
    const slow = setTimeout(() => tell('Waiting for the keyring of this system; is it locked?'), slowMs);
    try {
      const text = await token.read(signal);
      hide(text);
      return text;
    } finally {
      clearTimeout(slow);
    }
  };
  return { ...target, token: { read } };
}

export interface TokenKeeper {
  /** The session goes on with this token, of which the server has not been asked yet. */
  given(token: string): void;
  /** What the server has taken is kept, or the user was told why it is not. */
  settled(): Promise<void>;
  /** The same for who leaves: when `deadline` comes first, the file takes it. @returns what there is still to say */
  leave(deadline: Promise<unknown>): Promise<string | null>;
  /** For a signal, which waits for nothing. */
  leaveNow(): string | null;
}

/** @param place absent: nothing is kept */
export function createTokenKeeper(store: AppStore, place: TokenPlace | undefined): TokenKeeper {
  let keeping: Promise<void> = Promise.resolve();
  /** Given, and neither kept nor refused. */
  let pending: { readonly token: string; readonly isTaken: boolean } | null = null;
  let isLeaving = false;
  let lastWord: string | null = null;
  const tell = (text: string): void => {
    if (isLeaving) lastWord = text;
    else tellAboutToken(store, text);
  };

  const keep = async (to: TokenPlace, token: string): Promise<void> => {
    const own = { token, isTaken: true };
    pending = own;
    try {
      const notice = await to.keep(token);
      if (notice !== null) tell(notice);
    } catch (error) {
      tell(`${notKept}: ${messageOf(error)}`);
    }
    if (pending === own) pending = null;
  };
  const leaveNow = (): string | null => {
    if (pending === null || place === undefined) return lastWord;
    const { token, isTaken } = pending;
    if (!isTaken) return `${notKept}: the server has not answered to it`;
    pending = null;
    try {
      return place.keepInFile(token);
    } catch (error) {
      return `${notKept}: ${messageOf(error)}`;
    }
  };

  return {
    given(token) {
      if (place === undefined) return;
      const own = { token, isTaken: false };
      pending = own;
      const unsubscribe = store.subscribe(() => {
        const { status } = store.getState().view.connection;
        const isRefused = status === 'unauthorized' || status === 'no-token' || status === 'other-account';
        if (status !== 'online' && !isRefused) return;
        unsubscribe();
        if (status === 'online') keeping = keep(place, token);
        else if (pending === own) pending = null;
      });
    },
    settled: () => keeping,
    async leave(deadline) {
      isLeaving = true;
      await Promise.race([keeping, deadline]);
      return leaveNow();
    },
    leaveNow,
  };
}

const notKept = 'The new token is not kept for the next start';

/** One line on stderr when the terminal has been given back. */
export function sayAtTheEnd(text: string | null): void {
  if (text !== null) process.once('exit', () => writeLastWords(plain(`msg-tui: ${sanitizeLine(text)}\n`)));
}

/** Long enough to be read; it is said once. */
const shownMs = 15_000;

export function tellAboutToken(store: AppStore, text: string): void {
  const at = Date.now();
  store.setState(addNotice({ tone: 'info', text, at, until: at + shownMs, about: 'token' }));
}
