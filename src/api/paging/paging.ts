/** Lists as sync and the command line want them: the newest, the older, all; how the server pages is found out inside. */
export {
  type ConversationWalk,
  type WalkedConversations,
  walkConversations,
} from './all-conversations.ts';
export { fetchNewest, type Newest, type NewestAnswer, type NewestOptions } from './newest.ts';
export { fetchOlder } from './older.ts';
export type { Older, OlderOptions } from './older-pages.ts';
