/** Sees to it that a PUT leaves the rest of a message as it was, and puts back what a server took (reliability.md R-PUT-2). */
import type { UpdateMessageParameters } from '../api/operations.ts';
import { areTold } from '../protocol/reactions.ts';
import { compareText, isSame } from '../protocol/same-text.ts';
import type { Message, Reaction } from '../protocol/types.ts';
import { asSent, ownStrings } from '../state/local.ts';
import { isOwn } from '../state/outbox.ts';
import { cutMessage } from '../state/reactions.ts';
import type { Owed } from '../state/state.ts';
import { brokenOff, dropBefore, type MessagePlace } from './broken-off.ts';
import { apiError, notify, remember, type SyncContext, stateOf } from './context.ts';
import { dropsTheRest, exchangeMessage, retrieveWritten } from './exchange-message.ts';
import { countOthers, isDoubled, ownOf, takenAsOwn } from './reaction-plan.ts';
import {
  type Content,
  hasDropped,
  isAsWanted,
  isText,
  keyOfFile,
  lossOf,
  lostReactions,
  missing,
  namedOnly,
  stringsOf,
  united,
  type Wanted,
} from './whole-message.ts';

type Held = Pick<Message, 'id' | 'text' | 'reactions' | 'attachments'>;

/** The message as it stands, with other reactions perhaps. */
export function asItStands(context: SyncContext, message: Held, reactions = message.reactions): Wanted {
  const { id, attachments, text } = message;
  return { id, attachments, reactions, text: asSent(stateOf(context), text), reads: text, had: message.reactions };
}

const source = 'PUT /v1/messages/:id';

/** What a server that drops what is not sent takes from `before`, and cannot be given back; null when nothing. */
export function unkeepable(context: SyncContext, before: Message, mine: readonly string[]): string | null {
  // Only a server that is known to leave the text alone is asked to change something beside it.
  if (before.isTruncated && stateOf(context).local.traits.putRule?.value !== 'partial')
    return 'This server might drop the text with the change, which is too long to be put back from here.';
  if (before.isCut === true && stateOf(context).local.traits.putRule?.value !== 'partial') return cutMessage;
  const others = countOthers(before.reactions, mine);
  const canPutBack = !takesOwnOnly(context) && areTold(before.reactions);
  if (!dropsTheRest(context) || canPutBack || others === 0) return null;
  return `This server would drop ${others} reactions of other people with the change, and does not let them be put back.`;
}

/** Learns from one PUT whether the fields that were not sent are still there. */
export function learnPutRule(
  context: SyncContext,
  before: Message,
  after: Message,
  sent: UpdateMessageParameters,
): void {
  const isTelling =
    (sent.message === undefined && before.text !== '') ||
    (sent.attachments === undefined && before.attachments.length > 0) ||
    (sent.reactions === undefined && before.reactions.length > 0);
  if (isTelling) remember(context, 'putRule', hasDropped(before, after, sent) ? 'full-replace' : 'partial', source);
  learnPutText(context, before, after, sent);
}

/**
 * Whether this server, as far as is known now, takes only the user's own reactions. Others' that came back may be sent; that
 * nobody refused them says nothing.
 */
export function learnWhose(context: SyncContext, before: Content, after: Message, sent: readonly Reaction[]): boolean {
  const mine = mineIn(context, after);
  const theirs = stringsOf(sent.map(({ name, by }) => ({ name, by: by.filter((one) => !mine.includes(one)) })));
  const back = missing(stringsOf(after.reactions), stringsOf(before.reactions));
  if (takenAsOwn(before.reactions, after.reactions, sent, mine).length > 0)
    remember(context, 'ownReactionsOnly', true, source);
  else if (theirs.some((one) => back.includes(one))) remember(context, 'ownReactionsOnly', false, source);
  return takesOwnOnly(context);
}

export const takesOwnOnly = (context: SyncContext): boolean =>
  stateOf(context).local.traits.ownReactionsOnly?.value === true;

function learnPutText(context: SyncContext, before: Content, after: Content, sent: UpdateMessageParameters): void {
  if (sent.message === undefined && before.text !== '')
    remember(context, 'putText', after.text === '' ? 'dropped' : 'kept', source);
}

/** Of what somebody else wrote, the text may be what was refused, and is at stake when it is left out. */
export const mayBeTheText = (context: SyncContext, message: Message): boolean =>
  dropsTheRest(context) &&
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
export async function makeWhole(
  context: SyncContext,
  wanted: Wanted,
  after: Message,
  isRestoring: boolean,
): Promise<Message | null> {
  let now = after;
  let named: Wanted = { ...wanted, reactions: namedOnly(wanted.reactions) };
  const tried = new Set<string>();
  for (let step = 0; step < mostSteps; step += 1) {
    named = giveable(context, named, now);
    if ((step > 0 || isRestoring) && isAsWanted(named, now)) break;
    const isEmptied = (step > 0 && now.reactions.length > 0) || !areTold(now.reactions);
    if (isEmptied && !mayEmpty(context, wanted, now)) break;
    const body = (isEmptied ? withoutReactions : allAtOnce)(asWritten(context, named));
    const turn = JSON.stringify([body, now.reactions]);
    if (tried.has(turn)) break;
    tried.add(turn);
    const next = await send(context, named, now, body, isRestoring || step > 0);
    if (next === null) return null;
    now = next;
  }
  dropBefore(context, wanted.id);
  const own = takenAsOwn(wanted.had, now.reactions, wanted.reactions, mineIn(context, now));
  const loss = lossOf(wanted, now) ?? (own.length > 0 ? notTakenBack(own) : null);
  if (loss !== null) notify(context, 'error', `kept ${wanted.id}`, loss);
  return now;
}

export const notTakenBack = (names: readonly string[]): string =>
  `This server counts every reaction that is sent as yours, and did not take back ${names.join(', ')}.`;

/**
 * Others' reactions go for a moment: only where such were seen to be taken back, and nothing goes along with them that
 * this server may have refused just now without a word.
 */
function mayEmpty(context: SyncContext, wanted: Wanted, now: Message): boolean {
  const mine = mineIn(context, now);
  if ([wanted, now].some(({ reactions }) => countOthers(reactions, mine) === 0)) return true;
  const isRefusable = missing(stringsOf(wanted.reactions), stringsOf(now.reactions)).length > 0;
  return stateOf(context).local.traits.ownReactionsOnly?.value === false && !isRefusable;
}

const mineIn = (context: SyncContext, { conversationId }: Message): readonly string[] =>
  ownStrings(stateOf(context), conversationId ?? undefined);

/** Others' that are gone do not come back where only one's own are taken; those that are there are not put at stake. */
function giveable(context: SyncContext, wanted: Wanted, now: Message): Wanted {
  const mine = mineIn(context, now);
  if (!takesOwnOnly(context) || countOthers(now.reactions, mine) > 0) return wanted;
  return { ...wanted, reactions: ownOf(wanted.reactions, mine) };
}

/** That the server escapes what it is sent may have been learned since. */
function asWritten(context: SyncContext, wanted: Wanted): Wanted {
  return wanted.text === wanted.reads ? { ...wanted, text: asSent(stateOf(context), wanted.text) } : wanted;
}

/**
 * The message as it is now, with put back what an earlier attempt took that broke off before anybody looked; null when
 * it is gone. Rejects with ApiError.
 */
export async function retrieveMended(context: SyncContext, place: MessagePlace): Promise<Message | null> {
  const { messageId: id } = place;
  const broken = brokenOff(context, id);
  const now = await retrieveWritten(context, place);
  if (broken === null || now === null) return now;
  const mended = await mend(context, broken, now);
  dropBefore(context, id);
  return mended;
}

async function mend(context: SyncContext, before: Owed, now: Message): Promise<Message | null> {
  const { sent } = before;
  // A repair that broke off may have put it all back: that teaches nothing.
  if (hasDropped(before, now, sent)) {
    remember(context, 'putRule', 'full-replace', source);
    learnPutText(context, before, now, sent);
  }
  // The text of the attempt that broke off is there, in another form.
  if (sent.message !== undefined && compareText(sent.message, now.text) === 'escaped')
    remember(context, 'textChange', 'escape', source);
  if (dropsTheRest(context)) return makeWhole(context, wantedAgain(context, before, now), now, true);
  if (sent.reactions !== undefined && isDoubled(before.reactions, now.reactions))
    remember(context, 'reactionRule', 'append', source);
  const lost = areTold(now.reactions) ? lostReactions(before.reactions, now.reactions) : [];
  const wereSent = new Set(stringsOf(sent.reactions ?? []));
  // Sent along and gone: only a server that toggles does that.
  const isToggled = stringsOf(lost).some((one) => wereSent.has(one));
  if (isToggled) remember(context, 'reactionRule', 'toggle', source);
  return isToggled ? exchangeMessage(context, now, { reactions: lost }) : now;
}

/** What was there, with what has come since. */
function wantedAgain(context: SyncContext, before: Owed, now: Message): Wanted {
  const { message: text } = before.sent;
  const wanted = asItStands(context, { ...before, id: now.id });
  const files = new Set(before.attachments.map(keyOfFile));
  const whole: Wanted = {
    ...wanted,
    attachments: [...before.attachments, ...now.attachments.filter((file) => !files.has(keyOfFile(file)))],
    reactions: united(before.reactions, now.reactions),
    had: united(before.reactions, now.reactions),
  };
  if (text === undefined || now.text === '') return whole;
  return { ...whole, text: isSame(compareText(text, now.text)) ? text : now.text, reads: now.text };
}

type Body = (wanted: Wanted) => UpdateMessageParameters;

const withoutReactions: Body = ({ text, attachments }) => ({
  message: text,
  ...(attachments.length > 0 ? { attachments: attachments.map((attachment) => attachment.fields) } : {}),
});

const allAtOnce: Body = (wanted) => ({ ...withoutReactions(wanted), reactions: wanted.reactions });

async function send(
  context: SyncContext,
  wanted: Wanted,
  now: Message,
  body: UpdateMessageParameters,
  isRestoring: boolean,
): Promise<Message | null> {
  let next: Message | null;
  try {
    next = await exchangeMessage(context, now, body);
  } catch (error) {
    const failure = apiError(error);
    const isRefused = failure.kind === 'forbidden' || failure.kind === 'invalid' || failure.saysNo;
    const isAtStake = mayBeTheText(context, now);
    // A text that outlives changes which do not name it, as nobody but its author may.
    const isNotOurs =
      failure.kind === 'forbidden' && !isAtStake && !isOwn(now, stateOf(context)) && isText(wanted, now);
    if (body.message !== undefined && isNotOurs) {
      const { message: _, ...rest } = body;
      return Object.keys(rest).length === 0 ? now : send(context, wanted, now, rest, isRestoring);
    }
    if (!isRefused || !isRestoring) throw failure;
    if (body.reactions === undefined) return now;
    if (failure.kind === 'forbidden' && !isAtStake) remember(context, 'ownReactionsOnly', true, source);
    // Better without reactions than without everything.
    const { reactions: _, ...rest } = body;
    return send(context, wanted, now, rest, true);
  }
  if (next !== null) learnWhose(context, now, next, body.reactions ?? []);
  const { reads } = wanted;
  // What was read was sent back and escaped once more: from now on this server is sent the text unescaped.
  if (next !== null && body.message === reads && compareText(reads ?? '', next.text) === 'escaped')
    remember(context, 'textChange', 'escape', source);
  return next;
}
