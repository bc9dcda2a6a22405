/** Handles tokens that come while the chat is open: from the keyring, or from the user, to be saved for the next start. */
import type { SessionTarget } from '../session.ts';
import type { AppStore } from '../state/store.ts';
import { addNotice } from '../state/view/connection.ts';
import { writeLastWords } from '../terminal/tty-port.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { plain } from './ascii-output.ts';
import { messageOf } from './exit.ts';
import type { TokenPlace } from './target.ts';

/** An unlocked keyring answers in a tenth of this time. */
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
  /** Tells that the session goes on with this token, which the server has not judged yet. */
  given(token: string): void;
  /** Resolves when an accepted token is saved, or a notice says why it is not. */
  settled(): Promise<void>;
  /** Ends the saving: at `deadline` the token goes into the file. @returns what there is still to tell */
  leave(deadline: Promise<unknown>): Promise<string | null>;
  /** As `leave`, but at once, for a signal. */
  leaveNow(): string | null;
}

/** @param place absent: nothing is kept */
export function createTokenKeeper(store: AppStore, place: TokenPlace | undefined): TokenKeeper {
  let keeping: Promise<void> = Promise.resolve();
  /** The token that was given and is neither saved nor refused. */
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
      const notice = await to.keep(token, store.getState().settings);
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

/** Prints one line on stderr once the terminal has been given back. */
export function sayAtTheEnd(text: string | null): void {
  if (text !== null) process.once('exit', () => writeLastWords(plain(`msg-tui: ${sanitizeLine(text)}\n`)));
}

/** The notice comes once, so it stays long enough to be read. */
const shownMs = 15_000;

export function tellAboutToken(store: AppStore, text: string): void {
  const at = Date.now();
  store.setState(addNotice({ tone: 'info', text, at, until: at + shownMs, about: 'token' }));
}
