/** Checks an address and a token with one request. */
import type { OnRequest } from '../../api/http/sent-request.ts';
import { loadConfig } from '../../config/file.ts';
import { originOf, type Paths, profileDirectories } from '../../config/paths.ts';
import { rememberOwner, trustedOwner } from '../../config/server-owner.ts';
import type { Holder } from '../../config/token-store.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { proxySettings } from '../sign-in/choose-proxy.ts';
import type { FindAccountOptions } from '../sign-in/find-account.ts';

/**
 * Rejects with `ApiError`; `accountProblem` says what to do about it.
 * @param holder its profile, or another one of the same server, may be in use: then the owner of a server on this machine is
 * known; otherwise it is remembered once the token was accepted
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
  const { data } = profileDirectories(paths, holder);
  const trusts = trustedOwner(data, { looksOnly: true, others: await othersOfServer(server, paths) });
  let owner: number | null = null;
  const trustsOwner = (uid: number): boolean => {
    owner ??= uid;
    return trusts(uid);
  };
  const settings = { baseUrl: server, token, insecureHttp, trustsOwner, reason: 'sign in', onRequest };
  const client = createClient({ ...settings, ...proxySettings(server, environment) });
  try {
    await client.listConversations({ limit: 1 }, { signal });
  } finally {
    await client.close();
  }
  // Only now: a profile whose token is refused is not made.
  if (owner !== null) rememberOwner(data, owner);
}

/** The data directories of the profiles that are for the same server. */
async function othersOfServer(server: string, paths: Paths): Promise<readonly string[]> {
  const { profiles } = await loadConfig(paths.configFile);
  const origin = originOf(server);
  return [...profiles.values()].flatMap((profile) => {
    const base = normaliseBaseUrl(profile.server, { insecureHttp: true });
    if (!('url' in base) || originOf(base.url) !== origin) return [];
    return [profileDirectories(paths, { server: base.url, profile: profile.name }).data];
  });
}
