/**
 * Changes a message so that nothing else of it is lost (R-PUT-2): sends what this server needs, reads the message
 * again, and restores what the change removed, also when an earlier run ended before it had checked that.
 */
import { ApiError } from '../../../api/errors.ts';
import type { UpdateMessageParameters } from '../../../api/operations.ts';
import { areAllNamed } from '../../../protocol/reactions.ts';
import type { ServerPolicy } from '../../../protocol/server-policy.ts';
import { isOfAnotherTime } from '../../../protocol/time.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { toWireText } from '../../../state/local/capabilities.ts';
import { isOwn, ownReactionIds } from '../../../state/local/identity.ts';
import type { BeforeImage, OpAction } from '../../../state/model/app-state.ts';
import { cutMessageText } from '../../../state/select/reactions.ts';
import { isUnchanged, retrieveWritten } from '../../read/read-message.ts';
import { aboutLoss, showNotice } from '../../services/notices.ts';
import { apiError } from '../../services/request.ts';
import { learnCapability, serverPolicy } from '../../services/server-policy.ts';
import { type Services, stateOf } from '../../services/services.ts';
import { dropBeforeImage, type MessagePlace, opToRepair } from './before-image.ts';
import { type Evidence, learnFromPut, putSource } from './learn-from-put.ts';
import {
  type Content,
  counted,
  countOthers,
  isTextLost,
  type Loss,
  lossOf,
  lossText,
  lostFrom,
  missingFiles,
  ownOf,
  type ReactionWish,
  unionOf,
  withWish,
} from './message-diff.ts';
import { isRefusal, putMessage } from './put-message.ts';

/** The changes that the user wants; null for a field that stays unchanged. */
export interface Intent {
  readonly text: string | null;
  readonly wish: ReactionWish | null;
}

/** Why a change would lose text or reactions of `before` for good, for the user to read; null when it would not. */
export function unrecoverableLoss(
  { putMessage: rule, reactions }: ServerPolicy,
  before: Message,
  mine: readonly string[],
): string | null {
  // The whole message is not held here, so a server may be sent a change only if it is known to keep what is not sent.
  if (before.isTruncated && rule.text !== 'kept')
    return 'This server might drop the text with the change, which is too long to be put back from here.';
  if (before.isCut === true && (rule.reactions !== 'kept' || rule.files !== 'kept')) return cutMessageText;
  const { attachments } = before;
  if (rule.files === 'dropped' && rule.appendsFiles && attachments.length > 0)
    return `This server would drop ${counted(attachments.length, 'file')} with the change, or list them twice.`;
  const others = countOthers(before.reactions, mine);
  const canPutBack = !reactions.sendsOwnOnly && areAllNamed(before.reactions);
  // A server that drops one field may well drop another of which nothing is known yet.
  const isDropped =
    rule.reactions === 'unknown' ? [rule.text, rule.files].includes('dropped') : rule.reactions !== 'kept';
  if (!isDropped || canPutBack || others === 0) return null;
  return `This server would drop ${counted(others, 'reaction')} of other people with the change, and does not let them be put back.`;
}

/**
 * @param change the only field to send, beside those that this server drops when they are not sent
 * @returns the message afterwards; null when it is gone
 * @throws ApiError when the change was not accepted, or when its outcome is not known
 */
export async function changeMessage(
  context: Services,
  before: Message,
  change: UpdateMessageParameters,
  intent: Intent,
): Promise<Message | null> {
  const { text, reactions, attachments } = before;
  const message = toWireText(stateOf(context), text);
  const rule = serverPolicy(context).putMessage;
  const sent = {
    ...(rule.text === 'dropped' && text !== '' ? { message } : {}),
    ...(rule.reactions === 'dropped' ? { reactions: unionOf(reactions) } : {}),
    ...(rule.files === 'dropped' ? filesOf(context, before) : {}),
    ...change,
  };
  const expected = intent.wish === null ? reactions : withWish(reactions, intent.wish);
  const after = await putMessage(context, before, sent, { ...before, text: intent.text ?? text, reactions: expected });
  if (after === null) return null;
  return restoreLost(context, { text, reactions, attachments, sent }, after, intent, 'change');
}

/**
 * Reads the message. Where an earlier change was interrupted before its effect was checked, what it took away is
 * restored first from the before-image.
 *
 * @returns the message as it is then; null when it is gone
 * @throws ApiError also where the id belongs to another message by now, to which nothing is restored
 */
export async function retrieveRepaired(context: Services, place: MessagePlace): Promise<Message | null> {
  const broken = opToRepair(context, place.messageId);
  const now = await retrieveWritten(context, place);
  if (broken === null || now === null) return now;
  if (isOfAnotherTime(broken.pendingRepair.createdAt ?? null, now.createdAt)) {
    dropBeforeImage(context, place.messageId);
    throw new ApiError({ kind: 'not-found', outcome: 'rejected', message: idRecycled });
  }
  return restoreLost(context, broken.pendingRepair, now, intentOf(context, broken.action), 'interrupted');
}

const idRecycled = 'The message was deleted meanwhile, and the server has given its id to another one.';

function intentOf(context: Services, action: OpAction): Intent {
  if (action.kind === 'message.edit') return { text: action.text, wish: null };
  if (action.kind !== 'message.react') return { text: null, wish: null };
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  return { text: null, wish: { name: action.name, present: action.present, mine } };
}

/** A first attempt, one after its answer has taught a rule, and one for each of `leavable`. */
const maxAttempts = 5;

/** What an attempt to restore leaves out, as the server has refused one with it. */
interface LeftOut {
  /** Reactions of other people: only the user's own may be sent on some servers. */
  readonly others?: true;
  /** The text: only its author may send it on some servers. */
  readonly text?: true;
}

/** Sends what the change has removed until it is there again, and reports to the user what could not be restored. */
async function restoreLost(
  context: Services,
  image: BeforeImage,
  after: Message,
  intent: Intent,
  evidence: Evidence,
): Promise<Message | null> {
  learnFromPut(context, image, image.sent, after, evidence);
  const atStake = reactionsAtStake(serverPolicy(context), image);
  const wanted = wantedOf({ ...image, reactions: atStake }, after, intent);
  const own = intent.wish?.present === true ? ownOf(image.sent.reactions ?? [], intent.wish.mine) : [];
  const restorable = { ...wanted, reactions: unionOf(wanted.reactions) };
  const sendable = { ...wanted, reactions: unionOf(wanted.reactions, own) };
  let now = after;
  let { sent } = image;
  let leftOut: LeftOut | undefined = {};
  for (let attempt = 0; attempt < maxAttempts && leftOut !== undefined; attempt += 1) {
    const loss = lossOf(leftOut.text ? { ...restorable, text: now.text } : restorable, now);
    // Without the text the message would lose it, unless it is lost already.
    if (loss === null || (leftOut.text && now.text !== '' && serverPolicy(context).putMessage.text !== 'kept')) break;
    // A text that was not sent and is there all the same is left out.
    const withText = !leftOut.text && (loss.hasText || sent.message !== undefined);
    const body = restoringBody(
      context,
      leftOut.others ? ownOnly(context, sendable, now) : sendable,
      now,
      loss,
      withText,
    );
    if (isThere(body, now)) break;
    const next = await putUnlessRefused(context, now, body);
    if (next === null) return null;
    // Some servers accept a change and then do not carry it out, without a word.
    if (next === 'refused' || (isUnchanged(now, next) && keepsUnsent(context)))
      leftOut = leaveOutNext(context, now, body, leftOut);
    else if (isUnchanged(now, next)) break;
    else {
      if (leftOut.others) learnCapability(context, 'ownReactionsOnly', true, putSource);
      // What restoring something leaves alone is no proof that a change leaves it alone, hence `restoring`.
      learnFromPut(context, now, body, next, 'restoring');
      [now, sent] = [next, body];
    }
  }
  dropBeforeImage(context, after.id);
  const loss = lossOf(wanted, now);
  if (loss !== null) showNotice(context, 'error', aboutLoss(after.id), lossText(loss));
  return now;
}

/** In this order: an attempt without other people's reactions takes away nothing that the server lets the user restore. */
const leavable: readonly LeftOut[] = [{ others: true }, { text: true }, { others: true, text: true }];

/** What to leave out after an attempt that was refused or in vain; undefined when there is nothing more to leave out. */
function leaveOutNext(
  context: Services,
  now: Message,
  body: UpdateMessageParameters,
  leftOut: LeftOut,
): LeftOut | undefined {
  const hasOthers = leftOut.others === true || countOthers(body.reactions ?? [], mineIn(context, now)) > 0;
  const hasText = leftOut.text === true || (body.message !== undefined && !isOwn(now, stateOf(context)));
  const left = leavable.slice(leavable.indexOf(leftOut) + 1);
  return left.find(({ others, text }) => (!others || hasOthers) && (!text || hasText));
}

/** Whether others' reactions that are there stay when only the user's own are sent, so that a late attempt is not undone. */
const keepsUnsent = (context: Services): boolean => {
  const { rule } = serverPolicy(context).reactions;
  return rule !== undefined && rule !== 'replace';
};

const ownOnly = (context: Services, wanted: Content, now: Message): Content => ({
  ...wanted,
  reactions: ownOf(wanted.reactions, mineIn(context, now)),
});

/** The reactions that the change can have taken; others that are missing were taken back by their people. */
function reactionsAtStake({ putMessage, reactions }: ServerPolicy, { reactions: before, sent }: BeforeImage) {
  if (sent.reactions === undefined) return putMessage.reactions === 'kept' ? none : before;
  const { rule, sendsOwnOnly } = reactions;
  if (rule === undefined || sendsOwnOnly || !areAllNamed(before)) return before;
  const unsent = lostFrom(before, sent.reactions);
  return { replace: unsent, toggle: lostFrom(before, unsent), add: none, append: none }[rule];
}

const none: readonly Reaction[] = [];

/** What the message should have: everything that was there before or came since, with the changes of the user. */
function wantedOf({ text, attachments, reactions }: BeforeImage, after: Message, { text: edited, wish }: Intent) {
  const all = unionOf(reactions, after.reactions);
  return {
    // A text that is neither gone nor escaped once more was written meanwhile, and stays.
    text: edited !== null ? after.text || edited : isTextLost(text, after.text) ? text : after.text,
    attachments: [...attachments, ...missingFiles(after.attachments, attachments)],
    // Which of the reactions that the server only counts are missing cannot be known.
    reactions: !areAllNamed(reactions) ? reactions : wish?.present === false ? withWish(all, wish) : all,
  };
}

/** Only the fields that this server was seen to drop, and those that are missing; the text where it may be sent. */
function restoringBody(
  context: Services,
  wanted: Content,
  now: Message,
  loss: Loss,
  withText: boolean,
): UpdateMessageParameters {
  const { putMessage: rule, reactions: policy } = serverPolicy(context);
  const isSwitching = policy.rule === 'toggle' || policy.rule === 'append';
  const needed = isSwitching ? lostFrom(wanted.reactions, now.reactions) : wanted.reactions;
  const reactions = policy.sendsOwnOnly ? ownOf(needed, mineIn(context, now)) : needed;
  // An empty list would remove what is there.
  const withReactions = reactions.length > 0 && (loss.reactions > 0 || rule.reactions !== 'kept');
  return {
    ...(withReactions ? { reactions } : {}),
    ...(withText && rule.text !== 'kept' ? { message: toWireText(stateOf(context), wanted.text) } : {}),
    ...(loss.files > 0 || rule.files === 'dropped' ? filesOf(context, wanted) : {}),
  };
}

/** Whether all that would be sent is there already. */
const isThere = ({ message, attachments, reactions = [] }: UpdateMessageParameters, now: Message): boolean =>
  message === undefined && attachments === undefined && lostFrom(reactions, now.reactions).length === 0;

const mineIn = (context: Services, { conversationId }: Message): readonly string[] =>
  ownReactionIds(stateOf(context), conversationId ?? undefined);

async function putUnlessRefused(context: Services, now: Message, body: UpdateMessageParameters) {
  try {
    return await putMessage(context, now, body, null);
  } catch (error) {
    const failure = apiError(error);
    if (!isRefusal(failure)) throw failure;
    return 'refused';
  }
}

/** None where the server would add them once more to those that are there. */
function filesOf(context: Services, { attachments }: Content): Pick<UpdateMessageParameters, 'attachments'> {
  if (attachments.length === 0 || serverPolicy(context).putMessage.appendsFiles) return {};
  return { attachments: attachments.map(({ fields }) => fields) };
}
