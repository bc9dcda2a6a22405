/** Changes one message and reads it afterwards, as the answer to a PUT is not relied on. */
import type { ApiError } from '../../../api/errors.ts';
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { compareText, isSame } from '../../../protocol/same-text.ts';
import type { Message } from '../../../protocol/types.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { isUnchanged, retrieve } from '../../read/read-message.ts';
import { apiError, request, requestOptions, type Services, stateOf } from '../../services/services.ts';
import { rereadWhileStale, shortRetriesMs } from '../../services/timing.ts';
import { dropBeforeImage, saveBeforeImage } from './before-image.ts';

/**
 * Sends the change and reads the message until it shows it. The caller drops the before-image afterwards.
 *
 * @returns the message after the change; null when it is gone
 * @throws ApiError when the change was not taken
 */
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
    if (isFirst && failure.facts.outcome !== 'ambiguous') dropBeforeImage(context, id);
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
