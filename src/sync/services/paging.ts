/** The functions that read the server's lists page by page. Tests may replace them. */
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
