/** Commands of the conversation list. */
import type { Conversation } from '../protocol/types.ts';
import { partnerOf, setName, textAbout } from '../state/local/own-names.ts';
import { markRead } from '../state/local/read-lines.ts';
import type { AppState, OpAction } from '../state/model/app-state.ts';
import { noticeNames } from '../state/model/screen-state.ts';
import { nextListView } from '../state/search/list-search.ts';
import { twoPaneColumns } from '../state/select/pane-columns.ts';
import { selectListOrder, selectUnread } from '../state/select/selectors.ts';
import { startFilter } from '../state/view/list-place.ts';
import { pushOverlay } from '../state/view/overlays.ts';
import { setFocus } from '../state/view/view.ts';
import { type Command, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { undoAdvice, withKey } from './key-advice.ts';
import { openMenu } from './menu.ts';
import { duration, mute, unmute } from './mute.ts';
import { notify } from './notify.ts';
import { openSelected } from './open-conversation.ts';
import { freeText } from './parameters.ts';
import { ask, partnerText } from './questions.ts';
import { leaveIfGone, selectedConversation, selectedConversationId } from './selection.ts';
import { readingOf, redo, rememberUndo, undo, undoLimit } from './undo.ts';

const inList = { group: 'Conversations', where: ['list'] } as const;

function needsSelected(state: AppState): string | null {
  if (selectedConversation(state) !== null) return null;
  return selectListOrder(state).length === 0 ? 'The list is empty' : 'Select a conversation first';
}

/**
 * Changes the selected conversation, and selects its neighbour where it leaves the view.
 *
 * @param action returns the change of a conversation, and with `true` the one that takes it back
 */
function write(context: CommandContext, action: (conversation: Conversation, isBack: boolean) => OpAction): boolean {
  const before = context.get();
  const conversation = selectedConversation(before);
  if (conversation === null || !context.enqueue(action(conversation, false))) return false;
  rememberUndo(context, conversation.id, action(conversation, true), before);
  leaveIfGone(context, selectListOrder(before), conversation.id);
  return true;
}

/** Shows the conversation. The list keeps the keyboard, save where only one pane fits. */
function peek(context: CommandContext): void {
  const conversation = selectedConversation(context.get());
  if (conversation === null) return;
  context.openConversation(conversation.id, { isPeek: true });
  if (context.get().screen.size.columns < twoPaneColumns) context.update(setFocus('messages'));
  notify(context, 'Only looking: nothing is marked read', { about: noticeNames.peek });
}

function archive(context: CommandContext): void {
  const conversation = selectedConversation(context.get());
  if (conversation === null) return;
  const at = conversation.archivedAt === null ? context.now() : null;
  const isWritten = write(context, ({ id, archivedAt }, isBack) => ({
    kind: 'conversation.archive',
    conversationId: id,
    at: isBack ? archivedAt : at,
  }));
  if (isWritten) notify(context, at === null ? 'Back among all conversations' : archivedNotice(context));
}

function archivedNotice(context: CommandContext): string {
  const view = withKey(context, 'list.view', (key) => ` (${key})`);
  return `Archived; ${undoAdvice(context)}, the view “archived”${view} shows it`;
}

function toggleRead(context: CommandContext): void {
  const before = context.get();
  const id = selectedConversationId(before);
  if (id === null) return;
  const isUnread = selectUnread(before, id) > 0;
  if (isUnread) context.update(markRead(id));
  else context.markUnread(id);
  if (context.get() === before) {
    notify(context, 'Nothing here that could be unread');
    return;
  }
  rememberUndo(context, id, readingOf(before, id), before);
  leaveIfGone(context, selectListOrder(before), id);
  notify(context, `Marked ${isUnread ? 'read' : 'unread'} here; ${undoAdvice(context)}`);
}

/** Marks the conversations that the list shows as read; those that its view leaves out stay as they are. */
function markAllRead(context: CommandContext): void {
  const unread = selectListOrder(context.get()).filter((id) => selectUnread(context.get(), id) > 0);
  for (const id of unread) {
    const before = context.get();
    context.update(markRead(id));
    rememberUndo(context, id, readingOf(before, id), before);
  }
  const count = unread.length === 1 ? '1 conversation' : `${unread.length} conversations`;
  const which = unread.length > undoLimit ? `the last ${undoLimit} ` : '';
  notify(context, `Marked ${count} read here; ${undoAdvice(context, `undoes ${which}one after the other`)}`);
}

const nothingUnread = (state: AppState): string | null =>
  selectListOrder(state).some((id) => selectUnread(state, id) > 0) ? null : 'Nothing is unread in this list';

/** Without a name, asks for one. */
function nameConversation(context: CommandContext, { name }: { readonly name: string | null }): void {
  const conversation = selectedConversation(context.get());
  const of = conversation === null ? null : partnerOf(conversation);
  if (of === null) return;
  const typed = textAbout(context.get().local.names, of.kind, of.id) ?? '';
  if (name === null) {
    context.update(pushOverlay({ kind: 'own-name', of, typed }));
    return;
  }
  context.update(setName(of, name));
  notify(context, `Named ${name}, seen only here`);
}

export const listCommands: readonly Command[] = [
  {
    ...inList,
    id: 'list.open',
    title: 'Open the conversation',
    hint: 'open',
    keys: ['enter'],
    disabled: needsSelected,
    run: openSelected,
  },
  {
    ...inList,
    id: 'list.filter',
    title: 'Filter the list by name',
    hint: 'filter',
    keys: ['/'],
    run: (context) => context.update(startFilter),
  },
  {
    ...inList,
    id: 'list.view',
    title: 'Next view: all, unread, pinned, muted, archived',
    hint: 'view',
    keys: ['f'],
    run: (context) => context.update(nextListView),
  },
  {
    ...inList,
    id: 'list.views',
    title: 'Choose a view',
    keys: ['v'],
    run: (context) => openMenu(context, 'views', { conversationId: '', itemId: null }),
  },
  {
    ...inList,
    id: 'list.peek',
    title: 'Look at the conversation without marking it read',
    hint: 'peek',
    keys: ['space'],
    disabled: needsSelected,
    run: peek,
  },
  {
    ...inList,
    id: 'conversation.pin',
    isRepeatable: true,
    slash: 'pin',
    title: 'Pin or unpin',
    hint: 'pin',
    keys: ['p'],
    disabled: needsSelected,
    run: (context) => {
      const wasPinned = selectedConversation(context.get())?.isPinned === true;
      const isDone = write(context, ({ id, isPinned }, isBack) => ({
        kind: 'conversation.pin',
        conversationId: id,
        value: isPinned === isBack,
      }));
      if (isDone) notify(context, `${wasPinned ? 'No longer pinned' : 'Pinned'}; ${undoAdvice(context)}`);
    },
  },
  withParameters({
    ...inList,
    id: 'conversation.mute',
    slash: 'mute',
    title: 'Mute for a time or until unmuted; unmute',
    hint: 'mute',
    keys: ['m'],
    disabled: needsSelected,
    parameters: { duration },
    run: (context, { duration: ms }) => {
      const conversation = selectedConversation(context.get());
      if (conversation === null) return;
      const { id, isMuted } = conversation;
      if (ms !== null) mute(context, id, ms);
      else if (isMuted) unmute(context, id);
      else openMenu(context, 'mute', { conversationId: id, itemId: null });
    },
  }),
  {
    ...inList,
    id: 'conversation.archive',
    isRepeatable: true,
    slash: 'archive',
    title: 'Archive or bring back',
    hint: 'archive',
    keys: ['x'],
    disabled: needsSelected,
    run: archive,
  },
  {
    ...inList,
    id: 'conversation.read',
    isRepeatable: true,
    slash: 'read',
    title: 'Mark read or unread (here only)',
    hint: 'read',
    keys: ['u'],
    disabled: needsSelected,
    run: toggleRead,
  },
  {
    group: 'Conversations',
    where: ['global'],
    id: 'list.readAll',
    slash: 'read-all',
    title: 'Mark all conversations of the list read (here only)',
    keys: [],
    disabled: nothingUnread,
    run: markAllRead,
  },
  {
    ...inList,
    id: 'list.undo',
    brief: 'undo',
    slash: 'undo',
    title: 'Undo pin, mute, archive or read; take a send back',
    keys: ['z'],
    run: undo,
  },
  {
    ...inList,
    id: 'list.redo',
    slash: 'redo',
    title: 'Redo what was undone',
    keys: ['Z'],
    run: redo,
  },
  withParameters({
    ...inList,
    id: 'conversation.name',
    brief: 'rename',
    slash: 'name',
    title: 'Give it a name of your own, seen only here',
    keys: ['n'],
    disabled: needsSelected,
    parameters: { name: freeText },
    run: nameConversation,
  }),
  {
    ...inList,
    id: 'conversation.delete',
    isRepeatable: true,
    slash: 'delete-conversation',
    title: 'Delete the conversation (asks first)',
    keys: ['d'],
    disabled: needsSelected,
    run: (context) => {
      const conversation = selectedConversation(context.get());
      if (conversation === null) return;
      const about = { conversationId: conversation.id };
      ask(context, 'conversation.delete', { ...about, textThen: partnerText(context.get(), about) });
    },
  },
];
