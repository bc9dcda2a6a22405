/** A conversation goes by another id from now on: all that is kept of it here goes over to that one. */
import type { ConversationId } from '../protocol/types.ts';
import { removeConversation } from './cache.ts';
import { setFailure, setLoading } from './connection.ts';
import { setText } from './draft.ts';
import { withEntry, withoutEntry } from './sharded-map.ts';
import type { AppState, Draft, Local, Overlay, View } from './state.ts';
import type { Transition } from './store.ts';

/** What the outbox holds for it is the disk's affair, and has been moved before. */
export const moveConversation =
  (from: ConversationId, to: ConversationId): Transition =>
  (state) => {
    const moved: AppState = {
      ...state,
      local: { ...state.local, ...movedLocal(state.local, from, to) },
      view: { ...state.view, ...movedView(state.view, from, to) },
    };
    return removeConversation(from)(setFailure(from, null)(setLoading(from, false)(moved)));
  };

function movedLocal(local: Local, from: ConversationId, to: ConversationId): Partial<Local> {
  const { drafts, readLines, resent, opened } = local;
  const draft = joined(drafts.get(to), drafts.get(from));
  const rest = withoutEntry(drafts, from);
  const line = readLines.get(to) ?? readLines.get(from);
  const otherLines = withoutEntry(readLines, from);
  return {
    drafts: draft === undefined ? rest : withEntry(rest, to, draft),
    readLines: line === undefined ? otherLines : withEntry(otherLines, to, line),
    resent: resent.map((entry) => (entry.conversationId === from ? { ...entry, conversationId: to } : entry)),
    opened: opened === from ? to : opened,
  };
}

/** Words may have been written under either id: none of them go. */
function joined(held: Draft | undefined, moved: Draft | undefined): Draft | undefined {
  if (moved === undefined) return held;
  if (held === undefined || (held.text === '' && held.editing === null)) return moved;
  const words = lines(moved.editing?.stash, moved.text);
  if (words === '') return held;
  if (held.editing === null) return setText(held, lines(held.text, words));
  return { ...held, editing: { ...held.editing, stash: lines(held.editing.stash, words) } };
}

const lines = (...texts: readonly (string | undefined)[]): string =>
  texts.filter((text) => text !== undefined && text !== '').join('\n');

function movedView(view: View, from: ConversationId, to: ConversationId): Partial<View> {
  const now = <T extends ConversationId | null>(id: T): T | ConversationId => (id === from ? to : id);
  const inOrder = (ids: readonly ConversationId[]): readonly ConversationId[] =>
    ids.includes(from) ? [...new Set(ids.map(now))] : ids;
  const { openId, previousId, visited, undoable, places, overlays, list } = view;
  const place = openId === from ? places.get(from) : (places.get(to) ?? places.get(from));
  const otherPlaces = withoutEntry(places, from);
  return {
    openId: now(openId),
    previousId: now(previousId),
    ...(visited === undefined ? {} : { visited: inOrder(visited) }),
    // What sets a change back names the id as well.
    ...(undoable?.conversationId === from ? { undoable: null } : {}),
    places: place === undefined ? otherPlaces : withEntry(otherPlaces, to, place),
    overlays: overlays.map((overlay) => movedOverlay(overlay, from, to)),
    list: {
      ...list,
      selectedId: now(list.selectedId),
      topId: now(list.topId),
      frozenOrder: list.frozenOrder === null ? null : inOrder(list.frozenOrder),
    },
  };
}

function movedOverlay(overlay: Overlay, from: ConversationId, to: ConversationId): Overlay {
  if (overlay.kind === 'find') {
    const now = (id: ConversationId | null): ConversationId | null => (id === from ? to : id);
    return { ...overlay, conversationId: now(overlay.conversationId), here: now(overlay.here) };
  }
  const isAbout = (overlay.kind === 'confirm' || overlay.kind === 'react') && overlay.conversationId === from;
  return isAbout ? { ...overlay, conversationId: to } : overlay;
}
