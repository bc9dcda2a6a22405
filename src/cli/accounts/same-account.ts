/** Finds out whether a token that is new here belongs to the account of the profile, as far as the service shows it. */
import type { SentRequest } from '../../api/http/sent-request.ts';
import type { Environment } from '../../config/environment.ts';
import type { Paths, ProfileDirectories } from '../../config/paths.ts';
import type { Conversation } from '../../protocol/types.ts';
import { readConversations } from '../../storage/completion-names.ts';
import { proxySettings } from '../choose-proxy.ts';
import { recordRequests } from '../reports/record-requests.ts';

/** One person can be the partner of two accounts by chance, or because a server names the same partner to both sides. */
const leastPartners = 2;

/**
 * No operation names the owner of a token, but a conversation with one person has that person as its partner for one
 * account alone. So the list that the token sees is compared with the cached one. Rejects with `ApiError`.
 */
export async function isSameAccount(
  {
    paths,
    environment,
    insecureHttp,
  }: { readonly paths: Paths; readonly environment: Environment; readonly insecureHttp: boolean },
  server: string,
  files: ProfileDirectories,
  token: string,
  signal: AbortSignal,
): Promise<boolean> {
  const cached = readConversations(files);
  if (partnersOf(cached).size < leastPartners) return false;
  const { createClient } = await import('../../api/client.ts');
  const sent: SentRequest[] = [];
  const settings = { baseUrl: server, token, insecureHttp, onRequest: (one: SentRequest) => void sent.push(one) };
  const client = createClient({ ...settings, reason: 'sign in', ...proxySettings(server, environment) });
  try {
    const answer = await client.listConversations({}, { signal });
    return 'value' in answer && haveSamePartners(cached, answer.value.items);
  } finally {
    await client.close();
    await recordRequests(paths, files.cache, sent);
  }
}

/** @param seen the conversations that the new token lists */
function haveSamePartners(cached: readonly Conversation[], seen: readonly Conversation[]): boolean {
  const before = partnersOf(cached);
  const now = partnersOf(seen);
  const shared = [...now].filter(([id]) => before.has(id));
  if (shared.some(([id, partner]) => before.get(id) !== partner)) return false;
  const partners = new Set(shared.map(([, partner]) => partner));
  return partners.size >= leastPartners && shared.length * 2 >= Math.min(before.size, now.size);
}

const partnersOf = (conversations: readonly Conversation[]): ReadonlyMap<string, string> =>
  new Map(conversations.flatMap(({ id, contactId }) => (contactId === null ? [] : [[id, contactId] as const])));
