/** Reads lists for sync and the command line: the newest messages, the older ones, all conversations. */
export { type ListPage, type WalkedConversations, walkConversations } from './all-conversations.ts';
export { fetchNewest, type Newest, type NewestAnswer } from './newest.ts';
export { fetchOlder } from './older.ts';
