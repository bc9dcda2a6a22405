/** Checks an address and a token with one request. */
import type { OnRequest } from '../../api/http/sent-request.ts';
import { normaliseBaseUrl } from '../../protocol/base-url.ts';
import { proxySettings } from '../sign-in/choose-proxy.ts';
import type { FindAccountOptions } from '../sign-in/find-account.ts';

/** Rejects with `ApiError`; `accountProblem` says what to do about it. */
export async function checkAccount(
  server: string,
  token: string,
  { environment, insecureHttp }: Pick<FindAccountOptions, 'environment' | 'insecureHttp'>,
  signal: AbortSignal,
  onRequest: OnRequest,
): Promise<void> {
  const { createClient } = await import('../../api/client.ts');
  const base = normaliseBaseUrl(server, { insecureHttp });
  const proxy = 'problem' in base ? {} : proxySettings(base.url, environment);
  const settings = { baseUrl: server, token, insecureHttp, reason: 'sign in', onRequest };
  const client = createClient({ ...settings, ...proxy });
  try {
    await client.listConversations({ limit: 1 }, { signal });
  } finally {
    await client.close();
  }
}
