/** One message asked for, or changed and then looked at: what a PUT answers is not relied on. */
import type { UpdateMessageParameters } from '../api/operations.ts';
import type { Message, MessageId } from '../protocol/types.ts';
import { dropBefore, keepBefore } from './broken-off.ts';
import { apiError, requestOptions, type SyncContext, throughGate } from './context.ts';

/** Rejects with ApiError; null when the message is gone. */
export async function retrieve(context: SyncContext, id: MessageId): Promise<Message | null> {
  try {
    const answer = await throughGate(context, () => context.client().retrieveMessage(id, requestOptions(context)));
    return answer.value;
  } catch (error) {
    if (apiError(error).kind === 'not-found') return null;
    throw error;
  }
}

/** null when it is gone; where every refusal is a 200, a "no" to this question says the same. */
export async function lookFor(context: SyncContext, id: MessageId): Promise<Message | null> {
  try {
    return await retrieve(context, id);
  } catch (error) {
    const failure = apiError(error);
    if (failure.saysNo) return null;
    throw failure;
  }
}

/** The message as it is after the change, to be followed by `dropBefore`; null when it is gone. Rejects with ApiError when the change was not taken. */
export async function exchangeMessage(
  context: SyncContext,
  before: Message,
  parameters: UpdateMessageParameters,
): Promise<Message | null> {
  const { id } = before;
  const isFirst = keepBefore(context, before, parameters);
  try {
    await throughGate(context, () => context.client().updateMessage(id, parameters, requestOptions(context)));
  } catch (error) {
    const failure = apiError(error);
    // Done, and told in another way than the document has it: the message itself shows it.
    const isTaken = failure.kind === 'not-api' && failure.facts.status >= 200 && failure.facts.status < 300;
    if (isFirst && failure.facts.outcome !== 'A') dropBefore(context, id);
    if (!isTaken || failure.saysNo) throw error;
  }
  return retrieve(context, id);
}
