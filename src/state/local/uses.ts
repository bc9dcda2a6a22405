/** Remembers which commands, conversations and reactions were chosen often and lately, so that these are offered first. */
import type { Millis } from '../../protocol/types.ts';
import { memoBy, memoLast } from '../collections/memo.ts';
import type { AppState, Local } from '../model/app-state.ts';
import type { Use } from '../model/local-records.ts';
import { patchLocal } from './records.ts';

type Uses = ReadonlyMap<string, Use>;

const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
/** The most entries that are kept; the least used ones are forgotten. */
const mostKept = 50;

/** The weight at another time. The order of two uses is the same at any time. */
const weightAt = ({ weight, at }: Use, now: Millis): number => weight * 2 ** ((at - now) / halfLifeMs);

/** @param kind the record that has the id */
export const noteUse =
  (kind: keyof Pick<Local, 'commandUses' | 'conversationUses' | 'reactionUses'>, id: string, now: Millis) =>
  (state: AppState): AppState =>
    patchLocal(state, { [kind]: withUse(state.local[kind], id, now) });

function withUse(before: Uses, id: string, now: Millis): Uses {
  const held = before.get(id);
  // A clock that was set back must not make the weight grow.
  const at = Math.max(now, held?.at ?? now);
  const weight = 1 + (held === undefined ? 0 : weightAt(held, at));
  const others = inOrder(before).filter(([other]) => other !== id);
  return new Map([...others.slice(0, mostKept - 1), [id, { weight, at }]]);
}

/** The ids, the most and latest used first. */
const idsInOrder = (uses: Uses): readonly string[] => inOrder(uses).map(([id]) => id);

export const usedCommands = memoLast(idsInOrder);
export const usedReactions = memoLast(idsInOrder);
const usedConversations = memoLast(idsInOrder);

/** The ranks of the conversations, from 1: the one that was used most and latest has the highest. */
export const conversationRanks = memoBy(
  ({ local }: AppState) => [local.conversationUses],
  ({ local }): ReadonlyMap<string, number> =>
    new Map([...usedConversations(local.conversationUses)].reverse().map((id, place) => [id, place + 1])),
);

function inOrder(uses: Uses): readonly (readonly [string, Use])[] {
  const now = Math.max(0, ...[...uses.values()].map(({ at }) => at));
  return [...uses].sort(([, a], [, b]) => weightAt(b, now) - weightAt(a, now));
}
