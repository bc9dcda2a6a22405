/** What to send so that the own reaction comes or goes and nobody else's does (R-REACT); pure. */

import { areTold, countOf } from '../../../protocol/reactions.ts';
import type { ReactionRule } from '../../../protocol/server-policy.ts';
import type { Reaction } from '../../../protocol/types.ts';

export interface ReactionWish {
  readonly name: string;
  readonly present: boolean;
  /** The strings that stand for the user; the first one is sent. */
  readonly mine: readonly string[];
}

export const hasMine = (reactions: readonly Reaction[], { name, mine }: Omit<ReactionWish, 'present'>): boolean =>
  reactions.some((reaction) => reaction.name === name && reaction.by.some((by) => mine.includes(by)));

/** How many there may be of the name, whosever: one that cannot be read counts. */
export const countNamed = (reactions: readonly Reaction[], wanted: string): number =>
  reactions.reduce((sum, reaction) => sum + ([wanted, ''].includes(reaction.name) ? countOf(reaction) : 0), 0);

/** The own reaction has come or gone; where nobody is named, their number tells. */
export function isAchieved(before: readonly Reaction[], now: readonly Reaction[], wish: ReactionWish): boolean {
  if (areTold(now) || hasMine(now, wish)) return hasMine(now, wish) === wish.present;
  const more = countNamed(now, wish.name) - countNamed(before, wish.name);
  return wish.present ? more > 0 : more < 0;
}

/** How many reactions on the message are other people's; whose is not told counts as theirs. */
export const countOthers = (reactions: readonly Reaction[], mine: readonly string[]): number =>
  reactions.reduce((sum, reaction) => sum + countOf(reaction) - only(reaction, (by) => mine.includes(by)).by.length, 0);

/** All present with the own one added or taken out. */
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

const only = (reaction: Reaction, keep: (by: string) => boolean): Reaction => ({
  name: reaction.name,
  by: reaction.by.filter(keep),
});

export const ownOf = (reactions: readonly Reaction[], mine: readonly string[]): readonly Reaction[] =>
  reactions.map((reaction) => only(reaction, (by) => mine.includes(by))).filter((reaction) => reaction.by.length > 0);

/**
 * The bodies to try, best first; after each one the answer decides whether the next is needed. A rule that is unknown
 * is tried with what is right under `replace`, as only that one could take from others what was not sent.
 */
export function requestBodies(
  present: readonly Reaction[],
  wish: ReactionWish,
  rule: ReactionRule | undefined,
  ownOnly: boolean,
): readonly (readonly Reaction[])[] {
  const own = (wish.present ? undefined : listedOwn(present, wish)) ?? wish.mine[0];
  if (own === undefined) return [];
  const mineAlone = [{ name: wish.name, by: [own] }];
  const wanted = target(present, wish);
  const others = countOthers(present, wish.mine);
  if (wish.present) {
    if (rule === 'replace') return [ownOnly ? ownOf(wanted, wish.mine) : wanted];
    if (rule !== undefined || others === 0 || ownOnly) return [mineAlone];
    return [wanted, mineAlone];
  }
  const rest = ownOnly ? ownOf(wanted, wish.mine) : wanted;
  // Of no document: a server may take the empty string for one more string, so that it comes after all else.
  const clearing = [{ name: wish.name, by: [] }];
  if (rule === 'replace') return [rest];
  if (rule === 'toggle') return [mineAlone];
  // `reactions=` clears the caller's own on a server that adds, so it is right only when nothing else is the user's.
  const mayClearAll = ownOf(present, wish.mine).length <= 1;
  // Where sending one's own again adds nothing, it may take it back: only oneself has anything to lose by it.
  const again = rule === 'append' ? [] : [mineAlone];
  if (rule !== undefined || ownOnly) return [...(mayClearAll && others === 0 ? [[]] : []), ...again, clearing];
  return [rest, mineAlone, clearing];
}

/** The string under which the server has the own reaction. */
const listedOwn = (present: readonly Reaction[], { name, mine }: ReactionWish): string | undefined =>
  present
    .find((reaction) => reaction.name === name && reaction.by.some((by) => mine.includes(by)))
    ?.by.find((by) => mine.includes(by));

export const namesNobody = (body: readonly Reaction[]): boolean => body.some(({ by }) => by.length === 0);

/**
 * Names that stand in the user's name now although only others were sent under them: this server takes every string that
 * it is sent for the caller's.
 */
export function misattributed(
  before: readonly Reaction[],
  now: readonly Reaction[],
  sent: readonly Reaction[],
  mine: readonly string[],
): readonly string[] {
  const isOwnIn = (list: readonly Reaction[], name: string): boolean => hasMine(list, { name, mine });
  const names = sent
    .filter(({ name, by }) => by.length > 0 && !isOwnIn(sent, name) && !isOwnIn(before, name) && isOwnIn(now, name))
    .map(({ name }) => name);
  return [...new Set(names)];
}

/** Own and others' strings that are there now and were not, or the other way round. */
export interface Effect {
  readonly isDone: boolean;
  /** What others lost, by name. */
  readonly lost: readonly Reaction[];
  readonly isDoubled: boolean;
  /** The user's other reactions, that were to stay, are gone. */
  readonly lostOwn: readonly Reaction[];
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

/** Strings are listed once more than they were: what was sent has been put behind what was there. */
export const isDoubled = (before: readonly Reaction[], after: readonly Reaction[]): boolean =>
  after.some(({ name, repeats = 0 }) => repeats > (before.find((held) => held.name === name)?.repeats ?? 0));
