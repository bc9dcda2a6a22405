/** The index of an id in a long order, remembered between calls: in nearly every case it is where it was before. */
import type { ConversationId } from '../../protocol/types.ts';
import { RecentMap } from './memo.ts';

type Ids = readonly ConversationId[];

const indexes = new RecentMap<ConversationId, number>(64);
/** The ids known not to be in the order that was asked about last. */
let missing: { readonly order: Ids; readonly ids: Set<ConversationId> } | null = null;

/** Returns `order.indexOf(id)`, without searching a long order from its start at every key press. */
export function indexIn(order: Ids, id: ConversationId): number {
  if (missing?.order === order && missing.ids.has(id)) return -1;
  const held = indexes.get(id);
  const at = held !== undefined && order[held] === id ? held : order.indexOf(id);
  if (at === -1) {
    if (missing?.order !== order) missing = { order, ids: new Set() };
    missing.ids.add(id);
  } else if (at !== held) indexes.set(id, at);
  return at;
}

/** Remembers the neighbours of an index, which are about to be asked for. */
export function noteNeighbouringIndexes(order: Ids, at: number): void {
  for (const next of [at - 1, at + 1]) {
    const id = order[next];
    if (id !== undefined) indexes.set(id, next);
  }
}
