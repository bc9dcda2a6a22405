/** The validator (ETag) of the newest page of a conversation: what it is about, and when it may be sent with a request. */
import { allowedLimit, usualLimit } from '../../../api/paging/observe.ts';
import type { Newest } from '../../../api/paging/paging.ts';
import type { ServerCapabilities } from '../../../protocol/capabilities.ts';
import type { PageValidator } from '../../../state/cache/cached-history.ts';
import type { KnownTail } from '../../merge/known-newest.ts';

const limitOf = (capabilities: ServerCapabilities): number => allowedLimit(capabilities, usualLimit);

/** The validator of the newest-first page that the answer begins with; null where the answer has none. */
export function validatorOf({ etag, messages, complete, capabilities }: Newest): PageValidator | null {
  if (etag === null) return null;
  const limit = limitOf(capabilities);
  return { etag, limit, ids: messages.slice(-limit).map(({ id }) => id), isWhole: complete };
}

/** Whether all rows of the page are still known here: "not modified" would leave out lost ones for good. */
export function isOfHeldPage(
  { limit, ids }: PageValidator,
  { messages }: KnownTail,
  capabilities: ServerCapabilities,
): boolean {
  const held = new Set(messages.map(({ id }) => id));
  return limit === limitOf(capabilities) && ids.every((id) => held.has(id));
}
