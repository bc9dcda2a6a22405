/** The whole conversation list at once, as tests compare it. */
import { type ConversationWalk, type WalkedConversations, walkConversations } from '../../../src/api/paging/paging.ts';
import type { Conversation } from '../../../src/protocol/types.ts';

/** In the server's order; for a list that is wanted as a whole. Rejects with `ApiError`. */
export async function listAllConversations(
  options: Omit<ConversationWalk, 'onPage' | 'from'>,
): Promise<
  Pick<WalkedConversations, 'complete' | 'capabilities'> & { readonly conversations: readonly Conversation[] }
> {
  const found = new Map<string, Conversation>();
  const { complete, capabilities } = await walkConversations({
    ...options,
    onPage: (items) => {
      for (const item of items) found.set(item.id, item);
    },
  });
  return { conversations: [...found.values()], complete, capabilities };
}
