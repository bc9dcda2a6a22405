/** Where an id stands in an order: found where it stood before, or beside it, in nearly every case. */
import type { ConversationId } from '../../protocol/types.ts';
import { RecentMap } from './memo.ts';

type Ids = readonly ConversationId[];

const places = new RecentMap<ConversationId, number>(64);
/** Of the order asked about last: what is not in it. */
let missing: { readonly order: Ids; readonly ids: Set<ConversationId> } | null = null;

/** As `order.indexOf(id)`, which in a long list is a thousand times a key's own work. */
export function placeIn(order: Ids, id: ConversationId): number {
  if (missing?.order === order && missing.ids.has(id)) return -1;
  const held = places.get(id);
  const at = held !== undefined && order[held] === id ? held : order.indexOf(id);
  if (at === -1) {
    if (missing?.order !== order) missing = { order, ids: new Set() };
    missing.ids.add(id);
  } else if (at !== held) places.set(id, at);
  return at;
}

/** What stands before and after it is about to be asked for. */
export function noteNeighbouringIndexes(order: Ids, at: number): void {
  for (const next of [at - 1, at + 1]) {
    const id = order[next];
    if (id !== undefined) places.set(id, next);
  }
}
