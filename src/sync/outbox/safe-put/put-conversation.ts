/**
 * Changes settings of one conversation (pinned, muted, archived, pinned message) and checks the others in the answer.
 * A server that resets what is not sent is recognised by an answer in which another setting is gone; from then on all
 * settings are sent together.
 */
import type { Answer, UpdateConversationParameters } from '../../../api/operations.ts';
import { formatTime } from '../../../protocol/time.ts';
import type { Conversation, ConversationId, TimeFormat } from '../../../protocol/types.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { opsOf } from '../../../state/local/outbox.ts';
import type { Op, OpAction, OpKind } from '../../../state/model/app-state.ts';
import { isAmbiguous } from '../../op/outcome.ts';
import { updateOpBestEffort } from '../../op/update-op.ts';
import { mayRetrieve, readConversation } from '../../read/read-conversation.ts';
import { rereadWhileStale, shortRetriesMs } from '../../read/reread-while-stale.ts';
import { showNotice } from '../../services/notices.ts';
import { apiError, failureAfter, request, requestOptions } from '../../services/request.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { enqueue } from '../enqueue.ts';

/**
 * Sends `parameters`, together with the other settings where the server needs them.
 *
 * @returns the conversation as it is after the change
 * @throws ApiError when the server did not take the change
 */
export async function putConversation(
  context: Services,
  id: ConversationId,
  parameters: UpdateConversationParameters,
): Promise<Conversation> {
  const { sendsAllSettings, learnsFromAnswer } = serverPolicy(context).putConversation;
  const op = pendingChangeOf(context, id);
  const isInDoubt = isAmbiguous(op?.attempts.slice(0, -1) ?? []);
  // The list may lag behind, so the settings that are sent along or compared are read anew.
  const isRead = sendsAllSettings || learnsFromAnswer || isInDoubt || hasOtherSettings(context, id, parameters);
  const shown = isRead ? await readConversation(context, id) : null;
  const found = shown ?? stateOf(context).cache.conversations.get(id);
  if (found === undefined) return putAndRecord(context, id, parameters, null);
  if (isInDoubt && shown !== null && isDone(context, shown, parameters)) {
    const was = { ...shown, ...op?.settingsBefore };
    putBackLater(context, was, settingsLost(context, was, shown, parameters));
    return shown;
  }
  const before = context.writes.conversations.overRead(found);
  const others = otherSettings(context, before, parameters);
  if (sendsAllSettings) return putAndRecord(context, id, { ...others, ...parameters }, before);
  if (op !== undefined && learnsFromAnswer && Object.keys(others).length > 0)
    updateOpBestEffort(context, op, unwritten, (held) => ({ ...held, settingsBefore: settingsOf(before) }));
  const after = await putAndRecord(context, id, parameters, before);
  // Compared after each change: a server may keep one setting and reset another.
  if (Object.keys(others).length === 0) return after;
  const reset = settingsLost(context, before, after, parameters);
  const rule = reset.length > 0 ? 'full-replace' : 'partial';
  learnCapability(context, 'conversationPutRule', rule, 'PUT /v1/conversations/:id');
  if (reset.length === 0) return after;
  showNotice(context, 'warning', 'put-rule', resetsOthers);
  try {
    return await putAndRecord(context, id, { ...others, ...parameters }, after);
  } catch (error) {
    putBackLater(context, before, reset);
    throw failureAfter('ambiguous', error);
  }
}

const unwritten = 'What a change may reset in a conversation was not recorded.';

/** The settings that were on and are not any more, without those that were sent. */
function settingsLost(
  context: Services,
  before: Conversation,
  after: Conversation,
  sent: UpdateConversationParameters,
): readonly string[] {
  const kept = otherSettings(context, after, sent);
  return Object.keys(otherSettings(context, before, sent)).filter((setting) => !(setting in kept));
}

/** Queues the settings that a change has reset, where the user has not changed them since. */
function putBackLater(context: Services, before: Conversation, reset: readonly string[]): void {
  const { id: conversationId, archivedAt: at, pinnedMessageId: messageId } = before;
  const actions: Readonly<Record<string, OpAction>> = {
    isPinned: { kind: 'conversation.pin', conversationId, value: true },
    isMuted: { kind: 'conversation.mute', conversationId, value: true },
    archivedAt: { kind: 'conversation.archive', conversationId, at },
    pinnedMessageId: { kind: 'conversation.pinMessage', conversationId, messageId },
  };
  for (const setting of reset) {
    const action = actions[setting];
    const isChanged = opsOf(stateOf(context), conversationId).some((op) => op.action.kind === action?.kind);
    if (action !== undefined && !isChanged) enqueue(context, action);
  }
}

/**
 * Whether a setting is on that a change could reset. Without `revealReading` that is asked of the cache alone, because a
 * read would be one of the whole list.
 */
function hasOtherSettings(context: Services, id: ConversationId, sent: UpdateConversationParameters): boolean {
  const held = stateOf(context).cache.conversations.get(id);
  return mayRetrieve(context, id) && held !== undefined && Object.keys(otherSettings(context, held, sent)).length > 0;
}

const resetsOthers =
  'This server resets the other settings of a conversation when one is changed. They are sent together from now on.';

const settingKinds: Readonly<Partial<Record<OpKind, true>>> = {
  'conversation.pin': true,
  'conversation.mute': true,
  'conversation.archive': true,
  'conversation.pinMessage': true,
};

/** The op under way that changes a setting of the conversation. */
const pendingChangeOf = (context: Services, id: ConversationId): Op | undefined =>
  stateOf(context).local.outbox.find(
    ({ state, action }) =>
      state === 'sending' && action.kind in settingKinds && 'conversationId' in action && action.conversationId === id,
  );

/**
 * Whether an earlier attempt, whose answer never came, has set what is to be set. A read that may date from before an
 * earlier change of the user proves nothing, so the value has to be there with and without that change laid over it.
 */
const isDone = (context: Services, shown: Conversation, sent: UpdateConversationParameters): boolean =>
  [shown, context.writes.conversations.overUnlistedRead(shown)].every((now) => showsSent(now, sent));

function showsSent(now: Conversation, sent: UpdateConversationParameters): boolean {
  const { isPinned = now.isPinned, isMuted = now.isMuted, pinnedMessageId, archivedAt } = sent;
  if (isPinned !== now.isPinned || isMuted !== now.isMuted) return false;
  if (archivedAt !== undefined && clears(archivedAt) !== (now.archivedAt === null)) return false;
  if (pinnedMessageId === undefined) return true;
  const held = now.pinnedMessageId ?? '';
  return clears(pinnedMessageId) ? held === '' : held === pinnedMessageId;
}

/** The values that servers are sent to clear a field (server-differences: Changes in general). */
const clears = (value: string): boolean => value === '' || value === 'null' || value === '0';

/** The format in which the conversation itself writes times, else the one that its server was seen to use. */
export const timeFormatFor = (context: Services, own: TimeFormat | null): TimeFormat =>
  own ?? serverPolicy(context).timeFormat;

/** Whether a conversation in an answer lacks fields that every conversation has: the server has not sent all of it. */
export const isSparse = ({ timeFormat, contactId, groupId }: Conversation): boolean =>
  timeFormat === null || (contactId === null && groupId === null);

/** Records the change, so that answers that lag behind do not show the old settings again. */
async function putAndRecord(
  context: Services,
  id: ConversationId,
  parameters: UpdateConversationParameters,
  before: Conversation | null,
): Promise<Conversation> {
  const after = await put(context, id, parameters, before);
  if (before !== null) context.writes.conversations.recordWrite(before, after);
  return after;
}

async function put(
  context: Services,
  id: ConversationId,
  parameters: UpdateConversationParameters,
  before: Conversation | null,
): Promise<Conversation> {
  let answer: Answer<Conversation>;
  try {
    const send = () => context.client().updateConversation(id, parameters, requestOptions(context));
    answer = await request(context, send, 'write');
  } catch (error) {
    const failure = apiError(error);
    // The server accepted the change, but its answer is not a conversation: the conversation is read instead.
    if (!failure.acceptedUnreadable) throw error;
    const after = await readAfter(context, id, before, failure.isForeignBody ? shortRetriesMs : undefined);
    // A foreign answer and an unchanged conversation: the change never reached the server and is safe to repeat.
    if (after === null || (failure.isForeignBody && areSettingsEqual(before, after))) throw failure;
    return after;
  }
  const { value } = answer;
  return isSparse(value) ? ((await readAfter(context, value.id, before)) ?? value) : value;
}

const settingsOf = ({ isPinned, isMuted, pinnedMessageId, archivedAt }: Conversation) => ({
  isPinned,
  isMuted,
  pinnedMessageId,
  archivedAt,
});

const areSettingsEqual = (before: Conversation | null, after: Conversation | null): boolean =>
  before !== null && after !== null && sameValue(settingsOf(before), settingsOf(after));

/**
 * Reads the conversation until its settings differ from `before`. Where it cannot be read without telling others that
 * the user has read it, a notice says so, and the conversation in the cache is returned; null when there is none.
 */
async function readAfter(
  context: Services,
  id: ConversationId,
  before: Conversation | null,
  delaysMs?: readonly number[],
): Promise<Conversation | null> {
  const isBehind = (now: Conversation | null): boolean => areSettingsEqual(before, now);
  const read = () =>
    readConversation(context, id).catch((error: unknown) => {
      throw failureAfter('ambiguous', error);
    });
  const found = await rereadWhileStale(context, await read(), isBehind, read, delaysMs);
  if (found !== null) return found;
  const text =
    'Whether the change was made is not known: asking would tell the server that you opened the conversation, and reveal_reading is off.';
  showNotice(context, 'warning', `unseen ${id}`, text);
  return stateOf(context).cache.conversations.get(id) ?? null;
}

/** The settings that `sent` does not name and that would be lost if the server reset them: those that are on. */
function otherSettings(
  context: Services,
  now: Conversation,
  sent: UpdateConversationParameters,
): UpdateConversationParameters {
  const { isPinned, isMuted, pinnedMessageId, archivedAt, timeFormat } = now;
  return {
    ...(isPinned && sent.isPinned === undefined ? { isPinned } : {}),
    ...(isMuted && sent.isMuted === undefined ? { isMuted } : {}),
    ...(pinnedMessageId !== null && sent.pinnedMessageId === undefined ? { pinnedMessageId } : {}),
    ...(archivedAt !== null && sent.archivedAt === undefined
      ? { archivedAt: formatTime(archivedAt, timeFormatFor(context, timeFormat)) }
      : {}),
  };
}
