/** The menus by their ids, and taking a row of the one that is open. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, ListView } from '../state/model/app-state.ts';
import { showListView } from '../state/search/list-search.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectSelectedItem } from '../state/select/selectors.ts';
import type { Transition } from '../state/store.ts';
import { popOverlay, replaceOverlay, topOverlay } from '../state/view/overlays.ts';
import { accountsMenu } from './accounts.ts';
import { attachmentsMenu } from './attach.ts';
import type { CommandContext } from './context.ts';
import { askWhichLink, copyCommands } from './copy.ts';
import { copyMenu } from './copy-menu.ts';
import { forwardCommands } from './forward.ts';
import { listCommands } from './list.ts';
import { markCommands } from './marks.ts';
import { type Menu, type MenuOverlay, type MenuRow, menuRowOf } from './menu.ts';
import { messageActions, showActions } from './messages.ts';
import { muteMenu } from './mute.ts';
import { notify } from './notify.ts';
import { pictureHostsMenu, pictureMenu } from './pictures.ts';
import { saveCommand } from './save-messages.ts';
import { saveSnippetCommand } from './save-snippet.ts';
import { selectedConversation, selectedConversationId, somethingElse } from './selection.ts';
import { detailsCommand } from './sheets.ts';

const inMenu = new Set('open peek pin mute archive read name delete'.split(' '));
const conversationActions = listCommands.filter(
  ({ id }) => /^(list|conversation)\./.test(id) && inMenu.has(id.replace(/^\w+\./, '')),
);

const listViews = [
  ['all', 'All but archived ones'],
  ['unread', 'Unread'],
  ['pinned', 'Pinned'],
  ['muted', 'Muted'],
  ['archived', 'Archived'],
] as const;

const viewRow = (view: ListView, label: string, key: string, isNow: boolean): MenuRow => ({
  id: `view ${label}`,
  label: isNow ? `${label} (now)` : label,
  key,
  reason: null,
  run: (context) => context.update(showListView(view)),
});

/** The view of the group of the selected conversation; none where it is with a person. */
function groupRows(state: AppState): readonly MenuRow[] {
  const conversation = selectedConversation(state);
  const { view } = state.view.list;
  const groupId = conversation?.groupId ?? null;
  if (conversation === null || groupId === null) return [];
  const isNow = typeof view === 'object' && view.groupId === groupId;
  return [viewRow({ groupId }, `Only ${selectConversationName(state, conversation.id)}`, '6', isNow)];
}

const messageForward = forwardCommands.filter(({ id }) => id === 'message.forward');

const menus: Readonly<Record<string, Menu>> = {
  message: {
    title: () => 'Message',
    rows: (state) => {
      const below = popOverlay(state);
      const own = [...messageActions, ...copyCommands, ...messageForward, ...showActions, ...markCommands];
      return [...own, saveCommand, detailsCommand, saveSnippetCommand].map((command) => menuRowOf(command, below));
    },
  },
  accounts: accountsMenu,
  attachments: attachmentsMenu,
  mute: muteMenu,
  pictures: pictureMenu(askWhichLink),
  pictureHosts: pictureHostsMenu,
  copy: copyMenu,
  conversation: {
    title: (state, { conversationId }) => selectConversationName(state, conversationId),
    rows: (state) => conversationActions.map((command) => menuRowOf(command, popOverlay(state))),
  },
  views: {
    title: () => 'Show',
    rows: (state) => [
      ...listViews.map(([view, label], i) => viewRow(view, label, `${i + 1}`, state.view.list.view === view)),
      ...groupRows(popOverlay(state)),
    ],
  },
};

const none: readonly MenuRow[] = [];

const rowsOf = memoLast((state: AppState): readonly MenuRow[] => {
  const top = topOverlay(state);
  const rows = top?.kind === 'menu' ? (menus[top.id]?.rows(state, top) ?? none) : none;
  return [...rows.filter(({ reason }) => reason === null), ...rows.filter(({ reason }) => reason !== null)];
});

/** The rows of the menu on top, those that can be taken first; none where another overlay is. */
export const selectMenuRows = (state: AppState): readonly MenuRow[] =>
  topOverlay(state)?.kind === 'menu' ? rowsOf(state) : none;

export const menuTitle = (state: AppState, overlay: MenuOverlay): string =>
  menus[overlay.id]?.title(state, overlay) ?? '';

/** Menus that act on the selected message; the rows of `copy` are about the message that it was opened for. */
const aboutMessage = new Set(['message', 'pictures']);

/**
 * Whether the rows would act on something else than the menu was opened for: a jump has arrived at another message since,
 * or the program has opened another conversation.
 */
function isElsewhere(state: AppState): boolean {
  const top = topOverlay(state);
  if (top?.kind !== 'menu') return false;
  const below = popOverlay(state);
  if (top.id === 'conversation') return selectedConversationId(below) !== top.conversationId;
  if (top.id === 'copy') return below.view.openId !== top.conversationId;
  if (!aboutMessage.has(top.id)) return false;
  return below.view.openId !== top.conversationId || selectSelectedItem(below)?.id !== top.itemId;
}

/** Closes the menu and runs the row; a notice says why where the row cannot run. */
function take(context: CommandContext, row: MenuRow | undefined): void {
  if (row === undefined) return;
  if (isElsewhere(context.get())) {
    context.update(popOverlay);
    notify(context, somethingElse);
    return;
  }
  if (row.reason !== null) {
    notify(context, row.reason, { isRefusal: true });
    return;
  }
  context.update(popOverlay);
  row.run(context);
}

/** The place of the selected row now: rows change their order when one of them can be taken no more, or again. */
export function selectedMenuRow(state: AppState, { row, selected }: MenuOverlay): number {
  const at = row === undefined ? -1 : selectMenuRows(state).findIndex(({ id }) => id === row);
  return at < 0 ? selected : at;
}

/** Moves the selection as `move` does, from the row that is selected, and keeps which row it is then. */
export function moveInMenu(move: Transition): Transition {
  return (state) => {
    const top = topOverlay(state);
    if (top?.kind !== 'menu') return move(state);
    const moved = move(replaceOverlay({ ...top, selected: selectedMenuRow(state, top) })(state));
    const now = topOverlay(moved);
    if (now?.kind !== 'menu') return moved;
    const row = selectMenuRows(moved)[now.selected]?.id;
    return row === undefined ? moved : replaceOverlay({ ...now, row })(moved);
  };
}

export const menuBehaviour = {
  rowIds: (state: AppState): readonly string[] => selectMenuRows(state).map(({ id }) => id),
  accept(context: CommandContext, overlay: MenuOverlay): void {
    const state = context.get();
    take(context, selectMenuRows(state)[selectedMenuRow(state, overlay)]);
  },
};

/** The row of the open menu that a character takes. */
export function menuRowAt(state: AppState, key: string): MenuRow | null {
  const rows = selectMenuRows(state);
  return rows.find((row) => row.key === key) ?? rows.find((row) => row.otherKey === key) ?? null;
}

/** Takes the row with this key. False where no menu is open or no row has it. */
export function takeMenuKey(context: CommandContext, key: string): boolean {
  const row = key === '' ? undefined : (menuRowAt(context.get(), key) ?? undefined);
  if (row === undefined) return false;
  take(context, row);
  return true;
}
