/** Edits and deletions of messages: looked at before, verified after, safe to repeat (reliability.md §2.2). */
import type { ApiError } from '../api/errors.ts';
import type { UpdateMessageParameters } from '../api/operations.ts';
import type { ConversationId, Message, MessageId } from '../protocol/types.ts';
import { norm } from '../state/outbox.ts';
import type { OpAction } from '../state/state.ts';
import type { Transition } from '../state/store.ts';
import { absorb, forget, knownNewest } from './absorb.ts';
import { apiError, remember, requestOptions, type SyncContext, stateOf, throughGate } from './context.ts';
import { type Outcome, refused } from './outcome.ts';

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

export async function put(context: SyncContext, id: MessageId, parameters: UpdateMessageParameters): Promise<Message> {
  const answer = await throughGate(context, () =>
    context.client().updateMessage(id, parameters, requestOptions(context)),
  );
  return answer.value;
}

/** The message as the server has it now enters with the op's leaving. */
export function settledWith(context: SyncContext, conversationId: ConversationId, message: Message): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done) => {
      const known = knownNewest(context, conversationId);
      const held = stateOf(context).cache.threads.get(conversationId)?.messages ?? known.messages;
      absorb(
        context,
        { conversationId, messages: [message], side: 'newest', connected: true },
        { messages: held, isAll: known.isAll },
        done,
      );
    },
  };
}

export function settledGone(context: SyncContext, conversationId: ConversationId, id: MessageId): Outcome {
  return { kind: 'settled', claim: null, apply: (done: Transition) => forget(context, conversationId, [id], done) };
}

type Edit = Extract<OpAction, { kind: 'message.edit' }>;

export async function editMessage(context: SyncContext, action: Edit): Promise<Outcome> {
  const before = await retrieve(context, action.messageId);
  if (before === null)
    return refused('The message was deleted meanwhile. Your text is kept: send it as a new message.');
  if (norm(before.text) !== norm(action.text)) {
    if (norm(before.text) !== norm(action.base))
      return refused('The message was changed meanwhile. Retry puts your text in its place.');
    await put(context, action.messageId, editParameters(context, action, before));
  }
  const after = await retrieve(context, action.messageId);
  if (after === null) return refused('The message was deleted meanwhile. Your text is kept: send it as a new message.');
  if (norm(after.text) === norm(before.text) && norm(after.text) !== norm(action.text))
    return refused('The server answered as if all were well, but kept the old text.');
  return settledWith(context, action.conversationId, await restoreLost(context, before, after));
}

/** Only the text, unless this server was seen to drop what is not sent. */
function editParameters(context: SyncContext, action: Edit, before: Message): UpdateMessageParameters {
  if (stateOf(context).local.traits.putRule?.value !== 'full-replace') return { message: action.text };
  return { message: action.text, ...othersOf(before) };
}

const othersOf = (message: Message): UpdateMessageParameters => ({
  ...(message.reactions.length > 0 ? { reactions: message.reactions } : {}),
  ...(message.attachments.length > 0
    ? { attachments: message.attachments.map((attachment) => attachment.fields) }
    : {}),
});

/** Reactions or attachments that went with the edit are put back once, and the rule is remembered. */
async function restoreLost(context: SyncContext, before: Message, after: Message): Promise<Message> {
  const hadOthers = before.reactions.length > 0 || before.attachments.length > 0;
  if (!hadOthers) return after;
  const isLost =
    after.reactions.length < before.reactions.length || after.attachments.length < before.attachments.length;
  remember(context, 'putRule', isLost ? 'full-replace' : 'partial', 'PUT /v1/messages/:id');
  if (!isLost) return after;
  return put(context, before.id, { message: after.text, ...othersOf(before) });
}

export async function deleteMessage(
  context: SyncContext,
  action: Extract<OpAction, { kind: 'message.delete' }>,
): Promise<Outcome> {
  try {
    await throughGate(context, () => context.client().deleteMessage(action.messageId, requestOptions(context)));
  } catch (error) {
    const failure: ApiError = apiError(error);
    if (failure.kind !== 'not-found') throw failure;
  }
  return settledGone(context, action.conversationId, action.messageId);
}
