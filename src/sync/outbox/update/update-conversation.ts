/** Changes the settings of a conversation and deletes conversations; a change counts only once the server shows it. */
import type { ApiError } from '../../../api/errors.ts';
import type { UpdateConversationParameters } from '../../../api/operations.ts';
import { formatTime } from '../../../protocol/time.ts';
import type { Conversation, ConversationId } from '../../../protocol/types.ts';
import { countUnsent, removeUnlessUnsent } from '../../../state/local/unsent-text.ts';
import type { OpAction } from '../../../state/model/app-state.ts';
import type { Transition } from '../../../state/store.ts';
import { takeConversation } from '../../merge/take-conversation.ts';
import { type Outcome, rejected } from '../../op/outcome.ts';
import { resetReplaced } from '../../quirks/recipient-guard.ts';
import { doesConversationExist, findConversation } from '../../read/read-conversation.ts';
import { rereadWhileStale, shortRetriesMs } from '../../read/reread-while-stale.ts';
import { showNotice } from '../../services/notices.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { unsentTextNotice } from '../../services/unsent-text-notice.ts';
import { putConversation, timeFormatFor } from '../safe-put/put-conversation.ts';
import { notDeleted, throwAfterDeletion } from './update-message.ts';

type Action<K extends OpAction['kind']> = Extract<OpAction, { kind: K }>;
type FieldAction = Action<
  'conversation.pin' | 'conversation.mute' | 'conversation.archive' | 'conversation.pinMessage'
>;

const dayMs = 86_400_000;

/** @throws ApiError when the outcome of a request is not known */
export async function updateConversation(context: Services, action: FieldAction): Promise<Outcome> {
  const id = action.conversationId;
  if (action.kind === 'conversation.pin')
    return setField(context, id, { isPinned: action.value }, (now) => now.isPinned === action.value);
  if (action.kind === 'conversation.mute')
    return setField(context, id, { isMuted: action.value }, (now) => now.isMuted === action.value);
  if (action.kind === 'conversation.archive')
    return action.at === null ? unarchive(context, id) : archive(context, id, action.at);
  const { messageId } = action;
  if (messageId === null) return unpinMessage(context, id);
  return setField(context, id, { pinnedMessageId: messageId }, (now) => now.pinnedMessageId === messageId);
}

const notTaken = 'The server reported success but changed nothing.';

async function setField(
  context: Services,
  id: ConversationId,
  parameters: UpdateConversationParameters,
  isSet: (conversation: Conversation) => boolean,
): Promise<Outcome> {
  const after = await putConversation(context, id, parameters);
  if (!isSet(after)) return rejected(notTaken);
  return settledConversation(context, after);
}

/** The op is done: the conversation as the server has it enters the cache in the same update in which the op leaves. */
export function settledConversation(context: Services, conversation: Conversation): Outcome {
  return {
    kind: 'settled',
    claim: null,
    apply: (done: Transition) => {
      context.writes.tombstones.conversations.remove(conversation.id);
      const before = stateOf(context).cache.conversations.get(conversation.id);
      if (before !== undefined) context.writes.conversations.recordWrite(before, conversation);
      resetReplaced(context, conversation);
      const taken = takeConversation(context, conversation);
      update(context, (state) => done(taken(state)));
    },
  };
}

async function archive(context: Services, id: ConversationId, at: number): Promise<Outcome> {
  const held = stateOf(context).cache.conversations.get(id)?.timeFormat ?? null;
  const after = await putConversation(context, id, { archivedAt: formatTime(at, timeFormatFor(context, held)) });
  if (after.archivedAt === null) return rejected(notTaken);
  if (Math.abs(after.archivedAt - at) > dayMs)
    showNotice(context, 'warning', `archive ${id}`, 'Archived, but the server shows another time than now.');
  return settledConversation(context, after);
}

async function unarchive(context: Services, id: ConversationId): Promise<Outcome> {
  const values = serverPolicy(context).clear.archivedAt;
  const found = await firstThatClears(context, id, values, 'archivedAt');
  learnCapability(context, 'clearArchivedAt', found.value, 'PUT /v1/conversations/:id');
  if (found.conversation === null) return rejected('This server cannot take a conversation out of the archive.');
  return settledConversation(context, found.conversation);
}

async function unpinMessage(context: Services, id: ConversationId): Promise<Outcome> {
  const values = serverPolicy(context).clear.pinnedMessageId;
  const found = await firstThatClears(context, id, values, 'pinnedMessageId');
  learnCapability(context, 'clearPinnedMessage', found.value, 'PUT /v1/conversations/:id');
  if (found.conversation === null) return rejected('This server cannot unpin a message.');
  return settledConversation(context, found.conversation);
}

interface Cleared<T> {
  readonly value: T | null;
  readonly conversation: Conversation | null;
}

/**
 * Sends one value after the other until the field is cleared; a refused value counts as one that does not clear it. Rejects
 * with ApiError, also where the conversation is gone.
 */
async function firstThatClears<T extends string>(
  context: Services,
  id: ConversationId,
  values: readonly T[],
  field: 'archivedAt' | 'pinnedMessageId',
): Promise<Cleared<T>> {
  const before = stateOf(context).cache.conversations.get(id)?.[field] ?? null;
  let notFound: ApiError | null = null;
  for (const value of values) {
    try {
      const after = await putConversation(context, id, { [field]: value });
      if (after[field] === null || after[field] === '') return { value, conversation: after };
      // The server pinned the value as if it were an id: the former one is restored before the next value is tried.
      if (field === 'pinnedMessageId' && typeof before === 'string' && after[field] !== before)
        await putConversation(context, id, { pinnedMessageId: before });
    } catch (error) {
      const failure = apiError(error);
      // "Not found" may mean the message that the value was taken for, and not the conversation.
      if (failure.kind !== 'invalid' && failure.kind !== 'not-found' && !failure.bodySaysNo) throw error;
      if (failure.kind === 'not-found') notFound = failure;
    }
  }
  if (notFound !== null && !(await doesConversationExist(context, id))) throw notFound;
  return { value: null, conversation: null };
}

/** `isInDoubt`: an earlier attempt may have deleted it. Rejects with ApiError for a reason that may pass. */
export async function deleteConversation(
  context: Services,
  action: Action<'conversation.delete'>,
  isInDoubt: boolean,
): Promise<Outcome> {
  const { conversationId: id } = action;
  try {
    await request(context, () => context.client().deleteConversation(id, requestOptions(context)), 'write');
  } catch (error) {
    const failure = apiError(error);
    const isDoubtful = failure.bodySaysNo || failure.acceptedUnreadable;
    const find = () => findConversation(context, id).catch(throwAfterDeletion(isDoubtful));
    const isBehind = (seen: Awaited<ReturnType<typeof find>>): boolean => isInDoubt && seen !== null;
    const isGone = isDoubtful && (await rereadWhileStale(context, await find(), isBehind, find)) === null;
    if (failure.kind !== 'not-found' && !isGone) throw failure;
    // Some servers answer "not found" to those who may not delete it. Reads may lag behind somebody else's deletion.
    const exists = () => doesConversationExist(context, id).catch(throwAfterDeletion(isDoubtful));
    if (
      !isGone &&
      !isInDoubt &&
      (await rereadWhileStale(context, await exists(), (isThere) => isThere, exists, shortRetriesMs))
    )
      return rejected(notDeleted(failure));
  }
  return {
    kind: 'settled',
    claim: null,
    apply: (done: Transition) => {
      context.writes.tombstones.conversations.add(id);
      context.cache.removeConversation(id);
      update(context, (state) => removeUnlessUnsent(id)(done(state)));
      const count = countUnsent(stateOf(context), id);
      if (count > 0) update(context, unsentTextNotice(context, count));
    },
  };
}
