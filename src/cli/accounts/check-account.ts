/** Checks an address and a token with one request. */
import type { OnRequest } from '../../api/http/sent-request.ts';
import { profileDirectories } from '../../config/paths.ts';
import { trustedOwner } from '../../config/server-owner.ts';
import type { Holder } from '../../config/token-store.ts';
import { proxySettings } from '../sign-in/choose-proxy.ts';
import type { FindAccountOptions } from '../sign-in/find-account.ts';

/**
 * Rejects with `ApiError`; `accountProblem` says what to do about it.
 * @param holder a profile that may be in use: then the owner of a server on this machine is known
 */
export async function checkAccount(
  holder: Holder,
  token: string,
  { environment, insecureHttp, paths }: Pick<FindAccountOptions, 'environment' | 'insecureHttp' | 'paths'>,
  signal: AbortSignal,
  onRequest: OnRequest,
): Promise<void> {
  const { createClient } = await import('../../api/client.ts');
  const { server } = holder;
  const trustsOwner = trustedOwner(profileDirectories(paths, holder).data, { looksOnly: true });
  const settings = { baseUrl: server, token, insecureHttp, trustsOwner, reason: 'sign in', onRequest };
  const client = createClient({ ...settings, ...proxySettings(server, environment) });
  try {
    await client.listConversations({ limit: 1 }, { signal });
  } finally {
    await client.close();
  }
}
