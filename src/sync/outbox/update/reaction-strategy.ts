/**
 * Which reactions to send so that the user's own comes or goes and nobody else's does, one strategy for each rule that
 * servers apply to the reactions of a PUT (R-REACT), and which rule an answer shows. Pure.
 */
import type { ReactionPolicy, ReactionRule } from '../../../protocol/server-policy.ts';
import type { Reaction } from '../../../protocol/types.ts';
import { countOthers, hasMine, isDoubled, only, ownOf, type ReactionWish } from '../safe-put/reaction-lists.ts';

export type StrategyPolicy = Pick<ReactionPolicy, 'rule' | 'sendsOwnOnly' | 'mayTakeBackByEmptyValue'>;

type Body = readonly Reaction[];

/** All reactions of the message with the user's added or taken out. */
export function target(reactions: readonly Reaction[], wish: ReactionWish): readonly Reaction[] {
  const without = reactions
    .map((reaction) => (reaction.name === wish.name ? only(reaction, (by) => !wish.mine.includes(by)) : reaction))
    .filter((reaction) => reaction.by.length > 0);
  if (!wish.present) return without;
  const own = wish.mine[0];
  if (own === undefined || hasMine(reactions, wish)) return reactions;
  const held = reactions.find((reaction) => reaction.name === wish.name);
  if (held === undefined) return [...reactions, { name: wish.name, by: [own] }];
  return reactions.map((reaction) => (reaction === held ? { name: held.name, by: [...held.by, own] } : reaction));
}

/** The bodies that a strategy chooses from. Those that may not be sent on this message are absent from their list. */
interface Bodies {
  /** All that is to be on the message; only the user's part of it where other people's may not be sent. */
  readonly whole: Body;
  /** The user's string under the name, and nothing else. */
  readonly own: Body;
  /** No reaction at all, which takes back all of the caller's: only where the user has one and others have none. */
  readonly nothing: readonly Body[];
  /** The name with an empty value. A server may keep that as one more reaction, so it is sent after all else. */
  readonly emptyName: readonly Body[];
  /** Other people have reactions on the message, and they may be sent. */
  readonly includesOthers: boolean;
}

interface Strategy {
  readonly add: (bodies: Bodies) => readonly Body[];
  readonly remove: (bodies: Bodies) => readonly Body[];
}

const strategies: Readonly<Record<ReactionRule, Strategy>> = {
  // What is sent takes the place of what was there.
  replace: { add: ({ whole }) => [whole], remove: ({ whole }) => [whole] },
  // What is sent is added once. Sending one's own again may take it back; nobody else has anything to lose by that.
  add: {
    add: ({ own }) => [own],
    remove: ({ nothing, own, emptyName }) => [...nothing, own, ...emptyName],
  },
  // What is sent is added even where it is there already, so that sending one's own again is no way to take it back.
  append: { add: ({ own }) => [own], remove: ({ nothing, emptyName }) => [...nothing, ...emptyName] },
  // What is sent and there already goes.
  toggle: { add: ({ own }) => [own], remove: ({ own }) => [own] },
};

/** The body that is right under `replace` comes first, because only that rule takes away what is not sent. */
const unknownRule: Strategy = {
  add: ({ whole, own, includesOthers }) => (includesOthers ? [whole, own] : [own]),
  remove: ({ whole, own, emptyName }) => [whole, own, ...emptyName],
};

/**
 * The bodies to try, best first; the answer to each one decides whether the next is needed. Empty when the user has no
 * string to react with, and where no way to take a reaction back is left on this server.
 */
export function requestBodies(
  present: readonly Reaction[],
  wish: ReactionWish,
  policy: StrategyPolicy,
): readonly (readonly Reaction[])[] {
  const { name, mine } = wish;
  const own = (wish.present ? undefined : listedOwn(present, wish)) ?? mine[0];
  if (own === undefined) return [];
  const wanted = target(present, wish);
  const others = countOthers(present, mine);
  const strategy = policy.rule === undefined ? strategyWhileUnknown(policy) : strategies[policy.rule];
  return strategy[wish.present ? 'add' : 'remove']({
    whole: policy.sendsOwnOnly ? ownOf(wanted, mine) : wanted,
    own: [{ name, by: [own] }],
    nothing: ownOf(present, mine).length <= 1 && others === 0 ? [[]] : [],
    emptyName: policy.mayTakeBackByEmptyValue ? [[{ name, by: [] }]] : [],
    includesOthers: others > 0 && !policy.sendsOwnOnly,
  });
}

/** Where other people's may not be sent, they cannot be replaced either. */
const strategyWhileUnknown = ({ sendsOwnOnly }: StrategyPolicy): Strategy =>
  sendsOwnOnly ? strategies.add : unknownRule;

/** The string under which the server lists the user's reaction. */
const listedOwn = (present: readonly Reaction[], { name, mine }: ReactionWish): string | undefined =>
  present
    .find((reaction) => reaction.name === name && reaction.by.some((by) => mine.includes(by)))
    ?.by.find((by) => mine.includes(by));

export const namesNobody = (body: readonly Reaction[]): boolean => body.some(({ by }) => by.length === 0);

/** What one change did to the reactions of a message. */
export interface Effect {
  readonly isDone: boolean;
  /** Other people's reactions that are gone. */
  readonly lost: readonly Reaction[];
  /** The user's reactions that are gone although they were to stay. */
  readonly lostOwn: readonly Reaction[];
  readonly isDoubled: boolean;
}

export function effectOf(before: readonly Reaction[], after: readonly Reaction[], wish: ReactionWish): Effect {
  const isThere = (name: string, by: string): boolean =>
    after.some((reaction) => reaction.name === name && reaction.by.includes(by));
  const missing = before
    .map((reaction) => only(reaction, (by) => !isThere(reaction.name, by)))
    .filter((reaction) => reaction.by.length > 0);
  const isMine = (by: string): boolean => wish.mine.includes(by);
  const lost = missing.map((reaction) => only(reaction, (by) => !isMine(by)));
  const lostOwn = missing
    .filter((reaction) => reaction.name !== wish.name || wish.present)
    .map((reaction) => only(reaction, isMine));
  return {
    isDone: hasMine(after, wish) === wish.present,
    lost: lost.filter((reaction) => reaction.by.length > 0),
    lostOwn: lostOwn.filter((reaction) => reaction.by.length > 0),
    isDoubled: isDoubled(before, after),
  };
}

/** The rule that one exchange shows; null when the exchange would have looked the same under several rules. */
export function observedRule(
  before: readonly Reaction[],
  body: readonly Reaction[],
  effect: Effect,
  wish: ReactionWish,
): ReactionRule | null {
  const wasSent = ({ name, by }: { readonly name: string; readonly by: string }): boolean =>
    body.some((reaction) => reaction.name === name && reaction.by.includes(by));
  const stringsIn = (list: readonly Reaction[]) => list.flatMap(({ name, by }) => by.map((one) => ({ name, by: one })));
  const strings = stringsIn(before);
  const lost = stringsIn([...effect.lost, ...effect.lostOwn]);
  if (effect.isDoubled) return 'append';
  if (lost.some(wasSent)) return 'toggle';
  if (lost.length > 0) return 'replace';
  if (wish.present) return strings.some((one) => !wasSent(one)) && effect.isDone ? 'add' : null;
  const isOwnSent = body.some(({ name, by }) => name === wish.name && by.some((one) => wish.mine.includes(one)));
  if (isOwnSent) return effect.isDone ? 'toggle' : null;
  const isClearing = body.some(({ name, by }) => name === wish.name && by.length === 0);
  if (isClearing) return effect.isDone && strings.length > 1 ? 'add' : null;
  if (body.length === 0) return null;
  return effect.isDone ? 'replace' : 'add';
}
