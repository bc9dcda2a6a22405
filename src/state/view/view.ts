/** What has the keyboard, what is open and how large the screen is. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import type { AppState, Focus, Size, View } from '../model/app-state.ts';
import type { Transition } from '../store.ts';

const focusOrder: readonly Focus[] = ['list', 'messages', 'composer'];

/** The same state when every field of the patch is already so. */
export function patchView(state: AppState, patch: Partial<View>): AppState {
  const keys = Object.keys(patch) as (keyof View)[];
  if (keys.every((key) => Object.is(state.view[key], patch[key]))) return state;
  return { ...state, view: { ...state.view, ...patch } };
}

export const setSize =
  (size: Size): Transition =>
  (state) => {
    const { columns, rows } = state.view.size;
    return columns === size.columns && rows === size.rows ? state : patchView(state, { size });
  };

/** Without an open conversation only the list can have the focus. Leaving the list lets its order live again. */
export const setFocus =
  (wanted: Focus): Transition =>
  (state) => {
    const focus = state.view.openId === null ? 'list' : wanted;
    return focus === state.view.focus ? state : patchView(state, { focus, list: thawed(state.view) });
  };

export const cycleFocus =
  (direction: -1 | 1): Transition =>
  (state) => {
    const index = focusOrder.indexOf(state.view.focus) + direction + focusOrder.length;
    return setFocus(focusOrder[index % focusOrder.length] ?? 'list')(state);
  };

/** Shows a conversation; its place, draft and the focus stay as they were. */
export const openInView =
  (id: ConversationId): Transition =>
  (state) => {
    const { openId, previousId, list, visited = [] } = state.view;
    const isSame = openId === id;
    const thaw = state.view.focus === 'list' ? list : thawed(state.view);
    return patchView(withOpened(state, id), {
      ...keyed(state.view),
      openId: id,
      previousId: isSame ? previousId : (openId ?? previousId),
      ...(isSame || openId === null ? {} : { visited: withVisited(visited, openId) }),
      list: list.selectedId === id ? thaw : { ...thaw, selectedId: id },
    });
  };

const mostVisited = 50;

const withVisited = (visited: readonly ConversationId[], id: ConversationId): readonly ConversationId[] =>
  [id, ...visited.filter((one) => one !== id)].slice(0, mostVisited);

/** By a key, to be read. */
const keyed = ({ openedByItselfAt, isPeeking }: View): Partial<View> => ({
  ...(openedByItselfAt ? { openedByItselfAt: null } : {}),
  ...(isPeeking ? { isPeeking: false } : {}),
});

/** Follows `openInView` where no key asked for it. */
export const markOpenedByItself =
  (now: Millis): Transition =>
  (state) =>
    patchView(state, { openedByItselfAt: now });

/** The mark has done its work. */
export const trustOpened: Transition = (state) =>
  state.view.openedByItselfAt ? patchView(state, { openedByItselfAt: null }) : state;

/** Shows a conversation without reading it. */
export const peekInView =
  (id: ConversationId): Transition =>
  (state) =>
    patchView(openInView(id)(state), { isPeeking: true });

/** Nothing is open any more; the list has the focus. */
export const closeInView: Transition = (state) => {
  const { openId, visited = [] } = state.view;
  if (openId === null) return state;
  return patchView(withOpened(state, null), {
    openId: null,
    previousId: openId,
    visited: withVisited(visited, openId),
    focus: 'list',
  });
};

const withOpened = (state: AppState, opened: ConversationId | null): AppState =>
  state.local.opened === opened ? state : { ...state, local: { ...state.local, opened } };

const thawed = ({ list }: View): View['list'] =>
  list.frozenOrder === null && list.isFiltering === undefined ? list : withoutHold(list);

function withoutHold({ isFiltering: _, ...list }: View['list']): View['list'] {
  return { ...list, frozenOrder: null };
}
