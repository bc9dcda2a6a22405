/** The profiles that the chat can go to. */
import type { Accounts } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchView } from './view.ts';

export const setAccounts =
  (accounts: Accounts): Transition =>
  (state) =>
    patchView(state, { accounts });

/** To be applied when the profiles of config.toml have changed while the chat is open. */
export const setProfiles =
  (all: Accounts['all']): Transition =>
  (state) => {
    const { accounts } = state.view;
    return accounts === undefined ? state : patchView(state, { accounts: { ...accounts, all } });
  };
