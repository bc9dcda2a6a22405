/** Reads lists for sync and the command line: the newest messages, the older ones, all conversations. */
export {
  type ConversationWalk,
  type WalkedConversations,
  walkConversations,
} from './all-conversations.ts';
export { fetchNewest } from './newest.ts';
export type { Newest, NewestAnswer, NewestOptions } from './newest-answer.ts';
export { fetchOlder } from './older.ts';
export type { Older, OlderOptions } from './older-pages.ts';
