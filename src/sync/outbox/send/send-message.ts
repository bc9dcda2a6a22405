/** Makes one attempt to send a message: takes the baseline, writes the attempt to disk, POSTs, judges the answer (R-SEND-1). */
import { ApiError } from '../../../api/errors.ts';
import type { Answer } from '../../../api/operations.ts';
import type { ConversationId, Message } from '../../../protocol/types.ts';
import { conversationOf } from '../../../state/cache/conversations.ts';
import { holdsBack, opByUuid, replaceOp } from '../../../state/local/outbox.ts';
import { markRead } from '../../../state/local/read-lines.ts';
import type { AppState, Op, OpAction } from '../../../state/model/app-state.ts';
import { transition } from '../../../state/model/op-state.ts';
import { selectUnread } from '../../../state/select/selectors.ts';
import type { Transition } from '../../../state/store.ts';
import { type KnownTail, knownFrom, knownNewest } from '../../merge/known-newest.ts';
import { mergePage } from '../../merge/merge-page.ts';
import { withTexts } from '../../merge/sliced-texts.ts';
import { changeSameThing } from '../../op/ordering.ts';
import { type Outcome, outcomeOfPost } from '../../op/outcome.ts';
import { isNewUnderOldId } from '../../quirks/recycled-ids.ts';
import { isConversationUnknown, isYoungConversation } from '../../read/read-conversation.ts';
import { writeToDisk } from '../../services/durable-write.ts';
import { noteSender } from '../../services/other-account.ts';
import { apiError, mayLeaveNow, request, requestOptions } from '../../services/request.ts';
import { learnTextChange } from '../../services/server-policy.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { takeBaseline } from './reconcile.ts';

type SendAction = Extract<OpAction, { kind: 'message.send' }>;

/** Reads the newest page of the conversation unless it was read just now. Rejects with ApiError. */
export type ReadNewestPage = (id: ConversationId) => Promise<void>;

/** Null: the op was taken back or changed meanwhile, or no write may leave now. */
export async function sendMessage(
  context: Services,
  uuid: string,
  action: SendAction,
  readNewestPage: ReadNewestPage,
): Promise<Outcome | null> {
  try {
    await readNewestPage(action.conversationId);
  } catch (error) {
    const { facts, kind } = apiError(error);
    const isYoung = isYoungConversation(context, action.conversationId);
    if (kind !== 'not-found' || !(await mayBeEmpty(context, action.conversationId, isYoung))) {
      // The read failed, so the message itself has not been sent.
      const isGone = kind === 'not-found' && !isYoung;
      return outcomeOfPost(new ApiError({ ...facts, outcome: isGone ? 'rejected' : 'not-applied' }));
    }
  }
  let known = knownNewest(context, action.conversationId);
  if (known.withoutText.size > 0) {
    const { messages } = await withTexts(context, action.conversationId, known);
    known = allTexts(context, action.conversationId, messages);
  }
  // There is no `await` from here on: the baseline holds every message that is known when the attempt begins.
  const op = opByUuid(stateOf(context), uuid);
  if (op?.state !== 'queued' || !mayLeaveNow(context, 'write')) return null;
  if (conversationOf(op) !== action.conversationId) return null;
  const from = knownFrom(context, action.conversationId, known) ?? undefined;
  const baseline = takeBaseline(stateOf(context), op, known.messages, from);
  const sending = beginAttempt(context, { ...op, baseline });
  return sending === null ? null : post(context, sending, action);
}

/**
 * Some servers answer 404 to the history of a conversation without messages. One of which nothing was ever read may be
 * such a one, unless the server says that it does not know the conversation. Where the user does not reveal reading,
 * the conversation is not asked for; then it counts as empty once it is not new any more, and the POST decides.
 */
async function mayBeEmpty(context: Services, id: ConversationId, isYoung: boolean): Promise<boolean> {
  if (!stateOf(context).cache.conversations.has(id) || knownNewest(context, id).messages.length > 0) return false;
  if (!stateOf(context).settings.revealReading) return !isYoung;
  try {
    return !(await isConversationUnknown(context, id));
  } catch (error) {
    // An error that is not one of the API is a bug, and is thrown again here.
    apiError(error);
    return false;
  }
}

/** The newest known messages with their whole texts, taken from `read` and, for later ones, from the cache. */
function allTexts(context: Services, id: ConversationId, read: readonly Message[]): KnownTail {
  const known = knownNewest(context, id);
  const texts = new Map(read.map((message) => [message.id, message]));
  const whole = (message: Message): Message =>
    known.withoutText.has(message.id)
      ? (texts.get(message.id) ?? context.cache.message(id, message.id) ?? message)
      : message;
  return { ...known, messages: known.messages.map(whole) };
}

/**
 * Puts the attempt on disk and then in the state. Null when the disk refused, or holds an earlier op that has to go
 * first. Throws `ImpossibleOpEvent` for an op that is not queued.
 */
export function beginAttempt(context: Services, op: Op): Op | null {
  const sending = transition(op, { kind: 'start', at: context.clock.now() });
  let isFirst = false;
  const isSaved = writeToDisk(context, op.uuid, 'The outbox could not be written, so nothing was sent.', () => {
    isFirst = context.outbox.begin(sending, (earlier) => goesFirst(context, sending, earlier));
  });
  if (!isSaved) return null;
  if (!isFirst) {
    context.reload();
    return null;
  }
  update(context, replaceOp(sending));
  return sending;
}

/** Whether `earlier`, as the disk has it, goes first. This process knows better how its own attempts ended. */
function goesFirst(context: Services, op: Op, earlier: Op): boolean {
  if (!changeSameThing(op, earlier) || !holdsBack(earlier)) return false;
  if (earlier.state !== 'sending') return true;
  const held = opByUuid(stateOf(context), earlier.uuid);
  return held?.state !== 'failed';
}

async function post(context: Services, op: Op, action: SendAction): Promise<Outcome> {
  let answer: Answer<Message>;
  try {
    const { conversationId, text: message, attachments } = action;
    const sent = { conversationId, message, ...(attachments && { attachments }), idempotencyKey: op.uuid };
    answer = await request(context, () => context.client().sendMessage(sent, requestOptions(context)), 'write');
  } catch (error) {
    return outcomeOfPost(apiError(error));
  }
  const message = answer.value;
  learnFrom(context, action, message);
  return {
    kind: 'settled',
    claim: message.id,
    isRecycled: isNewUnderOldId(context, action.conversationId, message),
    apply: (done) => {
      context.writes.tombstones.messages.remove(message.id);
      context.unlisted.addSend(message.id);
      const known = knownNewest(context, action.conversationId);
      const read = readAfterSend(stateOf(context), action.conversationId);
      mergePage(
        context,
        { conversationId: action.conversationId, messages: [message], side: 'newest', connected: true },
        known,
        (state) => read(done(state)),
      );
    },
  };
}

/**
 * Where the server does not say who the user is, a message that was sent from here would count as unread. What was unread
 * before it stays so.
 */
const readAfterSend = (before: AppState, id: ConversationId): Transition =>
  before.local.me === null && selectUnread(before, id) === 0 ? markRead(id) : (state) => state;

const source = 'POST /v1/messages';

function learnFrom(context: Services, action: SendAction, message: Message): void {
  const { contact } = message;
  if (contact !== null) noteSender(context, action.conversationId, contact);
  learnTextChange(context, action.text, message.text, source);
}
