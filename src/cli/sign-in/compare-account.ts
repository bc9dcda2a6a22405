/** Finds out whether a token that is new here belongs to the account of the profile, as far as the service shows it. */
import { ApiError } from '../../api/errors.ts';
import type { SentRequest } from '../../api/http/sent-request.ts';
import type { Client } from '../../api/operations.ts';
import type { Environment } from '../../config/environment.ts';
import type { Paths, ProfileDirectories } from '../../config/paths.ts';
import { trustedOwner } from '../../config/server-owner.ts';
import type { ContactId, Conversation, ConversationId } from '../../protocol/types.ts';
import { readConversations } from '../../storage/completion-names.ts';
import { proxySettings } from './choose-proxy.ts';
import { recordRequests } from './record-requests.ts';

/** Whose a token is, beside the account of the profile; `unknown`: the conversations prove neither. */
export type Comparison = 'same' | 'other' | 'unknown';

/** One person can be the partner of two accounts by chance, or because a server names the same partner to both sides. */
const leastPartners = 2;

/**
 * No operation names the owner of a token, but a conversation with one person has that person as its partner for one
 * account alone. So the list that the token sees is compared with the cached one. Rejects with `ApiError`.
 */
export async function compareAccount(
  {
    paths,
    environment,
    insecureHttp,
  }: { readonly paths: Paths; readonly environment: Environment; readonly insecureHttp: boolean },
  server: string,
  files: ProfileDirectories,
  token: string,
  signal: AbortSignal,
): Promise<Comparison> {
  const before = partnersOf(readConversations(files));
  if (before.size === 0) return 'unknown';
  const { createClient } = await import('../../api/client.ts');
  const sent: SentRequest[] = [];
  const trustsOwner = trustedOwner(files.data, { looksOnly: true });
  const onRequest = (one: SentRequest): void => void sent.push(one);
  const settings = { baseUrl: server, token, insecureHttp, trustsOwner, onRequest };
  const client = createClient({ ...settings, reason: 'sign in', ...proxySettings(server, environment) });
  try {
    const answer = await client.listConversations({}, { signal });
    if (!('value' in answer)) return 'unknown';
    const comparison = compareLists(before, partnersOf(answer.value.items));
    return comparison === 'apart' ? await askForFirst(client, before, signal) : comparison;
  } finally {
    await client.close();
    await recordRequests(paths, files.cache, sent);
  }
}

/** `apart`: the lists have no conversation in common, as the cached ones may be older than the page. */
function compareLists(before: Partners, now: Partners): Comparison | 'apart' {
  const shared = [...now].filter(([id]) => before.has(id));
  if (shared.some(([id, partner]) => before.get(id) !== partner)) return 'other';
  if (shared.length === 0) return 'apart';
  const partners = new Set(shared.map(([, partner]) => partner));
  const isSame = partners.size >= leastPartners && shared.length * 2 >= Math.min(before.size, now.size);
  return isSame ? 'same' : 'unknown';
}

/** Asks for the first conversation of the cache, which another account does not have or has with another partner. */
async function askForFirst(client: Client, before: Partners, signal: AbortSignal): Promise<Comparison> {
  const [first] = before;
  if (first === undefined) return 'unknown';
  const [id, partner] = first;
  try {
    const answer = await client.retrieveConversation(id, { signal });
    return !('value' in answer) || answer.value.contactId === partner ? 'unknown' : 'other';
  } catch (error) {
    if (error instanceof ApiError && (error.kind === 'not-found' || error.kind === 'forbidden')) return 'other';
    throw error;
  }
}

type Partners = ReadonlyMap<ConversationId, ContactId>;

const partnersOf = (conversations: readonly Conversation[]): Partners =>
  new Map(conversations.flatMap(({ id, contactId }) => (contactId === null ? [] : [[id, contactId] as const])));
