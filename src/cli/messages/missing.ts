/** Says what of the messages that were asked for is not there, and why. */
import type { ConversationId } from '../../protocol/types.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import type { Account } from '../headless/account.ts';
import type { HistoryPart } from './history.ts';

/** Empty where nothing is missing. */
export function missingLines({ gaps, trouble }: Pick<HistoryPart, 'gaps' | 'trouble'>): readonly SafeText[] {
  const lines: SafeText[] = [];
  if (gaps.length > 0) lines.push(literal('messages may be missing between those that are printed'));
  if (trouble !== null) lines.push(safe`older messages could not be read: ${sanitizeLine(trouble)}`);
  return lines;
}

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
