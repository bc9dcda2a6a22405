/** The function with which a reading command opens its account; tests give it another one. */
import { type Account, type AccountListeners, type WithAccountOptions, withAccount } from '../headless/account.ts';

export type Open = (run: (account: Account) => Promise<void>, listeners?: AccountListeners) => Promise<void>;

export const openWith =
  (options: WithAccountOptions): Open =>
  (run, listeners) =>
    withAccount(options, run, listeners);
