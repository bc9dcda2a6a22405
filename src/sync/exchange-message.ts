/** One message asked for, or changed and then looked at: what a PUT answers is not relied on. */
import type { UpdateMessageParameters } from '../api/operations.ts';
import type { Message, MessageId } from '../protocol/types.ts';
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

/** The message as it is after the change; null when it is gone. Rejects with ApiError when the change was not taken. */
export async function exchangeMessage(
  context: SyncContext,
  id: MessageId,
  parameters: UpdateMessageParameters,
): Promise<Message | null> {
  try {
    await throughGate(context, () => context.client().updateMessage(id, parameters, requestOptions(context)));
  } catch (error) {
    const failure = apiError(error);
    // Done, and told in another way than the document has it: the message itself shows it.
    const isTaken = failure.kind === 'not-api' && failure.facts.status >= 200 && failure.facts.status < 300;
    if (!isTaken || failure.saysNo) throw error;
  }
  return retrieve(context, id);
}
