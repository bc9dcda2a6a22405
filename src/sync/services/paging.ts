/** The walkers over the server's lists that sync uses; tests may put a server of their own in their place. */
import { type ConversationWalk, fetchNewest, fetchOlder, walkConversations } from '../../api/paging/paging.ts';

export type OnListPage = ConversationWalk['onPage'];
/** How far the conversation list was read. */
export type ListPlace = Parameters<OnListPage>[1];

export interface Paging {
  readonly fetchNewest: typeof fetchNewest;
  readonly fetchOlder: typeof fetchOlder;
  readonly walkConversations: typeof walkConversations;
}

export const serverPaging: Paging = { fetchNewest, fetchOlder, walkConversations };
