/** Compares the reactions of one message: whose they are, and what changed between two reads. Pure. */
import { areTold, countOf } from '../../../protocol/reactions.ts';
import type { Reaction } from '../../../protocol/types.ts';

export interface OwnReaction {
  readonly name: string;
  /** The strings that stand for the user; the first one is sent. */
  readonly mine: readonly string[];
}

export interface ReactionWish extends OwnReaction {
  /** Whether the user's reaction is to be there afterwards. */
  readonly present: boolean;
}

export const hasMine = (reactions: readonly Reaction[], { name, mine }: OwnReaction): boolean =>
  reactions.some((reaction) => reaction.name === name && reaction.by.some((by) => mine.includes(by)));

/** The largest number that the message may have of the name; a reaction whose name cannot be read counts as well. */
export const countNamed = (reactions: readonly Reaction[], wanted: string): number =>
  reactions.reduce((sum, reaction) => sum + ([wanted, ''].includes(reaction.name) ? countOf(reaction) : 0), 0);

/** The user's reaction came or went as wished; where the server names nobody, the number of that name tells. */
export function isAchieved(before: readonly Reaction[], now: readonly Reaction[], wish: ReactionWish): boolean {
  if (areTold(now) || hasMine(now, wish)) return hasMine(now, wish) === wish.present;
  const more = countNamed(now, wish.name) - countNamed(before, wish.name);
  return wish.present ? more > 0 : more < 0;
}

/** The number of other people's reactions; one that the server only counts is taken for theirs. */
export const countOthers = (reactions: readonly Reaction[], mine: readonly string[]): number =>
  reactions.reduce((sum, reaction) => sum + countOf(reaction) - only(reaction, (by) => mine.includes(by)).by.length, 0);

/** The reaction with those of its people for whom `keep` is true. */
export const only = (reaction: Reaction, keep: (by: string) => boolean): Reaction => ({
  name: reaction.name,
  by: reaction.by.filter(keep),
});

export const ownOf = (reactions: readonly Reaction[], mine: readonly string[]): readonly Reaction[] =>
  reactions.map((reaction) => only(reaction, (by) => mine.includes(by))).filter((reaction) => reaction.by.length > 0);

/**
 * Names that stand in the user's name after a change although only other people's strings were sent under them: this
 * server takes every string that it is sent for the caller's.
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

/** A string is listed more often than before: the server has appended what was sent to what was there. */
export const isDoubled = (before: readonly Reaction[], after: readonly Reaction[]): boolean =>
  after.some(({ name, repeats = 0 }) => repeats > (before.find((held) => held.name === name)?.repeats ?? 0));
