/** Takes away what a list does not show any more, once the server says so of the conversation itself. */
import type { ConversationId } from '../../../protocol/types.ts';
import { vanished } from '../../../state/cache/conversations.ts';
import { conversationsWithUnsentText, countUnsent, removeUnlessUnsent } from '../../../state/local/unsent-text.ts';
import { findAbsentConversation } from '../../read/read-conversation.ts';
import { isNotShown } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { conversationIsBack, unsentTextNotice } from '../../services/unsent-text-notice.ts';
import { applyFullList } from './apply-rows.ts';
import type { ListPollState } from './poll-state.ts';

const askedAtOnce = 5;
const confirmedForMs = 60_000;

/**
 * Lists may lag behind the writes, and may leave out what was archived elsewhere: only the server's word on the
 * conversation itself takes it away.
 */
export async function detectRemoved(
  context: Services,
  memory: ListPollState,
  present: ReadonlySet<ConversationId>,
  isWalk: boolean,
): Promise<void> {
  for (const id of memory.toldOfWords) if (present.has(id)) withdrawNotice(context, memory, id);
  const now = context.clock.monotonic();
  const { conversations } = stateOf(context).cache;
  const withWords = [...conversationsWithUnsentText(stateOf(context))].filter((id) => !present.has(id));
  const absent = [...new Set([...withWords, ...vanished(stateOf(context), present)])];
  const isArchived = (id: ConversationId): boolean => (conversations.get(id)?.archivedAt ?? null) !== null;
  // Walks read the archived ones from their own list; the first page of the plain one says nothing of them.
  if (absent.some(isArchived)) memory.leavesOutArchived = true;
  const suspects = absent.filter(
    (id) =>
      (isWalk || !isArchived(id)) && now - (memory.confirmed.get(id) ?? Number.NEGATIVE_INFINITY) >= confirmedForMs,
  );
  for (const id of suspects.slice(0, askedAtOnce)) {
    const found = await lookAt(context, id).catch(unlessNotShown);
    if (found === 'gone') removeConversation(context, memory, id);
    else memory.confirmed.set(id, now);
  }
}

/** Who may not see it any more, as after leaving a group, keeps it: the list and all else is read as before. */
function unlessNotShown(error: unknown): 'there' {
  if (isNotShown(error)) return 'there';
  throw error;
}

/** The server has said that the conversation is gone. It stays in the list as long as it holds unsent words. */
export function removeConversation(context: Services, memory: ListPollState, id: ConversationId): void {
  context.cache.removeConversation(id);
  update(context, removeUnlessUnsent(id));
  if (stateOf(context).cache.conversations.has(id)) memory.confirmed.set(id, context.clock.monotonic());
  tellOfWords(context, memory, id);
}

/** Once a run: they can wait for ever, but not unnoticed. */
function tellOfWords(context: Services, memory: ListPollState, id: ConversationId): void {
  const count = countUnsent(stateOf(context), id);
  if (count === 0 || memory.toldOfWords.has(id)) return;
  memory.toldOfWords.add(id);
  update(context, unsentTextNotice(context, count));
}

/** It was out of sight for a while. */
function withdrawNotice(context: Services, memory: ListPollState, id: ConversationId): void {
  memory.toldOfWords.delete(id);
  if (memory.toldOfWords.size === 0) update(context, conversationIsBack);
}

async function lookAt(context: Services, id: ConversationId): Promise<'gone' | 'there'> {
  const mark = context.writes.mark();
  const found = await findAbsentConversation(context, id);
  if (found === null) return 'gone';
  if (found !== 'there') applyFullList(context, [found], mark);
  return 'there';
}
