/** Tokens that come while the chat is open: from the keyring, or given by the user and kept for the next start. */

import type { SessionTarget } from '../session.ts';
import { addNotice } from '../state/connection.ts';
import type { AppStore } from '../state/store.ts';
import { messageOf } from './exit.ts';

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
}

/** @param keep answers what there is to say of where it lies; absent: nothing is kept */
export function createTokenKeeper(
  store: AppStore,
  keep: ((token: string) => Promise<string | null>) | undefined,
): TokenKeeper {
  let keeping: Promise<void> = Promise.resolve();
  return {
    given(token) {
      if (keep === undefined) return;
      const unsubscribe = store.subscribe(() => {
        const { status } = store.getState().view.connection;
        if (status !== 'online' && status !== 'unauthorized' && status !== 'no-token') return;
        unsubscribe();
        if (status === 'online') keeping = keepAndTell(store, () => keep(token));
      });
    },
    settled: () => keeping,
  };
}

async function keepAndTell(store: AppStore, keep: () => Promise<string | null>): Promise<void> {
  try {
    const notice = await keep();
    if (notice !== null) tellAboutToken(store, notice);
  } catch (error) {
    tellAboutToken(store, `The new token is not kept for the next start: ${messageOf(error)}`);
  }
}

/** Long enough to be read; it is said once. */
const shownMs = 15_000;

export function tellAboutToken(store: AppStore, text: string): void {
  const at = Date.now();
  store.setState(addNotice({ tone: 'info', text, at, until: at + shownMs, about: 'token' }));
}
