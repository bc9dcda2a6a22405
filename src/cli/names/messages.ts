/** What people type for a message: its id, the beginning of it, or `last` for the newest own one of a conversation. */
import type { Message } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/outbox.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { firstMatch, isPrefixOf, type Match } from './match.ts';

/** @param messages of one conversation, oldest first */
export function findMessage(state: AppState, messages: readonly Message[], typed: string): Match<Message> {
  const exact = messages.find(({ id }) => id === typed);
  if (exact !== undefined) return { kind: 'one', item: exact };
  if (typed === 'last') {
    const last = messages.findLast((message) => isOwn(message, state));
    return last === undefined ? { kind: 'none' } : { kind: 'one', item: last };
  }
  return firstMatch(messages, [({ id }) => isPrefixOf(typed, id)]);
}
