/** Which commands were run by their names, so that the help and the palette list them first. */
import type { Millis } from '../../protocol/types.ts';
import { memoLast } from '../collections/memo.ts';
import type { AppState } from '../model/app-state.ts';
import type { CommandUse } from '../model/command-use.ts';
import { patchLocal } from './records.ts';

const halfLifeMs = 7 * 24 * 60 * 60 * 1000;
/** The least used ones beyond these are forgotten. */
const mostCommands = 50;

/** The weight at another time. The order of two uses is the same at any time. */
const weightAt = ({ weight, at }: CommandUse, now: Millis): number => weight * 2 ** ((at - now) / halfLifeMs);

export const noteUse =
  (id: string, now: Millis) =>
  (state: AppState): AppState => {
    const before = state.local.commandUses;
    const held = before.get(id);
    // A clock that was set back must not make the weight grow.
    const at = Math.max(now, held?.at ?? now);
    const weight = 1 + (held === undefined ? 0 : weightAt(held, at));
    const others = inOrder(before).filter(([other]) => other !== id);
    return patchLocal(state, { commandUses: new Map([...others.slice(0, mostCommands - 1), [id, { weight, at }]]) });
  };

/** The ids, the most and latest used first. */
export const usedOrder = memoLast((uses: ReadonlyMap<string, CommandUse>): readonly string[] =>
  inOrder(uses).map(([id]) => id),
);

function inOrder(uses: ReadonlyMap<string, CommandUse>): readonly (readonly [string, CommandUse])[] {
  const now = Math.max(0, ...[...uses.values()].map(({ at }) => at));
  return [...uses].sort(([, a], [, b]) => weightAt(b, now) - weightAt(a, now));
}
