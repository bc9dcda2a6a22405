/** Makes the lines that say which of the requested messages are missing, and why. */
import type { ConversationId } from '../../protocol/types.ts';
import { newestUnreachable } from '../../sync/poll/thread/backfill.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import type { HistoryPart } from './history.ts';

/** Empty where nothing is missing between the messages. */
export const gapLines = ({ gaps }: Pick<HistoryPart, 'gaps'>): readonly SafeText[] =>
  gaps.length === 0 ? [] : [literal('messages may be missing between those that are printed')];

/** @param trouble why older messages could not be read */
export const olderMissing = (trouble: string): string => `older messages could not be read: ${trouble}`;

/** Whether the server, which was asked before, gives no way to the newest messages of the conversation. */
export const lacksNewest = ({ store }: Account, id: ConversationId): boolean =>
  store.getState().view.connection.failures.get(id) === newestUnreachable;

/** Has lines where the server gives only a part of the history. */
export function unreachableLines(
  { store }: Account,
  id: ConversationId,
  { hasMore }: Pick<HistoryPart, 'hasMore'>,
): readonly SafeText[] {
  const newest = store.getState().view.connection.failures.get(id);
  const lines = newest === undefined ? [] : [sanitizeLine(newest)];
  return hasMore === null ? [...lines, literal('older messages cannot be fetched from this server')] : lines;
}
