/**
 * Keeps a PUT from taking away other parts of a message than the changed one (R-PUT-2): refuses changes whose damage
 * could not be undone, learns from each change what this server does, and restores what it dropped.
 */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areTold } from '../../../protocol/reactions.ts';
import { compareText, isSame } from '../../../protocol/same-text.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { toWireText } from '../../../state/local/capabilities.ts';
import { ownReactionIds } from '../../../state/local/identity.ts';
import { isOwn } from '../../../state/local/outbox.ts';
import type { BeforeImage } from '../../../state/model/app-state.ts';
import { cutMessageText } from '../../../state/select/reactions.ts';
import { retrieveWritten } from '../../read/read-message.ts';
import { notify } from '../../services/notices.ts';
import { learnCapability } from '../../services/observed-capabilities.ts';
import { apiError } from '../../services/request.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { dropBeforeImage, type MessagePlace, pendingRepairOf } from './before-image.ts';
import {
  type Content,
  difference,
  equalsTarget,
  hasDropped,
  isText,
  keyOfFile,
  lostReactions,
  missing,
  namedOnly,
  stringsOf,
  type TargetMessage,
  unionOf,
} from './message-diff.ts';
import { putMessage, sendsWholeMessage } from './put-message.ts';
import { countOthers, isDoubled, misattributed, ownOf } from './reaction-lists.ts';

type Held = Pick<Message, 'id' | 'text' | 'reactions' | 'attachments'>;

/** The message as it is, or with `reactions` in the place of its own, as the target of a whole PUT. */
export function targetOf(context: Services, message: Held, reactions = message.reactions): TargetMessage {
  const { id, attachments, text } = message;
  return {
    id,
    attachments,
    reactions,
    text: toWireText(stateOf(context), text),
    expectedText: text,
    previously: message.reactions,
  };
}

const source = 'PUT /v1/messages/:id';

/** Why a change would lose text or reactions of `before` for good, for the user to read; null when it would not. */
export function unrecoverableLoss(context: Services, before: Message, mine: readonly string[]): string | null {
  const { mayDropUnsentFields } = serverPolicy(context).putMessage;
  // The whole text is not held here, so a server may be sent a change only if it is known to keep what is not sent.
  if (before.isTruncated && mayDropUnsentFields)
    return 'This server might drop the text with the change, which is too long to be put back from here.';
  if (before.isCut === true && mayDropUnsentFields) return cutMessageText;
  const others = countOthers(before.reactions, mine);
  const canPutBack = !sendsOwnOnly(context) && areTold(before.reactions);
  if (!sendsWholeMessage(context) || canPutBack || others === 0) return null;
  return `This server would drop ${others} reactions of other people with the change, and does not let them be put back.`;
}

/** Learns from one PUT whether the fields that were not sent are still there. `after` was read after the PUT. */
export function learnPutRule(context: Services, before: Message, after: Message, sent: UpdateMessageParameters): void {
  const isTelling =
    (sent.message === undefined && before.text !== '') ||
    (sent.attachments === undefined && before.attachments.length > 0) ||
    (sent.reactions === undefined && before.reactions.length > 0);
  if (isTelling)
    learnCapability(context, 'putRule', hasDropped(before, after, sent) ? 'full-replace' : 'partial', source);
  learnPutText(context, before, after, sent);
}

/**
 * Learns whose reactions may be sent. Other people's that were sent and are back as theirs may be; that the server did
 * not refuse them proves nothing, because it may have ignored them.
 *
 * @returns whether only the user's own reactions are to be sent from now on
 */
export function learnWhose(context: Services, before: Content, after: Message, sent: readonly Reaction[]): boolean {
  const mine = mineIn(context, after);
  const theirs = stringsOf(sent.map(({ name, by }) => ({ name, by: by.filter((one) => !mine.includes(one)) })));
  const added = missing(stringsOf(after.reactions), stringsOf(before.reactions));
  if (misattributed(before.reactions, after.reactions, sent, mine).length > 0)
    learnCapability(context, 'ownReactionsOnly', true, source);
  else if (theirs.some((one) => added.includes(one))) learnCapability(context, 'ownReactionsOnly', false, source);
  return sendsOwnOnly(context);
}

export const sendsOwnOnly = (context: Services): boolean => serverPolicy(context).reactions.sendsOwnOnly;

function learnPutText(context: Services, before: Content, after: Content, sent: UpdateMessageParameters): void {
  if (sent.message === undefined && before.text !== '')
    learnCapability(context, 'putText', after.text === '' ? 'dropped' : 'kept', source);
}

/**
 * Whether a refused change of this message may have been refused for its text. The text of somebody else has to be
 * sent to a server that drops it otherwise, and the server may forbid that.
 */
export const textMayBeRefused = (context: Services, message: Message): boolean =>
  serverPolicy(context).putMessage.dropsUnsentText && !isOwn(message, stateOf(context));

/** The first PUT, and two for each of the two things that a server may be found to do with reactions. */
const maxSteps = 5;

/**
 * Sends whole messages until the message is as wanted, and tells the user what could not be restored. A server that
 * drops what is not sent can be brought to any reactions by two requests, whatever its rule for reactions is: one
 * without reactions, then one with all of them.
 *
 * @param after the message as it is now
 * @param isRestoring something is lost already, so that a message with a part of it is better than a refusal
 * @returns the message as it is then; null when it is gone
 * @throws ApiError
 */
export async function putUntilEqual(
  context: Services,
  wanted: TargetMessage,
  after: Message,
  isRestoring: boolean,
): Promise<Message | null> {
  let now = after;
  let named: TargetMessage = { ...wanted, reactions: namedOnly(wanted.reactions) };
  const tried = new Set<string>();
  for (let step = 0; step < maxSteps; step += 1) {
    named = restorableSubset(context, named, now);
    if ((step > 0 || isRestoring) && equalsTarget(named, now)) break;
    const isEmptied = (step > 0 && now.reactions.length > 0) || !areTold(now.reactions);
    if (isEmptied && !mayClearReactions(context, wanted, now)) break;
    const body = (isEmptied ? withoutReactions : allFields)(asWritten(context, named));
    const attempt = JSON.stringify([body, now.reactions]);
    if (tried.has(attempt)) break;
    tried.add(attempt);
    const next = await send(context, named, now, body, isRestoring || step > 0);
    if (next === null) return null;
    now = next;
  }
  dropBeforeImage(context, wanted.id);
  const own = misattributed(wanted.previously, now.reactions, wanted.reactions, mineIn(context, now));
  const loss = difference(wanted, now) ?? (own.length > 0 ? unwantedReactionsText(own) : null);
  if (loss !== null) notify(context, 'error', `kept ${wanted.id}`, loss);
  return now;
}

export const unwantedReactionsText = (names: readonly string[]): string =>
  `This server counts every reaction that is sent as yours, and did not take back ${names.join(', ')}.`;

/**
 * Whether all reactions may be taken off the message for a moment. Where other people's are among them, only on a
 * server that was seen to restore theirs, and only if none of the wanted ones is missing: it may have refused that one.
 */
function mayClearReactions(context: Services, wanted: TargetMessage, now: Message): boolean {
  const mine = mineIn(context, now);
  if ([wanted, now].some(({ reactions }) => countOthers(reactions, mine) === 0)) return true;
  const mayBeRefused = missing(stringsOf(wanted.reactions), stringsOf(now.reactions)).length > 0;
  return serverPolicy(context).reactions.canRestoreOthers && !mayBeRefused;
}

const mineIn = (context: Services, { conversationId }: Message): readonly string[] =>
  ownReactionIds(stateOf(context), conversationId ?? undefined);

/**
 * Where only the user's own reactions may be sent, other people's that are gone cannot be restored and are left out of
 * the target. Those that are still there stay in it.
 */
function restorableSubset(context: Services, wanted: TargetMessage, now: Message): TargetMessage {
  const mine = mineIn(context, now);
  if (!sendsOwnOnly(context) || countOthers(now.reactions, mine) > 0) return wanted;
  return { ...wanted, reactions: ownOf(wanted.reactions, mine) };
}

/** With the text in the form that the server is to be sent, which may have been learned since the target was made. */
function asWritten(context: Services, wanted: TargetMessage): TargetMessage {
  return wanted.text === wanted.expectedText ? { ...wanted, text: toWireText(stateOf(context), wanted.text) } : wanted;
}

/**
 * Reads the message. Where an earlier change was interrupted before its effect was checked, what it took away is
 * restored first from the before-image.
 *
 * @returns the message as it is then; null when it is gone
 * @throws ApiError
 */
export async function retrieveRepaired(context: Services, place: MessagePlace): Promise<Message | null> {
  const { messageId: id } = place;
  const broken = pendingRepairOf(context, id);
  const now = await retrieveWritten(context, place);
  if (broken === null || now === null) return now;
  const repaired = await repair(context, broken, now);
  dropBeforeImage(context, id);
  return repaired;
}

async function repair(context: Services, before: BeforeImage, now: Message): Promise<Message | null> {
  const { sent } = before;
  // Only what is missing tells something: an earlier repair may have restored everything.
  if (hasDropped(before, now, sent)) {
    learnCapability(context, 'putRule', 'full-replace', source);
    learnPutText(context, before, now, sent);
  }
  // The interrupted change has set its text, and the server shows it escaped.
  if (sent.message !== undefined && compareText(sent.message, now.text) === 'escaped')
    learnCapability(context, 'textChange', 'escape', source);
  if (sendsWholeMessage(context)) return putUntilEqual(context, mergedTarget(context, before, now), now, true);
  if (sent.reactions !== undefined && isDoubled(before.reactions, now.reactions))
    learnCapability(context, 'reactionRule', 'append', source);
  const lost = areTold(now.reactions) ? lostReactions(before.reactions, now.reactions) : [];
  const wereSent = new Set(stringsOf(sent.reactions ?? []));
  // Reactions that were sent and are gone: only a server that toggles does that.
  const isToggled = stringsOf(lost).some((one) => wereSent.has(one));
  if (isToggled) learnCapability(context, 'reactionRule', 'toggle', source);
  return isToggled ? putMessage(context, now, { reactions: lost }) : now;
}

/** The message of the before-image with the text that was sent, and with reactions and files that were added since. */
function mergedTarget(context: Services, before: BeforeImage, now: Message): TargetMessage {
  const { message: text } = before.sent;
  const wanted = targetOf(context, { ...before, id: now.id });
  const files = new Set(before.attachments.map(keyOfFile));
  const whole: TargetMessage = {
    ...wanted,
    attachments: [...before.attachments, ...now.attachments.filter((file) => !files.has(keyOfFile(file)))],
    reactions: unionOf(before.reactions, now.reactions),
    previously: unionOf(before.reactions, now.reactions),
  };
  if (text === undefined || now.text === '') return whole;
  return { ...whole, text: isSame(compareText(text, now.text)) ? text : now.text, expectedText: now.text };
}

type BodyOf = (wanted: TargetMessage) => UpdateMessageParameters;

const withoutReactions: BodyOf = ({ text, attachments }) => ({
  message: text,
  ...(attachments.length > 0 ? { attachments: attachments.map((attachment) => attachment.fields) } : {}),
});

const allFields: BodyOf = (wanted) => ({ ...withoutReactions(wanted), reactions: wanted.reactions });

async function send(
  context: Services,
  wanted: TargetMessage,
  now: Message,
  body: UpdateMessageParameters,
  isRestoring: boolean,
): Promise<Message | null> {
  let next: Message | null;
  try {
    next = await putMessage(context, now, body);
  } catch (error) {
    const failure = apiError(error);
    const isRefused = failure.kind === 'forbidden' || failure.kind === 'invalid' || failure.bodySaysNo;
    const mayBeTheText = textMayBeRefused(context, now);
    // Only its author may send this text, and the message keeps it without that: it is left out.
    const isTextForbidden =
      failure.kind === 'forbidden' && !mayBeTheText && !isOwn(now, stateOf(context)) && isText(wanted, now);
    if (body.message !== undefined && isTextForbidden) {
      const { message: _, ...rest } = body;
      return Object.keys(rest).length === 0 ? now : send(context, wanted, now, rest, isRestoring);
    }
    if (!isRefused || !isRestoring) throw failure;
    if (body.reactions === undefined) return now;
    if (failure.kind === 'forbidden' && !mayBeTheText) learnCapability(context, 'ownReactionsOnly', true, source);
    // Reactions were refused: the text and the files are restored without them.
    const { reactions: _, ...rest } = body;
    return send(context, wanted, now, rest, true);
  }
  if (next !== null) learnWhose(context, now, next, body.reactions ?? []);
  const { expectedText } = wanted;
  // The text was sent as the server shows it, and was escaped once more: the server escapes what it is sent.
  if (next !== null && body.message === expectedText && compareText(expectedText ?? '', next.text) === 'escaped')
    learnCapability(context, 'textChange', 'escape', source);
  return next;
}
