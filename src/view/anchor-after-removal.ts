/** Keeps the scroll position when its message is removed, by moving it to the next message that is still there. */
import type { ConversationId } from '../protocol/types.ts';
import type { ScrollPlace } from '../state/model/app-state.ts';

type Items = readonly { readonly id: string }[];

interface Held {
  readonly conversationId: ConversationId;
  readonly messageId: string;
  readonly items: Items;
}

/** Remembers the list in which the anchor was last seen. */
export function createAnchorKeeper(): (id: ConversationId, items: Items, place: ScrollPlace) => ScrollPlace {
  let held: Held | null = null;
  return (conversationId, items, place) => {
    if (place.at === 'bottom') return place;
    const { messageId } = place;
    if (items.some((item) => item.id === messageId)) {
      if (held?.items !== items || held.messageId !== messageId) held = { conversationId, messageId, items };
      return place;
    }
    if (held === null || held.conversationId !== conversationId || held.messageId !== messageId) return place;
    return successor(held, items) ?? { at: 'bottom' };
  };
}

function successor({ items: before, messageId }: Held, items: Items): ScrollPlace | null {
  const present = new Set(items.map((item) => item.id));
  const at = before.findIndex((item) => item.id === messageId);
  const next = before.slice(at + 1).find((item) => present.has(item.id));
  return next === undefined ? null : { at: 'message', messageId: next.id, line: 0 };
}
