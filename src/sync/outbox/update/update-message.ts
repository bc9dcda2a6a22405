/** Edits and deletions of messages: looked at before, verified after, safe to repeat (R-PUT-1, R-PUT-2). */
import type { ApiError } from '../../../api/errors.ts';
import { compareText } from '../../../protocol/same-text.ts';
import type { ConversationId, Message, MessageId } from '../../../protocol/types.ts';
import { mergeMessages } from '../../../state/cache/threads.ts';
import { ownReactionIds } from '../../../state/local/local.ts';
import { changedMeanwhile, norm } from '../../../state/local/outbox.ts';
import type { Op, OpAction } from '../../../state/model/app-state.ts';
import type { Transition } from '../../../state/store.ts';
import { knownNewest } from '../../merge/known-tail.ts';
import { mergePage, removeDeleted } from '../../merge/merge-page.ts';
import { type Outcome, refused } from '../../op/outcome.ts';
import { isAwaitingListing } from '../../read/lag-window.ts';
import { lookFor } from '../../read/read-message.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { apiError, request, requestOptions, type Services, stateOf } from '../../services/services.ts';
import { rereadWhileStale, shortRetriesMs } from '../../services/timing.ts';
import { dropBeforeImage } from '../safe-put/before-image.ts';
import { putMessage, sendsWholeMessage } from '../safe-put/put-message.ts';
import { countOthers } from '../safe-put/reaction-lists.ts';
import { learnPutRule, putUntilEqual, retrieveRepaired, unrecoverableLoss } from '../safe-put/restore-message.ts';

/** The message as the server has it now enters with the op's leaving. */
export function settledWith(context: Services, conversationId: ConversationId, message: Message): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done) => {
      const known = knownNewest(context, conversationId);
      const held = stateOf(context).cache.threads.get(conversationId)?.messages ?? known.messages;
      const shown = held.find(({ id }) => id === message.id);
      const before = known.cut.has(message.id) ? context.cache.message(conversationId, message.id) : (shown ?? null);
      if (before !== null) context.writes.messages.recordWrite(before, message);
      mergePage(
        context,
        { conversationId, messages: [message], side: 'newest', connected: true },
        { ...known, messages: mergeMessages(known.messages, held) },
        done,
      );
    },
  };
}

export function settledGone(context: Services, conversationId: ConversationId, id: MessageId): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done: Transition) => {
      context.writes.addTombstone(id, context.cache.message(conversationId, id)?.createdAt);
      removeDeleted(context, conversationId, [id], done);
    },
  };
}

type Edit = Extract<OpAction, { kind: 'message.edit' }>;

const goneMeanwhile = 'The message was deleted meanwhile. Your text is kept: send it as a new message.';

/** The evidence of an attempt that only asked: the user who tries again has agreed. */
const asked = 'asked first';

export const wasAsked = ({ attempts }: Op): boolean => attempts.some(({ evidence }) => evidence === asked);

/** While nobody knows whether this server drops what is not sent, others' reactions are not staked on it unasked. */
function question(others: number): Outcome {
  const reason = `Whether this server keeps reactions when a text is changed is not known yet: it may drop ${others} of other people. Your text is kept; retry changes it all the same.`;
  return { kind: 'refused', reason, evidence: asked };
}

/** `isAgreed`: the user knows that others' reactions may go. Rejects with ApiError. */
export async function editMessage(context: Services, action: Edit, isAgreed: boolean): Promise<Outcome> {
  const before = await retrieveRepaired(context, action);
  if (before === null) return refused(goneMeanwhile);
  const { textOnWire, putMessage: rule } = serverPolicy(context);
  const isDone = reads(before, action.text, textOnWire.unescapesShownText);
  if (!isDone && norm(before.text) !== norm(action.base))
    return { kind: 'refused', reason: 'The message was changed meanwhile.', evidence: changedMeanwhile };
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  const loss = unrecoverableLoss(context, before, mine);
  if (!isDone && loss !== null) return refused(`${loss} Your text is kept.`);
  const others = countOthers(before.reactions, mine);
  if (!isDone && others > 0 && rule.asksBeforeRisk && !isAgreed) return question(others);
  const after = isDone ? before : await change(context, before, action.text);
  if (after === null) return refused(goneMeanwhile);
  if (norm(after.text) === norm(before.text) && !reads(after, action.text, true))
    return refused('The server answered as if all were well, but kept the old text.');
  return settledWith(context, action.conversationId, after);
}

export function reads(message: Message, text: string, orEscaped: boolean): boolean {
  const change = compareText(text, message.text);
  return change === 'same' || change === 'trimmed' || (orEscaped && change === 'escaped');
}

/** Only the text is sent, unless this server was seen to drop what is not; null when the message is gone. */
async function change(context: Services, before: Message, text: string): Promise<Message | null> {
  const whole = { ...before, text, expectedText: null, previously: before.reactions };
  if (sendsWholeMessage(context)) return putUntilEqual(context, whole, before, false);
  const after = await putMessage(context, before, { message: text });
  if (after === null) return null;
  learnPutRule(context, before, after, { message: text });
  if (sendsWholeMessage(context)) return putUntilEqual(context, whole, after, true);
  dropBeforeImage(context, before.id);
  return after;
}

/** It was answered as if it were not there, and is. */
export const notDeleted = ({ facts }: ApiError): string =>
  `It was not deleted, and the server shows it still: ${facts.message}`;

/** No list has shown it yet: it may be deleted already, or be listed by another id than the answer to it named. */
const notFoundYet =
  'The server does not find this message by the id that it gave it, so it may not be deleted. Look at it again in a minute.';

type Delete = Extract<OpAction, { kind: 'message.delete' }>;

/** `isInDoubt`: an earlier attempt may have done it, which reads that lag behind do not show yet. Rejects with ApiError. */
export async function deleteMessage(context: Services, action: Delete, isInDoubt: boolean): Promise<Outcome> {
  const { messageId } = action;
  try {
    await request(context, () => context.client().deleteMessage(messageId, requestOptions(context)), 'write');
  } catch (error) {
    const failure: ApiError = apiError(error);
    // A "no", or a page that somebody else put in the answer's place: the message itself tells.
    const isDoubtful = failure.saysNo || failure.isTaken;
    const look = () => lookFor(context, messageId);
    const isBehind = (seen: Message | null): boolean => isInDoubt && seen !== null;
    const isGone = isDoubtful && (await rereadWhileStale(context, await look(), isBehind, look)) === null;
    if (failure.kind !== 'not-found' && !isGone) throw failure;
    if (!isInDoubt && isAwaitingListing(context, messageId)) return refused(notFoundYet);
    // Who may not delete it is told the same on some servers; reads may lag behind somebody else's deletion.
    const isThere = (seen: Message | null): boolean => seen !== null;
    if (!isGone && !isInDoubt && isThere(await rereadWhileStale(context, await look(), isThere, look, shortRetriesMs)))
      return refused(notDeleted(failure));
  }
  return settledGone(context, action.conversationId, messageId);
}
