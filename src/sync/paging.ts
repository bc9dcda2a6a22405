/** The walkers over the server's lists that sync uses; a seam, so that tests can put a server of their own behind it. */
import { fetchNewest, fetchOlder, listAllConversations } from '../api/paging.ts';

export interface Paging {
  readonly fetchNewest: typeof fetchNewest;
  readonly fetchOlder: typeof fetchOlder;
  readonly listAllConversations: typeof listAllConversations;
}

export const serverPaging: Paging = { fetchNewest, fetchOlder, listAllConversations };
