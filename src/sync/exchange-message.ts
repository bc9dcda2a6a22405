/** One message asked for, or changed and then looked at: what a PUT answers is not relied on. */
import type { ApiError } from '../api/errors.ts';
import type { UpdateMessageParameters } from '../api/operations.ts';
import { compareText, isSame } from '../protocol/same-text.ts';
import type { Message, MessageId } from '../protocol/types.ts';
import { sameValue } from '../state/equal.ts';
import { dropBeforeImage, type MessagePlace, saveBeforeImage } from './broken-off.ts';
import { apiError, request, requestOptions, type Services, stateOf } from './context.ts';
import { rereadWhileStale, shortRetriesMs } from './pause.ts';
import { isWithinLagWindow } from './young.ts';

export const isUnchanged = (before: Message, after: Message): boolean =>
  before.text === after.text &&
  sameValue(before.reactions, after.reactions) &&
  sameValue(before.attachments, after.attachments);

/** Rejects with ApiError; null when the message is gone. */
export async function retrieve(context: Services, id: MessageId): Promise<Message | null> {
  try {
    const answer = await request(context, () => context.client().retrieveMessage(id, requestOptions(context)));
    return answer.value;
  } catch (error) {
    if (apiError(error).kind === 'not-found') return null;
    throw error;
  }
}

/** As `retrieve`, with what writes of ours have made of it by now; a new one may not be found yet where reads lag. */
export async function retrieveWritten(
  context: Services,
  { conversationId, messageId: id }: MessagePlace,
): Promise<Message | null> {
  const shown = context.cache.message(conversationId, id);
  const mayLag = context.unlistedSends.has(id) || isWithinLagWindow(context, shown?.createdAt ?? null);
  const isBehind = (seen: Message | null): boolean => seen === null && mayLag;
  const look = () => retrieve(context, id);
  const seen = await rereadWhileStale(context, await look(), isBehind, look);
  // Lists that show the same have it from others, who may have set it back.
  const isCertain = seen === null || (shown !== null && isUnchanged(shown, seen));
  return isCertain ? seen : context.writes.messages.overRead(seen);
}

/** null when it is gone; where every refusal is a 200, a "no" to this question says the same. */
export async function lookFor(context: Services, id: MessageId): Promise<Message | null> {
  try {
    return await retrieve(context, id);
  } catch (error) {
    const failure = apiError(error);
    if (failure.saysNo) return null;
    throw failure;
  }
}

/** The message as it is after the change, to be followed by `dropBefore`; null when it is gone. Rejects with ApiError when the change was not taken. */
export async function putMessage(
  context: Services,
  before: Message,
  parameters: UpdateMessageParameters,
): Promise<Message | null> {
  const { id } = before;
  const isFirst = saveBeforeImage(context, before, parameters);
  const fields = saidFields(context, parameters);
  let doubt: ApiError | null = null;
  let told: Message | null = null;
  try {
    const put = () => context.client().updateMessage(id, parameters, requestOptions(context));
    const { value } = await request(context, put, 'write');
    const said = isTelling(value) ? withSaid(before, value, fields) : null;
    told = said !== null && isOldText(before, said, parameters) ? null : said;
  } catch (error) {
    const failure = apiError(error);
    if (isFirst && failure.facts.outcome !== 'A') dropBeforeImage(context, id);
    // Done, and told in another way than the document has it: the message itself shows it.
    if (!failure.isTaken) throw error;
    if (failure.isForeign) doubt = failure;
  }
  const { overRead: ahead, recordWrite: wrote } = context.writes.messages;
  if (told !== null) wrote(before, told);
  const shows = (seen: Message): boolean =>
    told === null ? showsSent(context, before, seen, parameters) : isUnchanged(withSaid(seen, told, fields), seen);
  // As it was before this change, or before an earlier one of ours.
  const isBehind = (seen: Message | null): boolean =>
    seen !== null && !shows(seen) && (isUnchanged(before, seen) || ahead(seen) !== seen);
  const look = () => retrieve(context, id);
  const isRefused = told !== null && isUnchanged(before, told);
  const seen = isRefused
    ? await look()
    : await rereadWhileStale(context, await look(), isBehind, look, doubt === null ? undefined : shortRetriesMs);
  // It never came to the server: a change is safe to repeat.
  if (doubt !== null && seen !== null && isUnchanged(before, seen)) throw doubt;
  // Reads are behind for longer than is waited for: the answer to the change has the word.
  return told !== null && seen !== null && isBehind(seen) ? ahead(seen) : seen;
}

/** That a text is as it was says nothing: the answer may be from a copy that lags. Later reads show what became of it. */
const isOldText = (before: Message, said: Message, { message }: UpdateMessageParameters): boolean =>
  message !== undefined && isUnchanged(before, said) && !isSame(compareText(message, said.text));

export const replacesWholeResource = (context: Services): boolean =>
  stateOf(context).local.traits.putRule?.value === 'full-replace';

/** Where the answer told nothing; nothing is something where it takes the rest. */
function showsSent(context: Services, before: Message, seen: Message, sent: UpdateMessageParameters): boolean {
  // What is there already is sent alone to see it go: while all stands as it was, it may yet be carried out.
  const isAgain = sent.message === undefined && sameValue(sent.reactions, before.reactions);
  if (isAgain && isUnchanged(before, seen)) return false;
  const isText = sent.message === undefined || isSame(compareText(sent.message, seen.text));
  const reactions = sent.reactions ?? (replacesWholeResource(context) ? [] : seen.reactions);
  return isText && sameValue(reactions, seen.reactions);
}

/** An answer with an id alone says nothing of what became of the message. */
const isTelling = ({ text, createdAt }: Message): boolean => text !== '' || createdAt !== null;

type SaidField = 'text' | 'reactions' | 'attachments';

/** Of what was sent, the answer to the change has the word; the rest it may leave out, unless this server took it. */
function saidFields(context: Services, sent: UpdateMessageParameters): readonly SaidField[] {
  const isWhole = replacesWholeResource(context);
  return [
    ...(sent.message === undefined ? [] : ['text' as const]),
    ...(sent.reactions === undefined && !isWhole ? [] : ['reactions' as const]),
    ...(sent.attachments === undefined && !isWhole ? [] : ['attachments' as const]),
  ];
}

const withSaid = (seen: Message, said: Message, fields: readonly SaidField[]): Message => ({
  ...seen,
  ...Object.fromEntries(fields.map((field) => [field, said[field]])),
});
