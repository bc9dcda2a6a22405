/** Adds or takes back the user's reaction, believes only what the message shows afterwards, and repairs what was lost. */
import { areTold } from '../protocol/reactions.ts';
import type { Message, Reaction } from '../protocol/types.ts';
import { ownStrings } from '../state/local.ts';
import { untoldReactions } from '../state/reactions.ts';
import type { OpAction } from '../state/state.ts';
import { dropBefore } from './broken-off.ts';
import { apiError, remember, type SyncContext, stateOf } from './context.ts';
import { dropsTheRest, exchangeMessage } from './exchange-message.ts';
import { asItStands, learnPutRule, makeWhole, mayBeTheText, retrieveMended, unkeepable } from './keep-whole.ts';
import { type Outcome, refused } from './outcome.ts';
import {
  countOthers,
  type Effect,
  effectOf,
  hasMine,
  isAsWished,
  plans,
  type ReactionRule,
  type ReactionWish,
  wished,
} from './reaction-plan.ts';
import { settledGone, settledWith } from './write-message.ts';

export type ReactAction = Extract<OpAction, { kind: 'message.react' }>;

const source = 'PUT /v1/messages/:id';

/** Rejects with ApiError. */
export async function reactToMessage(context: SyncContext, action: ReactAction): Promise<Outcome> {
  const before = await retrieveMended(context, action);
  if (before === null) return settledGone(context, action.conversationId, action.messageId);
  learnAlphabet(context, before.reactions);
  const mine = ownStrings(stateOf(context), action.conversationId);
  if (mine.length === 0)
    return refused('Nobody knows yet who you are on this server: send a message first, then react.');
  const wish: ReactionWish = { name: action.name, present: action.present, mine };
  if (hasMine(before.reactions, wish) === wish.present) return settledWith(context, action.conversationId, before);
  if (!areTold(before.reactions)) return refused(untoldReactions);
  const others = countOthers(before.reactions, mine);
  const { traits } = stateOf(context).local;
  if (others > 0 && traits.reactionRule === undefined && !dropsTheRest(context) && !action.confirmed)
    return refused(unknownRule(others));
  return tryPlans(context, action, before, wish);
}

const unknownRule = (others: number): string =>
  `How this server treats reactions is not known yet: yours may replace ${others} of other people. React again to confirm.`;

/** Each attempt may teach what the next one is to be. */
const mostAttempts = 5;

async function tryPlans(
  context: SyncContext,
  action: ReactAction,
  before: Message,
  wish: ReactionWish,
): Promise<Outcome> {
  const tried = new Set<string>();
  let now = before;
  let problem: string | null = null;
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const loss = unkeepable(context, now, wish.mine);
    if (loss !== null) return refused(loss);
    const body = bodiesFor(context, now, wish).find((one) => !tried.has(JSON.stringify(one)));
    if (body === undefined) break;
    tried.add(JSON.stringify(body));
    const result = await sendBody(context, now, body, wish);
    if ('refusal' in result) {
      problem = result.refusal;
      continue;
    }
    if (result.message === null) return settledGone(context, action.conversationId, before.id);
    now = result.message;
    if (isAsWished(before.reactions, now.reactions, wish)) return settledWith(context, action.conversationId, now);
    // Whose they are is told no longer: nothing more can be sent without harm.
    if (!areTold(now.reactions)) break;
  }
  const said = problem === null ? '' : ` It said: ${problem}`;
  return refused(`This server did not ${wish.present ? 'take the reaction' : 'take the reaction back'}.${said}`);
}

/** In every alphabet that the user may be written in, while nobody knows which one this server has. */
function bodiesFor(context: SyncContext, now: Message, wish: ReactionWish): readonly (readonly Reaction[])[] {
  const { traits } = stateOf(context).local;
  const alphabets =
    traits.reactionAlphabet === undefined ? wish.mine.map((_, at) => rotated(wish.mine, at)) : [wish.mine];
  return alphabets.flatMap((mine) =>
    plans(now.reactions, { ...wish, mine }, traits.reactionRule?.value, traits.ownReactionsOnly?.value === true),
  );
}

const rotated = (list: readonly string[], by: number): readonly string[] => [...list.slice(by), ...list.slice(0, by)];

type Sent = { readonly message: Message | null } | { readonly refusal: string };

/** The message afterwards, with what it was not to lose put back; what the server said when it refused. */
async function sendBody(
  context: SyncContext,
  before: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Sent> {
  try {
    if (dropsTheRest(context)) {
      const wanted = asItStands(context, before, wishedWith(before, wish, body));
      return { message: await makeWhole(context, wanted, before, false) };
    }
    const after = await exchangeMessage(context, before, { reactions: body });
    return { message: after === null ? null : await repair(context, before, after, body, wish) };
  } catch (error) {
    const failure = apiError(error);
    if (failure.kind !== 'forbidden' && failure.kind !== 'invalid' && !failure.saysNo) throw error;
    // A string in the wrong alphabet is refused as well.
    const isForbidden = failure.kind === 'forbidden' || stateOf(context).local.traits.reactionAlphabet !== undefined;
    const isTelling = isForbidden && !mayBeTheText(context, before);
    if (isTelling && countOthers(body, wish.mine) > 0) remember(context, 'ownReactionsOnly', true, source);
    return { refusal: failure.facts.message };
  }
}

/** The reactions that are to be, in the alphabet that the body is written in. */
function wishedWith(before: Message, wish: ReactionWish, body: readonly Reaction[]): readonly Reaction[] {
  const own = body.flatMap(({ by }) => by).find((one) => wish.mine.includes(one));
  return wished(before.reactions, own === undefined ? wish : { ...wish, mine: [own, ...wish.mine] });
}

/** Learns the rules from what the body did, and puts back what it should not have taken; null when the message is gone. */
async function repair(
  context: SyncContext,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Message | null> {
  learnPutRule(context, before, after, { reactions: body });
  const effect = effectOf(before.reactions, after.reactions, wish);
  const isTold = areTold(after.reactions);
  const rule = isTold ? ruleSeen(before.reactions, body, effect, wish) : null;
  if (rule !== null) remember(context, 'reactionRule', rule, source);
  if (dropsTheRest(context))
    return makeWhole(context, asItStands(context, before, wishedWith(before, wish, body)), after, true);
  // Those that are not named may be the ones that are missed.
  const lost = isTold ? [...effect.lost, ...effect.lostOwn] : [];
  const back = rule === 'toggle' ? lost : wishedWith(before, wish, body);
  const shown = lost.length === 0 ? after : await exchangeMessage(context, after, { reactions: back });
  dropBefore(context, before.id);
  return shown;
}

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
function learnAlphabet(context: SyncContext, reactions: readonly Reaction[]): void {
  const { cache, local } = stateOf(context);
  if (local.traits.reactionAlphabet !== undefined) return;
  const strings = reactions.flatMap((reaction) => reaction.by);
  const names = new Set([...cache.contacts.values()].map((contact) => contact.username));
  const isId = strings.some((by) => cache.contacts.has(by) && !names.has(by));
  const isName = strings.some((by) => names.has(by) && !cache.contacts.has(by));
  if (isId !== isName) remember(context, 'reactionAlphabet', isId ? 'id' : 'username', 'GET /v1/messages/:id');
}
