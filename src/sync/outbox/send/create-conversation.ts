/** Creates a conversation, or finds the existing one: a contact or group has at most one. */
import type { ApiError } from '../../../api/errors.ts';
import type { Conversation } from '../../../protocol/types.ts';
import type { OpAction } from '../../../state/model/app-state.ts';
import { noticeNames } from '../../../state/model/screen-state.ts';
import { dropNotice } from '../../../state/view/notices.ts';
import { notInList, type Outcome, outcomeOfPost, rejected } from '../../op/outcome.ts';
import { listEverything } from '../../read/full-list.ts';
import { readConversation } from '../../read/read-conversation.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { type Services, stateOf, update } from '../../services/services.ts';
import { isSparse } from '../safe-put/put-conversation.ts';
import { settledConversation } from '../update/update-conversation.ts';

type Create = Extract<OpAction, { kind: 'conversation.create' }>;

const isWanted =
  (action: Create) =>
  (conversation: Conversation): boolean =>
    action.contactId === null ? conversation.groupId === action.groupId : conversation.contactId === action.contactId;

const unknown = 'Whether the conversation was started is not known';
const lookFirst = 'Look whether the conversation is there before you try again.';
const notThere = `${unknown}, and it is not in the list. It may still appear: look for it before you try again.`;
const notRead = `${unknown}, and the list could not be read to its end. ${lookFirst}`;

/** The number of searches, with growing pauses, before giving up: the list may show a new conversation late. */
const mostSearches = 6;

/**
 * Rejects with ApiError.
 *
 * @param searches how often the list was searched since an attempt that may have created it; null: there was none
 */
export async function createConversation(
  context: Services,
  uuid: string,
  action: Create,
  searches: number | null,
): Promise<Outcome> {
  const known = [...stateOf(context).cache.conversations.values()].find(isWanted(action));
  if (known !== undefined) return settled(context, known);
  if (searches !== null) {
    const found = await findInList(context, action);
    if (found.conversation !== null) return settled(context, found.conversation);
    if (!found.isComplete) return rejected(notRead);
    if (searches + 1 < mostSearches)
      return { kind: 'later', reason: notThere, evidence: notInList, countsAsFailure: true };
    return rejected(notThere);
  }
  return create(context, uuid, action);
}

/** A name may have been typed in the place of an id: the API finds nobody by name, and says only that there is none. */
function withAdvice(outcome: Outcome, { kind }: ApiError, { contactId }: Create): Outcome {
  if (outcome.kind !== 'rejected' || kind !== 'not-found') return outcome;
  const advice = `A new conversation takes the id of the ${contactId === null ? 'group' : 'contact'}, not a name.`;
  return { ...outcome, reason: `${outcome.reason.replace(/\.?$/, '.')} ${advice}` };
}

async function create(context: Services, uuid: string, action: Create): Promise<Outcome> {
  const { contactId, groupId, first } = action;
  // The message that follows has a request, and so a key, of its own.
  const idempotencyKey = first === undefined ? uuid : `${uuid}-conversation`;
  const partner = contactId !== null ? { contactId } : groupId !== null ? { groupId } : null;
  if (partner === null) return rejected('A conversation needs a contact or a group.');
  let created: Conversation;
  try {
    const post = () => context.client().createConversation({ ...partner, idempotencyKey }, requestOptions(context));
    const answer = await request(context, post, 'write');
    created = answer.value;
  } catch (error) {
    const failure = apiError(error);
    if (failure.facts.status !== 409) return withAdvice(outcomeOfPost(failure), failure, action);
    const { conversation } = await findInList(context, action);
    return conversation === null ? rejected(failure.facts.message) : settled(context, conversation);
  }
  const seen = isSparse(created) ? await readWhole(context, { ...created, contactId, groupId }) : created;
  context.unlisted.addConversation(seen.id);
  return settled(context, seen);
}

/**
 * Reads the conversation, because the answer may leave out fields of one that existed before. Where the read fails, the
 * next list brings them.
 */
async function readWhole(context: Services, created: Conversation): Promise<Conversation> {
  try {
    return (await readConversation(context, created.id)) ?? created;
  } catch (error) {
    // An error that is not one of the API is a bug, and is thrown again here.
    apiError(error);
    return created;
  }
}

async function findInList(
  context: Services,
  action: Create,
): Promise<{ readonly conversation: Conversation | null; readonly isComplete: boolean }> {
  const result = await listEverything(context);
  return { conversation: result.conversations.find(isWanted(action)) ?? null, isComplete: result.complete };
}

function settled(context: Services, conversation: Conversation): Outcome {
  const outcome = settledConversation(context, conversation);
  if (outcome.kind !== 'settled') return outcome;
  return {
    ...outcome,
    created: conversation.id,
    apply: (done) => {
      outcome.apply(done);
      update(context, dropNotice(noticeNames.create));
      context.onCreated?.(conversation.id);
    },
  };
}
