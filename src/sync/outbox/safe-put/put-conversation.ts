/** One conversation changed and, where the answer does not show it, looked at; settings that went along are put back. */
import type { Answer, UpdateConversationParameters } from '../../../api/operations.ts';
import { formatTime } from '../../../protocol/time.ts';
import type { Conversation, ConversationId, TimeFormat } from '../../../protocol/types.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { isAmbiguous } from '../../op/outcome.ts';
import { readConversation } from '../../read/read-conversation.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import {
  apiError,
  learnTrait,
  notify,
  request,
  requestOptions,
  type Services,
  stateOf,
} from '../../services/services.ts';
import { rereadWhileStale, shortRetriesMs } from '../../services/timing.ts';
import { pendingChangeOf, saveSettings, settingsOf, withSavedSettings } from './settings-before-image.ts';

/** The conversation as it is after the change. Rejects with ApiError when the change was not taken. */
export async function putConversation(
  context: Services,
  id: ConversationId,
  parameters: UpdateConversationParameters,
): Promise<Conversation> {
  const { sendsAllSettings, learnsFromAnswer } = serverPolicy(context).putConversation;
  const mayReset = sendsAllSettings || learnsFromAnswer;
  const isInDoubt = isAmbiguous(pendingChangeOf(context, id)?.attempts.slice(0, -1) ?? []);
  // Lists lag, and what is not sent may be lost: what is there now is what goes along.
  const shown = !mayReset && !isInDoubt ? null : await readConversation(context, id);
  const found = shown ?? stateOf(context).cache.conversations.get(id);
  if (found === undefined) return exchange(context, id, parameters, null);
  const now = context.writes.conversations.overRead(found);
  const before = mayReset ? withSavedSettings(context, now) : now;
  if (isInDoubt && shown !== null && isDone(context, shown, parameters)) return shown;
  const rest = restOf(context, before, parameters);
  if (sendsAllSettings) return exchange(context, id, { ...rest, ...parameters }, before);
  const isAtStake = Object.keys(rest).length > 0;
  if (isAtStake && learnsFromAnswer) saveSettings(context, before);
  const after = await exchange(context, id, parameters, before);
  if (!isAtStake) return after;
  const isLost = hasLost(before, after, parameters);
  learnTrait(context, 'conversationPutRule', isLost ? 'full-replace' : 'partial', 'PUT /v1/conversations/:id');
  if (!isLost) return after;
  const whole = await exchange(context, id, { ...rest, ...parameters }, after);
  if (hasLost(before, whole, parameters))
    notify(context, 'warning', 'put-rule', 'This server resets other settings of a conversation when one is changed.');
  return whole;
}

/**
 * An attempt without a known end was carried out, and has reset nothing else. What may be of the time before an earlier
 * change proves nothing.
 */
function isDone(context: Services, shown: Conversation, sent: UpdateConversationParameters): boolean {
  if (hasLost(withSavedSettings(context, shown), shown, sent)) return false;
  return [shown, context.writes.conversations.overUnlistedRead(shown)].every((now) => showsSent(now, sent));
}

function showsSent(now: Conversation, sent: UpdateConversationParameters): boolean {
  const { isPinned = now.isPinned, isMuted = now.isMuted, pinnedMessageId, archivedAt } = sent;
  if (isPinned !== now.isPinned || isMuted !== now.isMuted) return false;
  if (archivedAt !== undefined && clears(archivedAt) !== (now.archivedAt === null)) return false;
  if (pinnedMessageId === undefined) return true;
  const held = now.pinnedMessageId ?? '';
  return clears(pinnedMessageId) ? held === '' : held === pinnedMessageId;
}

/** The values that servers are sent to take a field back (server-differences: Changes in general). */
const clears = (value: string): boolean => value === '' || value === 'null' || value === '0';

/** As the conversation itself writes times, else as this server was seen to (server-differences: Timestamp unit). */
export const timeFormatFor = (context: Services, own: TimeFormat | null): TimeFormat =>
  own ?? serverPolicy(context).timeFormat;

export const isSparse = ({ timeFormat, contactId, groupId }: Conversation): boolean =>
  timeFormat === null || (contactId === null && groupId === null);

/** One that lacks what every conversation has is not the conversation yet. */
async function seen(context: Services, answered: Conversation, before: Conversation | null): Promise<Conversation> {
  return isSparse(answered) ? ((await lookBack(context, answered.id, before)) ?? answered) : answered;
}

/** Changed, and kept in mind for answers that lag behind, also of a conversation that no list has shown yet. */
async function exchange(
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
    // Done, and told in another way than the document has it: the conversation itself shows it.
    if (!failure.isTaken) throw error;
    const after = await lookBack(context, id, before, failure.isForeign ? shortRetriesMs : undefined);
    // It never came to the server: a change is safe to repeat.
    if (after === null || (failure.isForeign && isSame(before, after))) throw failure;
    return after;
  }
  return seen(context, answer.value, before);
}

const isSame = (before: Conversation | null, after: Conversation | null): boolean =>
  before !== null && after !== null && sameValue(settingsOf(before), settingsOf(after));

/** What became of a change; where that cannot be seen, what is held, if anything is, and the user is told why. */
async function lookBack(
  context: Services,
  id: ConversationId,
  before: Conversation | null,
  delaysMs?: readonly number[],
): Promise<Conversation | null> {
  const isBehind = (now: Conversation | null): boolean => isSame(before, now);
  const found = await rereadWhileStale(
    context,
    await readConversation(context, id),
    isBehind,
    () => readConversation(context, id),
    delaysMs,
  );
  if (found !== null) return found;
  const text =
    'What became of the change shows only in the conversation itself, which was not opened: you keep reading to yourself.';
  notify(context, 'warning', `unseen ${id}`, text);
  return stateOf(context).cache.conversations.get(id) ?? null;
}

/** The settings that are not in `sent`, as they are; those that are off are off again when left out. */
function restOf(
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

function hasLost(before: Conversation, after: Conversation, sent: UpdateConversationParameters): boolean {
  return (
    (sent.isPinned === undefined && before.isPinned && !after.isPinned) ||
    (sent.isMuted === undefined && before.isMuted && !after.isMuted) ||
    (sent.archivedAt === undefined && before.archivedAt !== null && after.archivedAt === null) ||
    (sent.pinnedMessageId === undefined && before.pinnedMessageId !== null && after.pinnedMessageId === null)
  );
}
