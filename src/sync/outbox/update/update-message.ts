/** Edits and deletes messages. An edit reads the message before and after; both may be repeated (R-PUT-1, R-PUT-2). */
import type { ApiError } from '../../../api/errors.ts';
import { compareText, normaliseText } from '../../../protocol/same-text.ts';
import type { ServerPolicy } from '../../../protocol/server-policy.ts';
import { isOfAnotherTime } from '../../../protocol/time.ts';
import type { ConversationId, Message, MessageId, Millis } from '../../../protocol/types.ts';
import { mergeMessages } from '../../../state/cache/threads.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { ownReactionIds } from '../../../state/local/identity.ts';
import { changedMeanwhile, messageNotFound, opsOf } from '../../../state/local/outbox.ts';
import type { Op, OpAction } from '../../../state/model/app-state.ts';
import { settleOp } from '../../../state/settle-op.ts';
import type { Transition } from '../../../state/store.ts';
import { dropNotice } from '../../../state/view/notices.ts';
import { knownNewest } from '../../merge/known-newest.ts';
import { mergePage, removeDeleted } from '../../merge/merge-page.ts';
import { type Outcome, rejected } from '../../op/outcome.ts';
import { freshest } from '../../op/update-op.ts';
import { findMessage } from '../../read/read-message.ts';
import { rereadWhileStale, shortRetriesMs } from '../../read/reread-while-stale.ts';
import { isAwaitingListing, isWithinLagWindowOfSend } from '../../read/within-lag-window.ts';
import { writeToDisk } from '../../services/durable-write.ts';
import type { PageObserver } from '../../services/page-observer.ts';
import { apiError, failureAfter, isNotShown, request, requestOptions } from '../../services/request.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { changeMessage, retrieveRepaired, unrecoverableLoss } from '../safe-put/change-message.ts';
import { countOthers } from '../safe-put/message-diff.ts';

/** The op is done: the message as the server has it enters the cache in the same update in which the op leaves. */
export function settledWith(context: Services, conversationId: ConversationId, message: Message): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done) => {
      // A command may name a message by its id. Merged, it would count as the oldest one, and nothing as missing after it.
      if (context.cache.message(conversationId, message.id) === null) return update(context, done);
      const known = knownNewest(context, conversationId);
      const held = stateOf(context).cache.threads.get(conversationId)?.messages ?? known.messages;
      const shown = held.find(({ id }) => id === message.id);
      const before = known.withoutText.has(message.id)
        ? context.cache.message(conversationId, message.id)
        : (shown ?? null);
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

/** The op is done, and the message is gone from the server. */
export function settledGone(context: Services, conversationId: ConversationId, id: MessageId): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done: Transition) => {
      context.writes.tombstones.messages.add(id, context.cache.message(conversationId, id)?.createdAt);
      recordUnpinned(context, conversationId, id);
      removeDeleted(context, conversationId, [id], done);
    },
  };
}

/** A deleted message is not pinned any more, also where it was pinned so shortly before that lists may not show that yet. */
function recordUnpinned(
  { store, writes }: Pick<Services, 'store' | 'writes'>,
  conversationId: ConversationId,
  id: MessageId,
): void {
  const held = store.getState().cache.conversations.get(conversationId);
  if (held?.pinnedMessageId === id) writes.conversations.recordWrite(held, { ...held, pinnedMessageId: null });
}

/** The op is done, and nothing else changes. */
export const settledAlone = (context: Services): Outcome => ({
  kind: 'settled',
  claim: null,
  apply: (done) => update(context, done),
});

/** The op is done: its message is gone, and the server has given the id to another one, which is left alone. */
function settledRecycled(context: Services, id: MessageId, createdAt: Millis | null): Outcome {
  const apply = (done: Transition) => {
    context.writes.tombstones.messages.add(id, createdAt);
    update(context, done);
  };
  return { kind: 'settled', claim: null, apply };
}

type Edit = Extract<OpAction, { kind: 'message.edit' }>;

const goneMeanwhile: Outcome = {
  kind: 'rejected',
  reason: 'The message was deleted meanwhile. Your text is kept: send it as a new message.',
  evidence: messageNotFound,
};

/** The evidence of an attempt that ended with a question: a user who tries again has agreed to the risk. */
const asked = 'asked first';

export const wasAsked = ({ attempts }: Op): boolean => attempts.some(({ evidence }) => evidence === asked);

/** Asks before an edit puts other people's reactions at risk on a server that may drop what is not sent. */
function question(others: number): Outcome {
  const reason = `Whether this server keeps reactions when a text is changed is not known yet: it may drop ${others} of other people. Your text is kept; retry changes it all the same.`;
  return { kind: 'rejected', reason, evidence: asked };
}

/** Why reactions can be neither left out of a change nor sent with it; null where they can. */
function unsendable({ putMessage: rule, reactions }: ServerPolicy, others: number): string | null {
  const isSwitching = reactions.rule === 'toggle' || reactions.rule === 'append';
  if (rule.reactions !== 'dropped' || !isSwitching || others === 0) return null;
  return `This server drops reactions that a change leaves out, and turns off or repeats those that it is sent: ${others} of other people are at stake.`;
}

/** `isAgreed`: other people's reactions may go. Rejects with ApiError when the outcome is not known. */
export async function editMessage(context: Services, action: Edit, isAgreed: boolean): Promise<Outcome> {
  const before = await retrieveRepaired(context, action);
  if (before === null) return goneMeanwhile;
  const policy = serverPolicy(context);
  const { unescapesShownText } = policy.textOnWire;
  // Where the text that was opened is still there, an edit of spaces alone is yet to be made.
  const isShown = before.text !== action.base && showsText(before, action.text, unescapesShownText);
  const isDone = isShown || before.text === action.text;
  if (!isDone) {
    // The text that was opened may be that of an earlier edit, which the server has escaped since.
    if (!showsText(before, action.base, unescapesShownText))
      return { kind: 'rejected', reason: 'The message was changed meanwhile.', evidence: changedMeanwhile };
    const mine = ownReactionIds(stateOf(context), action.conversationId);
    const others = countOthers(before.reactions, mine);
    const loss = unrecoverableLoss(policy, before, mine) ?? unsendable(policy, others);
    if (loss !== null) return rejected(`${loss} Your text is kept.`);
    if (others > 0 && policy.putMessage.reactions === 'unknown' && !isAgreed) return question(others);
  }
  const intent = { text: action.text, wish: null };
  const after = isDone ? before : await changeMessage(context, before, { message: action.text }, intent);
  if (after === null) return goneMeanwhile;
  if (normaliseText(after.text) === normaliseText(before.text) && !showsText(after, action.text, true))
    return rejected('The server reported success but kept the old text.');
  return settledWith(context, action.conversationId, after);
}

/** Whether the message shows the text, trimmed perhaps; `orEscaped`: or with HTML escapes. */
function showsText(message: Message, text: string, orEscaped: boolean): boolean {
  const change = compareText(text, message.text);
  return change === 'same' || change === 'trimmed' || (orEscaped && change === 'escaped');
}

/** Why a deletion is refused where the server answers "not found" but still shows the message or conversation. */
export const notDeleted = ({ facts }: ApiError): string =>
  `It was not deleted, and the server shows it still: ${facts.message}`;

/** For a read after a deletion that fails. `isDoubtful`: the answer to the deletion leaves open whether it was carried out. */
export const throwAfterDeletion =
  (isDoubtful: boolean) =>
  (error: unknown): never => {
    throw failureAfter(isDoubtful ? 'ambiguous' : 'not-applied', error);
  };

/** No list has shown the message yet: it may be deleted already, or be listed by another id. */
const notFoundYet =
  'The message may still be there: the server does not find it by the id that it gave to it. Look at it again in a minute.';

type Delete = Extract<OpAction, { kind: 'message.delete' }>;

/** `isInDoubt`: an earlier attempt may have deleted it. Rejects with ApiError for a reason that may pass. */
export async function deleteMessage(context: Services, action: Delete, isInDoubt: boolean): Promise<Outcome> {
  const { conversationId, messageId, createdAt = null } = action;
  if (await isIdRecycled(context, action, isInDoubt)) return settledRecycled(context, messageId, createdAt);
  try {
    await request(context, () => context.client().deleteMessage(messageId, requestOptions(context)), 'write');
  } catch (error) {
    const failure: ApiError = apiError(error);
    // The answer says no in a successful response, or is not the server's: whether the message is there decides.
    const isDoubtful = failure.bodySaysNo || failure.acceptedUnreadable;
    const read = () => findMessage(context, messageId).catch(throwAfterDeletion(isDoubtful));
    const isBehind = (seen: Message | null): boolean => isInDoubt && seen !== null;
    const isGone = isDoubtful && (await rereadWhileStale(context, await read(), isBehind, read)) === null;
    if (failure.kind !== 'not-found' && !isGone) throw failure;
    if (!isInDoubt && !failure.acceptedUnreadable && isYoungSend(context, action)) return rejected(notFoundYet);
    // Some servers answer "not found" to those who may not delete it. Reads may lag behind somebody else's deletion.
    const isThere = (seen: Message | null): boolean => seen !== null;
    if (!isGone && !isInDoubt && isThere(await rereadWhileStale(context, await read(), isThere, read, shortRetriesMs)))
      return rejected(notDeleted(failure));
  }
  return settledGone(context, conversationId, messageId);
}

/** Whether lists may yet show the message by another id: it was sent a moment ago, in this run or by another program. */
function isYoungSend(context: Services, { conversationId, messageId }: Delete): boolean {
  const held = context.cache.message(conversationId, messageId);
  return isAwaitingListing(context, messageId) || (held !== null && isWithinLagWindowOfSend(context, held));
}

/**
 * Whether the server has given the id to another message, so that the one to be deleted is gone. After an attempt that may
 * have deleted it, the server is asked.
 */
async function isIdRecycled(context: Services, action: Delete, isInDoubt: boolean): Promise<boolean> {
  const { conversationId, messageId, createdAt = null } = action;
  const isOther = (seen: Message | null): boolean => isOfAnotherTime(createdAt, seen?.createdAt ?? null);
  if (isOther(context.cache.message(conversationId, messageId))) return true;
  if (!isInDoubt || createdAt === null) return false;
  try {
    return isOther(await findMessage(context, messageId));
  } catch (error) {
    if (isNotShown(error) || apiError(error).isIdMismatch) return false;
    throw error;
  }
}

/** Settles edits that counted as failed only because reads lagged for long. Runs in the process that sends. */
export const confirmLateEdits: PageObserver = (context, id) => ({
  after: () => {
    if (context.isSender()) settleShownEdits(context, id);
  },
});

/** A failed edit leaves the outbox when its message shows the text by now; nothing of it is lost. */
function settleShownEdits(context: Services, id: ConversationId): void {
  for (const op of opsOf(stateOf(context), id)) {
    const { action, state, uuid } = op;
    if (action.kind !== 'message.edit' || state !== 'failed' || op.pendingRepair !== undefined) continue;
    const shown = context.cache.message(id, action.messageId);
    if (shown === null || shown.text === action.base || !showsText(shown, action.text, false)) continue;
    let isSettled = false;
    writeToDisk(context, uuid, 'That an edit was made after all was not recorded.', () => {
      // Another process may have given it another text meanwhile, or have it tried again.
      isSettled = context.outbox.withdraw(uuid, null, (held) => {
        const now = freshest(context, held);
        return now.state === state && sameValue(now.action, action);
      });
    });
    const left = settleOp(op, null, context.clock.now());
    if (isSettled) update(context, (held) => dropNotice(uuid)(left(held)));
  }
}
