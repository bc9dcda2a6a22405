/** The whole conversation list at once, as tests compare it. */
import { type WalkedConversations, walkConversations } from '../../../src/api/paging/paging.ts';
import type { Conversation } from '../../../src/protocol/types.ts';

/** In the server's order; for a list that is wanted as a whole. Rejects with `ApiError`. */
export async function listAllConversations(
  options: Parameters<typeof walkConversations>[0],
): Promise<WalkedConversations & { readonly conversations: readonly Conversation[] }> {
  const found = new Map<string, Conversation>();
  const pages = walkConversations(options);
  let step = await pages.next();
  for (; step.done !== true; step = await pages.next()) for (const row of step.value.rows) found.set(row.id, row);
  return { ...step.value, conversations: [...found.values()] };
}
