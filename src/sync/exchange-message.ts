/** One message asked for, or changed and then looked at: what a PUT answers is not relied on. */
import type { ApiError } from '../api/errors.ts';
import type { UpdateMessageParameters } from '../api/operations.ts';
import type { Message, MessageId } from '../protocol/types.ts';
import { sameValue } from '../state/equal.ts';
import { dropBefore, keepBefore } from './broken-off.ts';
import { apiError, requestOptions, type SyncContext, throughGate } from './context.ts';

const isUnchanged = (before: Message, after: Message): boolean =>
  before.text === after.text &&
  sameValue(before.reactions, after.reactions) &&
  sameValue(before.attachments, after.attachments);

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
  let doubt: ApiError | null = null;
  try {
    const put = () => context.client().updateMessage(id, parameters, requestOptions(context));
    await throughGate(context, put, 'write');
  } catch (error) {
    const failure = apiError(error);
    if (isFirst && failure.facts.outcome !== 'A') dropBefore(context, id);
    // Done, and told in another way than the document has it: the message itself shows it.
    if (!failure.isTaken) throw error;
    if (failure.isForeign) doubt = failure;
  }
  const after = await retrieve(context, id);
  // It never came to the server: a change is safe to repeat.
  if (doubt !== null && after !== null && isUnchanged(before, after)) throw doubt;
  return after;
}
