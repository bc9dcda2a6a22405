/** Adds or takes back the user's reaction, believes only what the message shows afterwards, and repairs what was lost. */
import { areTold } from '../../../protocol/reactions.ts';
import type { ReactionRule } from '../../../protocol/server-policy.ts';
import type { Message, Reaction } from '../../../protocol/types.ts';
import { ownReactionIds } from '../../../state/local/local.ts';
import { isOwn } from '../../../state/local/outbox.ts';
import type { OpAction } from '../../../state/model/app-state.ts';
import { cutMessage, untoldReactions } from '../../../state/select/reactions.ts';
import { type Outcome, refused } from '../../op/outcome.ts';
import { serverPolicy } from '../../services/server-policy.ts';
import { apiError, learnTrait, notify, type Services, stateOf } from '../../services/services.ts';
import { dropBeforeImage, pendingRepairOf } from '../safe-put/before-image.ts';
import { putMessage, sendsWholeMessage } from '../safe-put/put-message.ts';
import {
  learnPutRule,
  learnWhose,
  putUntilEqual,
  retrieveRepaired,
  targetOf,
  textMayBeRefused,
  unrecoverableLoss,
  unwantedReactionsText,
} from '../safe-put/restore-message.ts';
import {
  countOthers,
  type Effect,
  effectOf,
  hasMine,
  isAchieved,
  misattributed,
  namesNobody,
  ownOf,
  type ReactionWish,
  requestBodies,
  target,
} from './reaction-strategy.ts';
import { settledGone, settledWith } from './update-message.ts';

export type ReactAction = Extract<OpAction, { kind: 'message.react' }>;

const source = 'PUT /v1/messages/:id';

/** Rejects with ApiError. */
export async function reactToMessage(context: Services, action: ReactAction): Promise<Outcome> {
  const broken = pendingRepairOf(context, action.messageId);
  const before = await retrieveRepaired(context, action);
  if (before === null) return settledGone(context, action.conversationId, action.messageId);
  learnAlphabet(context, before.reactions);
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  if (mine.length === 0)
    return refused('Nobody knows yet who you are on this server: send a message first, then react.');
  const wish: ReactionWish = { name: action.name, present: action.present, mine };
  const unwished = misattributed(broken?.reactions ?? [], before.reactions, broken?.sent.reactions ?? [], mine);
  if (broken !== null) learnWhose(context, broken, before, broken.sent.reactions ?? []);
  if (hasMine(before.reactions, wish) === wish.present) return ended(context, action, before, unwished);
  if (before.isCut === true) return refused(cutMessage);
  if (!areTold(before.reactions) || areByPerson(context, before.reactions, mine)) return refused(untoldReactions);
  const others = countOthers(before.reactions, mine);
  const files = isOwn(before, stateOf(context)) ? 0 : before.attachments.length;
  const policy = serverPolicy(context);
  if (others > 0 && policy.reactions.asksBeforeRisk && !policy.putMessage.sendsWholeMessage && !action.confirmed)
    return refused(unknownRule(others));
  if (files > 0 && policy.putMessage.asksBeforeRisk && !action.confirmed) return refused(unknownPut(files));
  const tried = await tryPlans(context, before, wish);
  const own = [...unwished, ...misattributed(before.reactions, tried.now?.reactions ?? [], tried.sent, mine)];
  if (tried.refusal === null) return ended(context, action, tried.now, own);
  // What was not wished may stand there all the same.
  if (tried.now !== null) await takeBack(context, tried.now, own, mine);
  return refused(tried.refusal);
}

async function ended(
  context: Services,
  action: ReactAction,
  now: Message | null,
  unwished: readonly string[],
): Promise<Outcome> {
  const mine = ownReactionIds(stateOf(context), action.conversationId);
  const last = now === null ? null : await takeBack(context, now, unwished, mine);
  if (last === null) return settledGone(context, action.conversationId, action.messageId);
  return settledWith(context, action.conversationId, last);
}

/** Takes away what the server gave in the user's name when it was sent other people's strings; null when the message is gone. */
async function takeBack(
  context: Services,
  message: Message,
  unwished: readonly string[],
  mine: readonly string[],
): Promise<Message | null> {
  let now = message;
  for (const name of unwished) {
    const tried = await tryPlans(context, now, { name, present: false, mine });
    if (tried.now === null) return null;
    now = tried.now;
  }
  const { reactions } = now;
  const left = unwished.filter((name) => hasMine(reactions, { name, mine }));
  if (left.length > 0) notify(context, 'error', `kept ${message.id}`, unwantedReactionsText(left));
  return now;
}

/** `{person: [name]}` where the document has `{name: [person]}`: what is written as the document has it may take all others' away. */
function areByPerson(context: Services, reactions: readonly Reaction[], mine: readonly string[]): boolean {
  const { contacts } = stateOf(context).cache;
  const people = new Set([...mine, ...[...contacts].flatMap(([id, { username }]) => [id, username])]);
  const isPerson = (one: string): boolean => people.has(one);
  return reactions.some(({ name }) => isPerson(name)) && !reactions.some(({ by }) => by.some(isPerson));
}

const unknownRule = (others: number): string =>
  `How this server treats reactions is not known yet: yours may replace ${others} of other people. React again to confirm.`;

const unknownPut = (files: number): string =>
  `Whether this server keeps the files of a message when a reaction is sent is not known yet: ${files} of somebody else may go. React again to confirm.`;

/** Each attempt may teach what the next one is to be. */
const mostAttempts = 5;

interface Tried {
  /** null: the message is gone. */
  readonly now: Message | null;
  /** Why it is not as wished; null when it is. */
  readonly refusal: string | null;
  readonly sent: readonly Reaction[];
}

async function tryPlans(context: Services, before: Message, wish: ReactionWish): Promise<Tried> {
  const tried = new Set<string>();
  const sent: Reaction[] = [];
  let now = before;
  let problem: string | null = null;
  let mayBeOwnOnly = false;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const loss = unrecoverableLoss(context, now, wish.mine);
    if (loss !== null) return { now, refusal: loss, sent };
    const body: readonly Reaction[] | undefined = bodiesFor(context, now, wish, mayBeOwnOnly).find(
      (one) => !tried.has(JSON.stringify(one)),
    );
    if (body === undefined) break;
    tried.add(JSON.stringify(body));
    const isOfOthers: boolean = countOthers(body, wish.mine) > 0;
    const result = await sendBody(context, now, body, wish);
    if ('refusal' in result) {
      problem = result.refusal;
      mayBeOwnOnly ||= isOfOthers;
      continue;
    }
    if (result.message === null) return { now: null, refusal: null, sent };
    sent.push(...result.sent);
    // One's own were taken, and took nothing from others: it was theirs that had been refused.
    if (mayBeOwnOnly && countOthers(result.sent, wish.mine) === 0)
      learnTrait(context, 'ownReactionsOnly', true, source);
    now = result.message;
    if (isAchieved(before.reactions, now.reactions, wish)) return { now, refusal: null, sent };
    // Whose they are is told no longer: nothing more can be sent without harm.
    if (!areTold(now.reactions)) break;
  }
  const said = problem === null ? '' : ` It said: ${problem}`;
  return {
    now,
    refusal: `This server did not ${wish.present ? 'take the reaction' : 'take the reaction back'}.${said}`,
    sent,
  };
}

/**
 * In every alphabet that the user may be written in, while nobody knows which one this server has; `mayBeOwnOnly`: with
 * one's own alone as well.
 */
function bodiesFor(
  context: Services,
  now: Message,
  wish: ReactionWish,
  mayBeOwnOnly: boolean,
): readonly (readonly Reaction[])[] {
  const policy = serverPolicy(context).reactions;
  const alphabets = policy.triesBothNames ? wish.mine.map((_, at) => rotated(wish.mine, at)) : [wish.mine];
  const bodies = (ownOnly: boolean): readonly (readonly Reaction[])[] =>
    alphabets.flatMap((mine) => requestBodies(now.reactions, { ...wish, mine }, policy.rule, ownOnly));
  const all = [...bodies(policy.sendsOwnOnly), ...(mayBeOwnOnly ? bodies(true) : [])];
  return policy.mayTakeBackByEmptyValue ? all : all.filter((body) => !namesNobody(body));
}

const rotated = (list: readonly string[], by: number): readonly string[] => [...list.slice(by), ...list.slice(0, by)];

type Sent = { readonly message: Message | null; readonly sent: readonly Reaction[] } | { readonly refusal: string };

/** The message afterwards, with what it was not to lose put back; what the server said when it refused. */
async function sendBody(
  context: Services,
  before: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Sent> {
  try {
    if (sendsWholeMessage(context)) {
      const wanted = targetOf(context, before, wishedWith(before, wish, body));
      return { message: await putUntilEqual(context, wanted, before, false), sent: wanted.reactions };
    }
    const after = await putMessage(context, before, { reactions: body });
    return after === null ? { message: null, sent: body } : await repair(context, before, after, body, wish);
  } catch (error) {
    const failure = apiError(error);
    if (failure.kind !== 'forbidden' && failure.kind !== 'invalid' && !failure.saysNo) throw error;
    // Where nothing else can be tried it is the safe thing to believe: others' are not staked then.
    const isTelling = sendsWholeMessage(context) && failure.kind === 'forbidden' && !textMayBeRefused(context, before);
    if (isTelling && countOthers(body, wish.mine) > 0) learnTrait(context, 'ownReactionsOnly', true, source);
    return { refusal: failure.facts.message };
  }
}

/** The reactions that are to be, in the alphabet that the body is written in. */
function wishedWith(before: Message, wish: ReactionWish, body: readonly Reaction[]): readonly Reaction[] {
  const own = body.flatMap(({ by }) => by).find((one) => wish.mine.includes(one));
  return target(before.reactions, own === undefined ? wish : { ...wish, mine: [own, ...wish.mine] });
}

/** Learns the rules from what the body did, and puts back what it should not have taken. */
async function repair(
  context: Services,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Sent> {
  learnPutRule(context, before, after, { reactions: body });
  learnEmpty(context, before, after, body, wish);
  const isOwnOnly = learnWhose(context, before, after, body);
  const effect = effectOf(before.reactions, after.reactions, wish);
  const isTold = areTold(after.reactions);
  // Others' stay whatever is done to one's own, and what became of strings taken for others than were sent tells nothing.
  const seen = isOwnOnly ? ownOf(before.reactions, wish.mine) : before.reactions;
  const isTelling = isTold && misattributed(before.reactions, after.reactions, body, wish.mine).length === 0;
  const rule = isTelling ? ruleSeen(seen, body, effect, wish) : null;
  if (rule !== null) learnTrait(context, 'reactionRule', rule, source);
  const wanted = wishedWith(before, wish, body);
  if (sendsWholeMessage(context)) {
    const message = await putUntilEqual(context, targetOf(context, before, wanted), after, true);
    return { message, sent: [...body, ...wanted] };
  }
  // Those that are not named may be the ones that are missed.
  const lost = isTold ? [...effect.lost, ...effect.lostOwn] : [];
  const whole = rule === 'toggle' ? lost : wanted;
  // Others' that are gone after all were taken by what was sent: such a server replaces them, and may take them back.
  const back = isOwnOnly && effect.lost.length === 0 ? ownOf(whole, wish.mine) : whole;
  if (lost.length === 0) {
    dropBeforeImage(context, before.id);
    return { message: after, sent: body };
  }
  const message = await putMessage(context, after, { reactions: back });
  dropBeforeImage(context, before.id);
  const sent = [...body, ...back];
  if (message !== null) learnWhose(context, before, message, sent);
  return { message, sent };
}

/** An empty string that stays on a message is sent to this server once, and told of. */
function learnEmpty(
  context: Services,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): void {
  if (!namesNobody(body)) return;
  if ((after.blankReactions ?? 0) > (before.blankReactions ?? 0)) {
    learnTrait(context, 'emptyReaction', 'a string', source);
    notify(context, 'error', `kept ${before.id}`, emptyKept);
  } else if (!hasMine(after.reactions, wish)) learnTrait(context, 'emptyReaction', 'nobody', source);
}

const emptyKept =
  'This server keeps an empty reaction that was sent to take yours back. It stays on that message; none is sent again.';

/** What one exchange shows of the rule; null when every rule would have looked the same. */
export function ruleSeen(
  before: readonly Reaction[],
  body: readonly Reaction[],
  effect: Effect,
  wish: ReactionWish,
): ReactionRule | null {
  const sent = (name: string, by: string): boolean =>
    body.some((reaction) => reaction.name === name && reaction.by.includes(by));
  const strings = before.flatMap(({ name, by }) => by.map((one) => ({ name, by: one })));
  const lost = [...effect.lost, ...effect.lostOwn].flatMap(({ name, by }) => by.map((one) => ({ name, by: one })));
  if (effect.isDoubled) return 'append';
  if (lost.some((one) => sent(one.name, one.by))) return 'toggle';
  if (lost.length > 0) return 'replace';
  if (wish.present) return strings.some((one) => !sent(one.name, one.by)) && effect.isDone ? 'add' : null;
  const isOwnSent = body.some(({ name, by }) => name === wish.name && by.some((one) => wish.mine.includes(one)));
  if (isOwnSent) return effect.isDone ? 'toggle' : null;
  const isClearing = body.some(({ name, by }) => name === wish.name && by.length === 0);
  if (isClearing) return effect.isDone && strings.length > 1 ? 'add' : null;
  if (body.length === 0) return null;
  return effect.isDone ? 'replace' : 'add';
}

/** Strings that the contact book knows as ids, or as names, tell what this server writes there. */
function learnAlphabet(context: Services, reactions: readonly Reaction[]): void {
  if (!serverPolicy(context).reactions.triesBothNames) return;
  const { cache } = stateOf(context);
  const strings = reactions.flatMap((reaction) => reaction.by);
  const names = new Set([...cache.contacts.values()].map((contact) => contact.username));
  const isId = strings.some((by) => cache.contacts.has(by) && !names.has(by));
  const isName = strings.some((by) => names.has(by) && !cache.contacts.has(by));
  if (isId !== isName) learnTrait(context, 'reactionAlphabet', isId ? 'id' : 'username', 'GET /v1/messages/:id');
}
