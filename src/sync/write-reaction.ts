/** Adds or takes back the user's reaction, believes only what the message shows afterwards, and repairs what was lost. */
import type { Message, Reaction } from '../protocol/types.ts';
import { ownStrings } from '../state/local.ts';
import type { OpAction } from '../state/state.ts';
import { apiError, remember, type SyncContext, stateOf } from './context.ts';
import { type Outcome, refused } from './outcome.ts';
import {
  countOthers,
  type Effect,
  effectOf,
  hasMine,
  plans,
  type ReactionRule,
  type ReactionWish,
  wished,
} from './reaction-plan.ts';
import { put, retrieve, settledGone, settledWith } from './write-message.ts';

export type ReactAction = Extract<OpAction, { kind: 'message.react' }>;

const source = 'PUT /v1/messages/:id';

/** Rejects with ApiError. */
export async function reactToMessage(context: SyncContext, action: ReactAction): Promise<Outcome> {
  const before = await retrieve(context, action.messageId);
  if (before === null) return settledGone(context, action.conversationId, action.messageId);
  learnAlphabet(context, before.reactions);
  const mine = ownStrings(stateOf(context), action.conversationId);
  if (mine.length === 0)
    return refused('Nobody knows yet who you are on this server: send a message first, then react.');
  const wish: ReactionWish = { name: action.name, present: action.present, mine };
  if (hasMine(before.reactions, wish) === wish.present) return settledWith(context, action.conversationId, before);
  const others = countOthers(before.reactions, mine);
  const { traits } = stateOf(context).local;
  if (others > 0 && traits.reactionRule === undefined && !action.confirmed) return refused(unknownRule(others));
  return tryPlans(context, action, before, wish);
}

const unknownRule = (others: number): string =>
  `How this server treats reactions is not known yet: yours may replace ${others} of other people. React again to confirm.`;

async function tryPlans(
  context: SyncContext,
  action: ReactAction,
  before: Message,
  wish: ReactionWish,
): Promise<Outcome> {
  const { traits } = stateOf(context).local;
  const bodies = plans(before.reactions, wish, traits.reactionRule?.value, traits.ownReactionsOnly?.value === true);
  let problem: string | null = null;
  for (const body of bodies) {
    const refusal = await sendBody(context, before, body, wish);
    problem = refusal ?? problem;
    if (refusal !== null) continue;
    const after = await retrieve(context, before.id);
    if (after === null) return settledGone(context, action.conversationId, before.id);
    const shown = await repair(context, before, after, body, wish);
    if (hasMine(shown.reactions, wish) === wish.present) return settledWith(context, action.conversationId, shown);
  }
  const said = problem === null ? '' : ` It said: ${problem}`;
  return refused(`This server did not ${wish.present ? 'take the reaction' : 'take the reaction back'}.${said}`);
}

/** null when the server took it; what it said when it refused. */
async function sendBody(
  context: SyncContext,
  before: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<string | null> {
  try {
    await put(context, before.id, { reactions: body });
    return null;
  } catch (error) {
    const { kind, message } = apiError(error);
    if (kind !== 'forbidden' && kind !== 'invalid') throw error;
    if (countOthers(body, wish.mine) > 0) remember(context, 'ownReactionsOnly', true, source);
    return message;
  }
}

/** Learns the rule from what the body did, and puts back once what it should not have taken. */
async function repair(
  context: SyncContext,
  before: Message,
  after: Message,
  body: readonly Reaction[],
  wish: ReactionWish,
): Promise<Message> {
  const effect = effectOf(before.reactions, after.reactions, wish);
  const rule = ruleSeen(before.reactions, body, effect, wish);
  if (rule !== null) remember(context, 'reactionRule', rule, source);
  const lost = [...effect.lost, ...effect.lostOwn];
  if (lost.length === 0) return after;
  const back = rule === 'toggle' ? lost : wished(before.reactions, wish);
  await put(context, before.id, { reactions: back });
  return (await retrieve(context, before.id)) ?? after;
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
