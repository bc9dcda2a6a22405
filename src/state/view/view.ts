/** Transitions of the focus, the open conversation, the size of the screen, the settings, and of vim's return to insert mode. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { isPatched } from '../collections/equal.ts';
import { nothingPending } from '../composer/vim/pending.ts';
import type { AppState, Focus, ScreenState, Size, View } from '../model/app-state.ts';
import { noticeNames } from '../model/screen-state.ts';
import type { Settings } from '../model/settings.ts';
import type { Transition } from '../store.ts';

/**
 * Puts the composer into insert mode, as if its text were typed without a command from now on. With other keys than those
 * of vim it is never in another mode.
 */
export function withInsertMode(state: AppState): AppState {
  const { vim = null } = state.view;
  if (vim === null || (vim.mode === 'insert' && vim.insertion === null)) return state;
  return patchView(state, { vim: { ...vim, mode: 'insert', pending: nothingPending, insertion: null } });
}

/** The state with other settings. A command of vim that is not complete does not outlive a change of the key profile. */
export function withSettings(state: AppState, changed: Partial<Settings>): AppState {
  const settings = { ...state.settings, ...changed };
  const isOtherProfile = settings.keys.profile !== state.settings.keys.profile;
  return { ...(isOtherProfile ? withInsertMode(state) : state), settings };
}

const focusOrder: readonly Focus[] = ['list', 'messages', 'composer'];

/** The state with the patch; the same state when every field of the patch has its value already. */
export const patchView = (state: AppState, patch: Partial<View>): AppState =>
  isPatched(state.view, patch) ? state : { ...state, view: { ...state.view, ...patch } };

/** The state with the patch; the same state when every field of the patch has its value already. */
export const patchScreen = (state: AppState, patch: Partial<ScreenState>): AppState =>
  isPatched(state.screen, patch) ? state : { ...state, screen: { ...state.screen, ...patch } };

/** Also ends a selection of the mouse, whose columns are those of rows that are broken at other places now. */
export const setSize =
  (size: Size): Transition =>
  (state) => {
    const { columns, rows } = state.screen.size;
    if (columns === size.columns && rows === size.rows) return state;
    return patchScreen(state.view.textSelection ? patchView(state, { textSelection: null }) : state, { size });
  };

/** Without an open conversation only the list can have the focus. Leaving the list ends the freezing of its order. */
export const setFocus =
  (wanted: Focus): Transition =>
  (state) => {
    const focus = state.view.openId === null ? 'list' : reachable(state, wanted);
    if (focus === state.screen.focus) return state;
    const list = unfrozen(state.view);
    // Keys act on the selection, so the list shows it again when they come to it.
    const isHidden = focus === 'list' && list.isScrolled === true;
    // A user who comes back to the composer wants to write.
    const next = patchView(withInsertMode(state), { list: isHidden ? { ...list, isScrolled: false } : list });
    return patchScreen(next, { focus });
  };

/** Nothing is written in an archive, so its composer has no focus. */
const reachable = ({ view }: AppState, focus: Focus): Focus =>
  view.isArchive === true && focus === 'composer' ? 'messages' : focus;

export const cycleFocus =
  (direction: -1 | 1): Transition =>
  (state) => {
    const order = focusOrder.filter((focus) => reachable(state, focus) === focus);
    const index = order.indexOf(state.screen.focus) + direction + order.length;
    return setFocus(order[index % order.length] ?? 'list')(state);
  };

/** Shows a conversation; its place, draft and the focus stay as they were. */
export const openInView =
  (id: ConversationId): Transition =>
  (state) => {
    const { openId, previousId, list, visited = [], triage = null } = state.view;
    const isSame = openId === id;
    const thaw = state.screen.focus === 'list' ? list : unfrozen(state.view);
    return patchView(withoutNoticesOfOpen(withOpened(state, id), isSame), {
      ...openedByKey(state.view),
      openId: id,
      previousId: isSame ? previousId : (openId ?? previousId),
      ...(isSame || openId === null ? {} : { visited: withVisited(visited, openId) }),
      ...(isSame || triage === null ? {} : { triage: null }),
      list: list.selectedId === id ? thaw : { ...thaw, selectedId: id, ...(thaw.isScrolled && { isScrolled: false }) },
    });
  };

const endedByAnother = [noticeNames.peek, noticeNames.held, noticeNames.triage];

/**
 * The notice about a peek ends when a conversation is opened. When another one is, those end too that are about a message
 * that Esc takes back, which it does not do there, and about where the user has come in going through the unread ones.
 */
function withoutNoticesOfOpen(state: AppState, isSame: boolean): AppState {
  const ended: readonly string[] = isSame ? [noticeNames.peek] : endedByAnother;
  const notices = state.screen.notices.filter(({ about }) => !ended.includes(about));
  return notices.length === state.screen.notices.length ? state : patchScreen(state, { notices });
}

const mostVisited = 50;

const withVisited = (visited: readonly ConversationId[], id: ConversationId): readonly ConversationId[] =>
  [id, ...visited.filter((one) => one !== id)].slice(0, mostVisited);

/** Clears the marks of a conversation that was opened without a key, or only to peek. */
const openedByKey = ({ changedByItselfAt, isPeeking }: View): Partial<View> => ({
  ...(changedByItselfAt ? { changedByItselfAt: null } : {}),
  ...(isPeeking ? { isPeeking: false } : {}),
});

/** To be applied after the program, and no key, has opened a conversation or given the keys to the composer. */
export const markChangedByItself =
  (now: Millis): Transition =>
  (state) =>
    patchView(state, { changedByItselfAt: now });

/** Removes the mark, once a key has shown that the user knows what it acts on. */
export const clearChangedByItself: Transition = (state) =>
  state.view.changedByItselfAt ? patchView(state, { changedByItselfAt: null }) : state;

/** Shows a conversation without marking it as read. */
export const peekInView =
  (id: ConversationId): Transition =>
  (state) =>
    patchView(openInView(id)(state), { isPeeking: true });

/** Closes the open conversation; the list gets the focus. */
export const closeInView: Transition = (state) => {
  const { openId, visited = [] } = state.view;
  if (openId === null) return state;
  const patch = { openId: null, previousId: openId, visited: withVisited(visited, openId) };
  return patchScreen(patchView(withoutNoticesOfOpen(withOpened(state, null), false), patch), { focus: 'list' });
};

const withOpened = (state: AppState, opened: ConversationId | null): AppState =>
  state.local.opened === opened ? state : { ...state, local: { ...state.local, opened } };

const unfrozen = ({ list }: View): View['list'] =>
  list.frozenOrder === null && list.isFiltering === undefined ? list : withoutFrozenOrder(list);

function withoutFrozenOrder({ isFiltering: _, ...list }: View['list']): View['list'] {
  return { ...list, frozenOrder: null };
}
