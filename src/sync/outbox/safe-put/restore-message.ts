/** Sees to it that a PUT leaves the rest of a message as it was, and puts back what a server took (R-PUT-2). */
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areTold } from '../../../protocol/reactions.ts';
import { compareText, isSame } from '../../../protocol/same-text.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { toWireText } from '../../../state/local/capabilities.ts';
import { ownReactionIds } from '../../../state/local/identity.ts';
import { isOwn } from '../../../state/local/outbox.ts';
import type { BeforeImage } from '../../../state/model/app-state.ts';
import { cutMessage } from '../../../state/select/reactions.ts';
import { retrieveWritten } from '../../read/read-message.ts';
import { apiError, learnTrait, notify, type Services, stateOf } from '../../services/services.ts';
import { countOthers, isDoubled, misattributed, ownOf } from '../update/reaction-strategy.ts';
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
import { putMessage, replacesWholeResource } from './put-message.ts';

type Held = Pick<Message, 'id' | 'text' | 'reactions' | 'attachments'>;

/** The message as it stands, with other reactions perhaps. */
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

/** What a server that drops what is not sent takes from `before`, and cannot be given back; null when nothing. */
export function unrecoverableLoss(context: Services, before: Message, mine: readonly string[]): string | null {
  // Only a server that is known to leave the text alone is asked to change something beside it.
  if (before.isTruncated && stateOf(context).local.traits.putRule?.value !== 'partial')
    return 'This server might drop the text with the change, which is too long to be put back from here.';
  if (before.isCut === true && stateOf(context).local.traits.putRule?.value !== 'partial') return cutMessage;
  const others = countOthers(before.reactions, mine);
  const canPutBack = !takesOwnOnly(context) && areTold(before.reactions);
  if (!replacesWholeResource(context) || canPutBack || others === 0) return null;
  return `This server would drop ${others} reactions of other people with the change, and does not let them be put back.`;
}

/** Learns from one PUT whether the fields that were not sent are still there. */
export function learnPutRule(context: Services, before: Message, after: Message, sent: UpdateMessageParameters): void {
  const isTelling =
    (sent.message === undefined && before.text !== '') ||
    (sent.attachments === undefined && before.attachments.length > 0) ||
    (sent.reactions === undefined && before.reactions.length > 0);
  if (isTelling) learnTrait(context, 'putRule', hasDropped(before, after, sent) ? 'full-replace' : 'partial', source);
  learnPutText(context, before, after, sent);
}

/**
 * Whether this server, as far as is known now, takes only the user's own reactions. Others' that came back may be sent; that
 * nobody refused them says nothing.
 */
export function learnWhose(context: Services, before: Content, after: Message, sent: readonly Reaction[]): boolean {
  const mine = mineIn(context, after);
  const theirs = stringsOf(sent.map(({ name, by }) => ({ name, by: by.filter((one) => !mine.includes(one)) })));
  const back = missing(stringsOf(after.reactions), stringsOf(before.reactions));
  if (misattributed(before.reactions, after.reactions, sent, mine).length > 0)
    learnTrait(context, 'ownReactionsOnly', true, source);
  else if (theirs.some((one) => back.includes(one))) learnTrait(context, 'ownReactionsOnly', false, source);
  return takesOwnOnly(context);
}

export const takesOwnOnly = (context: Services): boolean =>
  stateOf(context).local.traits.ownReactionsOnly?.value === true;

function learnPutText(context: Services, before: Content, after: Content, sent: UpdateMessageParameters): void {
  if (sent.message === undefined && before.text !== '')
    learnTrait(context, 'putText', after.text === '' ? 'dropped' : 'kept', source);
}

/** Of what somebody else wrote, the text may be what was refused, and is at stake when it is left out. */
export const textMayBeRefused = (context: Services, message: Message): boolean =>
  replacesWholeResource(context) &&
  stateOf(context).local.traits.putText?.value === 'dropped' &&
  !isOwn(message, stateOf(context));

/** Once as it is; two steps for each thing that a server is found to do with what it is sent. */
const mostSteps = 5;

/**
 * Sends whole messages until `after`, the message as it is now, has become the wanted one; the message as it is then,
 * null when it is gone. A server that drops what is not sent is brought to any reactions in two steps, whatever it
 * does with those that it is sent: none, then all. `isRestoring`: something is lost already, so that a part is better
 * than nothing. Rejects with ApiError.
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
  for (let step = 0; step < mostSteps; step += 1) {
    named = restorableSubset(context, named, now);
    if ((step > 0 || isRestoring) && equalsTarget(named, now)) break;
    const isEmptied = (step > 0 && now.reactions.length > 0) || !areTold(now.reactions);
    if (isEmptied && !mayClearReactions(context, wanted, now)) break;
    const body = (isEmptied ? withoutReactions : allAtOnce)(asWritten(context, named));
    const turn = JSON.stringify([body, now.reactions]);
    if (tried.has(turn)) break;
    tried.add(turn);
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
 * Others' reactions go for a moment: only where such were seen to be taken back, and nothing goes along with them that
 * this server may have refused just now without a word.
 */
function mayClearReactions(context: Services, wanted: TargetMessage, now: Message): boolean {
  const mine = mineIn(context, now);
  if ([wanted, now].some(({ reactions }) => countOthers(reactions, mine) === 0)) return true;
  const isRefusable = missing(stringsOf(wanted.reactions), stringsOf(now.reactions)).length > 0;
  return stateOf(context).local.traits.ownReactionsOnly?.value === false && !isRefusable;
}

const mineIn = (context: Services, { conversationId }: Message): readonly string[] =>
  ownReactionIds(stateOf(context), conversationId ?? undefined);

/** Others' that are gone do not come back where only one's own are taken; those that are there are not put at stake. */
function restorableSubset(context: Services, wanted: TargetMessage, now: Message): TargetMessage {
  const mine = mineIn(context, now);
  if (!takesOwnOnly(context) || countOthers(now.reactions, mine) > 0) return wanted;
  return { ...wanted, reactions: ownOf(wanted.reactions, mine) };
}

/** That the server escapes what it is sent may have been learned since. */
function asWritten(context: Services, wanted: TargetMessage): TargetMessage {
  return wanted.text === wanted.expectedText ? { ...wanted, text: toWireText(stateOf(context), wanted.text) } : wanted;
}

/**
 * The message as it is now, with put back what an earlier attempt took that broke off before anybody looked; null when
 * it is gone. Rejects with ApiError.
 */
export async function retrieveRepaired(context: Services, place: MessagePlace): Promise<Message | null> {
  const { messageId: id } = place;
  const broken = pendingRepairOf(context, id);
  const now = await retrieveWritten(context, place);
  if (broken === null || now === null) return now;
  const mended = await repair(context, broken, now);
  dropBeforeImage(context, id);
  return mended;
}

async function repair(context: Services, before: BeforeImage, now: Message): Promise<Message | null> {
  const { sent } = before;
  // A repair that broke off may have put it all back: that teaches nothing.
  if (hasDropped(before, now, sent)) {
    learnTrait(context, 'putRule', 'full-replace', source);
    learnPutText(context, before, now, sent);
  }
  // The text of the attempt that broke off is there, in another form.
  if (sent.message !== undefined && compareText(sent.message, now.text) === 'escaped')
    learnTrait(context, 'textChange', 'escape', source);
  if (replacesWholeResource(context)) return putUntilEqual(context, mergedTarget(context, before, now), now, true);
  if (sent.reactions !== undefined && isDoubled(before.reactions, now.reactions))
    learnTrait(context, 'reactionRule', 'append', source);
  const lost = areTold(now.reactions) ? lostReactions(before.reactions, now.reactions) : [];
  const wereSent = new Set(stringsOf(sent.reactions ?? []));
  // Sent along and gone: only a server that toggles does that.
  const isToggled = stringsOf(lost).some((one) => wereSent.has(one));
  if (isToggled) learnTrait(context, 'reactionRule', 'toggle', source);
  return isToggled ? putMessage(context, now, { reactions: lost }) : now;
}

/** What was there, with what has come since. */
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

type Body = (wanted: TargetMessage) => UpdateMessageParameters;

const withoutReactions: Body = ({ text, attachments }) => ({
  message: text,
  ...(attachments.length > 0 ? { attachments: attachments.map((attachment) => attachment.fields) } : {}),
});

const allAtOnce: Body = (wanted) => ({ ...withoutReactions(wanted), reactions: wanted.reactions });

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
    const isRefused = failure.kind === 'forbidden' || failure.kind === 'invalid' || failure.saysNo;
    const isAtStake = textMayBeRefused(context, now);
    // A text that outlives changes which do not name it, as nobody but its author may.
    const isNotOurs =
      failure.kind === 'forbidden' && !isAtStake && !isOwn(now, stateOf(context)) && isText(wanted, now);
    if (body.message !== undefined && isNotOurs) {
      const { message: _, ...rest } = body;
      return Object.keys(rest).length === 0 ? now : send(context, wanted, now, rest, isRestoring);
    }
    if (!isRefused || !isRestoring) throw failure;
    if (body.reactions === undefined) return now;
    if (failure.kind === 'forbidden' && !isAtStake) learnTrait(context, 'ownReactionsOnly', true, source);
    // Better without reactions than without everything.
    const { reactions: _, ...rest } = body;
    return send(context, wanted, now, rest, true);
  }
  if (next !== null) learnWhose(context, now, next, body.reactions ?? []);
  const { expectedText: reads } = wanted;
  // What was read was sent back and escaped once more: from now on this server is sent the text unescaped.
  if (next !== null && body.message === reads && compareText(reads ?? '', next.text) === 'escaped')
    learnTrait(context, 'textChange', 'escape', source);
  return next;
}
