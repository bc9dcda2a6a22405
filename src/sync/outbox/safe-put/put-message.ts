/** Changes one message and reads it afterwards, because not every server answers a PUT with the changed message. */
import type { ApiError } from '../../../api/errors.ts';
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { compareText, isSame } from '../../../protocol/same-text.ts';
import type { Message, MessageId } from '../../../protocol/types.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { wasWaitedFor } from '../../op/outcome.ts';
import { isUnchanged, retrieve } from '../../read/read-message.ts';
import { rereadWhileStale, shortRetriesMs } from '../../read/reread-while-stale.ts';
import { apiError, request, requestOptions } from '../../services/request.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import type { Services } from '../../services/services.ts';
import { dropBeforeImage, opUnderWay, saveBeforeImage } from './before-image.ts';
import { areSameReactions, type Content } from './message-diff.ts';

/**
 * Sends the change and reads the message until it shows it. The caller drops the before-image afterwards.
 *
 * @param expected how the message is to be then; null when the answer to the change is not to be believed alone
 * @returns the message after the change; null when it is gone
 * @throws ApiError when the change was not taken
 */
export async function putMessage(
  context: Services,
  before: Message,
  parameters: UpdateMessageParameters,
  expected: Content | null,
): Promise<Message | null> {
  const { id } = before;
  const { overRead, recordWrite } = context.writes.messages;
  const isFirst = saveBeforeImage(context, before, parameters);
  const fields = answeredFields(context, parameters);
  let doubt: ApiError | null = null;
  let isConflict = false;
  let answered: Message | null = null;
  try {
    const put = () => context.client().updateMessage(id, parameters, requestOptions(context));
    const { value } = await request(context, put, 'write');
    if (expected !== null && isWholeAnswer(context, before, value, parameters, expected)) {
      const { text, reactions, attachments, updatedAt } = value;
      const after = { ...before, text, reactions, attachments, updatedAt };
      recordWrite(before, after);
      return after;
    }
    const updatedAt = value.updatedAt ?? before.updatedAt;
    const said = hasTextOrTime(value) ? { ...withAnswered(before, value, fields), updatedAt } : null;
    answered = said !== null && isOldText(before, said, parameters) ? null : said;
  } catch (error) {
    const failure = apiError(error);
    if (isFirst && failure.facts.outcome !== 'ambiguous') dropBeforeImage(context, id);
    isConflict = isInConflict(failure);
    // The change was accepted but not answered with a message, or it may have been made all the same: the message is read.
    if (!failure.acceptedUnreadable && !isConflict) throw error;
    if (failure.isForeignBody || isConflict) doubt = failure;
  }
  if (answered !== null) recordWrite(before, answered);
  const shows = (seen: Message): boolean =>
    answered === null
      ? showsSent(context, before, seen, parameters)
      : isUnchanged(withAnswered(seen, answered, fields), seen);
  // The read shows the message as it was before this change, or before an earlier one of this program.
  const isBehind = (seen: Message | null): boolean =>
    seen !== null && !shows(seen) && (isUnchanged(before, seen) || overRead(seen) !== seen);
  const read = () => retrieve(context, id);
  const isRefused = isConflict || (answered !== null && isUnchanged(before, answered));
  const delaysMs = delaysFor(context, id, doubt !== null);
  const seen = isRefused ? await read() : await rereadWhileStale(context, await read(), isBehind, read, delaysMs);
  // The message is unchanged: where something else than the server answered, the change never reached the server and is
  // safe to repeat, and a conflict was a refusal.
  if (doubt !== null && seen !== null && isUnchanged(before, seen)) throw doubt;
  // The reads lagged for longer than was waited: the answer to the change is believed.
  return answered !== null && seen !== null && isBehind(seen) ? overRead(seen) : seen;
}

/**
 * The pauses between the reads of a message that does not show the change yet; undefined: the usual ones. A command ends
 * before the longest of them is over. A change that did not show while several commands waited for it gets one read.
 */
function delaysFor(context: Services, id: MessageId, isForeign: boolean): readonly number[] | undefined {
  const op = opUnderWay(context, id);
  if (op !== undefined && wasWaitedFor(op)) return [];
  return isForeign ? shortRetriesMs : undefined;
}

/** Whether the answer shows the old text. That proves nothing: a replica may lag behind, and later reads decide. */
const isOldText = (before: Message, said: Message, { message }: UpdateMessageParameters): boolean =>
  message !== undefined && isUnchanged(before, said) && !isSame(compareText(message, said.text));

/** Whether the server has understood the change and refuses it. */
export const isRefusal = ({ kind, bodySaysNo }: ApiError): boolean =>
  kind === 'forbidden' || kind === 'invalid' || bodySaysNo;

/** Whether the answer is a 409, which also comes for a change that was made already, as when a proxy sends it twice. */
const isInConflict = ({ kind, facts }: ApiError): boolean => kind === 'invalid' && facts.outcome === 'ambiguous';

/**
 * Whether the answer needs no read to confirm it: it is the updated message, as the API document has it (§4.1), with
 * everything just as it is to be. Believed only of a server that was seen to keep what a change does not name.
 */
function isWholeAnswer(
  context: Services,
  before: Message,
  answer: Message,
  sent: UpdateMessageParameters,
  expected: Content,
): boolean {
  const { putMessage: rule, reactions } = serverPolicy(context);
  const isRuleKnown = sent.reactions === undefined || before.reactions.length === 0 || reactions.rule !== undefined;
  return (
    (sent.message !== undefined || rule.text === 'kept' || before.text === '') &&
    (sent.reactions !== undefined || rule.reactions === 'kept' || before.reactions.length === 0) &&
    (sent.attachments !== undefined || rule.files === 'kept' || before.attachments.length === 0) &&
    isRuleKnown &&
    answer.createdAt !== null &&
    answer.createdAt === before.createdAt &&
    answer.isCut !== true &&
    answer.text === expected.text &&
    sameValue(answer.attachments, expected.attachments) &&
    areSameReactions(answer.reactions, expected.reactions)
  );
}

/** Whether a read shows the change, where the answer to the change said nothing about it. */
function showsSent(context: Services, before: Message, seen: Message, sent: UpdateMessageParameters): boolean {
  // Reactions that are there already are sent to take one back: an unchanged message may mean that this is still to
  // come.
  const isAgain = sent.message === undefined && sameValue(sent.reactions, before.reactions);
  if (isAgain && isUnchanged(before, seen)) return false;
  const isText = sent.message === undefined || isSame(compareText(sent.message, seen.text));
  const reactions = sent.reactions ?? (serverPolicy(context).putMessage.reactions === 'dropped' ? [] : seen.reactions);
  return isText && sameValue(reactions, seen.reactions);
}

/** An answer that has an id but neither text nor time says nothing about the message. */
const hasTextOrTime = ({ text, createdAt }: Message): boolean => text !== '' || createdAt !== null;

type AnsweredField = 'text' | 'reactions' | 'attachments';

/**
 * The fields for which the answer to the change is believed: those that were sent. The answer may leave the others out,
 * unless the server drops what is not sent, so that the answer shows them empty.
 */
function answeredFields(context: Services, sent: UpdateMessageParameters): readonly AnsweredField[] {
  const rule = serverPolicy(context).putMessage;
  return [
    ...(sent.message === undefined ? [] : ['text' as const]),
    ...(sent.reactions === undefined && rule.reactions !== 'dropped' ? [] : ['reactions' as const]),
    ...(sent.attachments === undefined && rule.files !== 'dropped' ? [] : ['attachments' as const]),
  ];
}

const withAnswered = (seen: Message, said: Message, fields: readonly AnsweredField[]): Message => ({
  ...seen,
  ...Object.fromEntries(fields.map((field) => [field, said[field]])),
});
