/** Finds the message that a user means by an id, the beginning of one, or `last` for the newest one. */
import type { Message } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/identity.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { firstMatch, isPrefixOf, type Match } from './match.ts';

/** Whose newest message `last` is, as for the slash commands: `own` for edits, for example, and `others` for replies. */
export type Whose = 'own' | 'others' | 'all';

/** @param messages of one conversation, oldest first */
export function matchMessage(
  state: AppState,
  messages: readonly Message[],
  typed: string,
  whose: Whose,
): Match<Message> {
  const exact = messages.find(({ id }) => id === typed);
  if (exact !== undefined) return { kind: 'one', item: exact };
  if (typed === 'last') {
    const last = messages.findLast((message) => whose === 'all' || isOwn(message, state) === (whose === 'own'));
    return last === undefined ? { kind: 'none' } : { kind: 'one', item: last };
  }
  return firstMatch(messages, [({ id }) => isPrefixOf(typed, id)]);
}
