/** Hands a token on once the list that it sees shows no other account: a yes of the user may be wrong. */
import { ApiError, otherAccountCode } from '../../api/errors.ts';
import type { LateToken } from '../../api/lazy-client.ts';
import type { Comparison } from './compare-account.ts';

export type CompareAccount = (token: string, signal: AbortSignal) => Promise<Comparison>;

/**
 * A token that the user gave for the account. Reading it rejects while the service is not reached, so that nothing is
 * asked or sent with the token before it was compared.
 * @param onAccepted is called when no other account was found
 */
export const comparedToken = (token: string, compare: CompareAccount, onAccepted?: () => void): LateToken => ({
  async read(signal) {
    if ((await compare(token, signal)) === 'other')
      throw new ApiError({
        kind: 'unauthorized',
        code: otherAccountCode,
        message: 'the token lists other conversations than those of this account, so it is for another one',
        outcome: 'not-applied',
      });
    onAccepted?.();
    return token;
  },
});
