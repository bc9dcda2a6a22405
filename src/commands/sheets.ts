/** Commands of the pages about a message, about a person and of the notices, and those that open these pages. */
import type { ConversationId } from '../protocol/types.ts';
import { noticesCopy } from '../state/details/notices-page.ts';
import { type SheetOverlay, selectIsLongSheet, selectSheet } from '../state/details/sheet.ts';
import { sheetSize } from '../state/details/sheet-rows.ts';
import { partnerOf, textAbout } from '../state/local/own-names.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { Person, PersonOverlay } from '../state/model/details.ts';
import { copyOf } from '../state/select/message-texts.ts';
import { selectConversation, selectSelectedItem } from '../state/select/selectors.ts';
import { closeOverlays, popOverlay, pushOverlay, scrollOverlay, topOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { copy } from './copy-menu.ts';
import { startConversation } from './new-conversation.ts';
import { openAndWrite } from './open-conversation.ts';
import { needsItem, selectedConversationId } from './selection.ts';

const noPerson = 'There is nobody here to show';

function personOf(state: AppState, id: ConversationId | null): Person | null {
  const conversation = id === null ? null : selectConversation(state, id);
  return conversation === null ? null : partnerOf(conversation);
}

/** The person of the row that is selected in the switcher, else of the open conversation. */
function personHere(state: AppState): Person | null {
  const top = topOverlay(state);
  if (top?.kind !== 'switcher') return personOf(state, state.view.openId);
  const row = top.result.rows[top.selected];
  if (row === undefined) return null;
  return row.contactId === null ? personOf(state, row.conversationId) : { kind: 'contact', id: row.contactId };
}

/** Makes a `run` that closes the page where it is on top, so that the key that opened it closes it. */
const openOrClose =
  (kind: 'person' | 'notices', open: (context: CommandContext) => void): Command['run'] =>
  (context) => {
    if (topOverlay(context.get())?.kind === kind) context.update(popOverlay);
    else open(context);
  };

/** Opens the page about the person, in the place of one that is open already. */
export function showPerson(context: CommandContext, of: Person | null): void {
  if (of === null) return;
  context.update((state) => {
    const below = topOverlay(state)?.kind === 'person' ? popOverlay(state) : state;
    return pushOverlay({ kind: 'person', of, scroll: 0, findings: null })(below);
  });
}

function authorOf(state: AppState): Person | null {
  const top = topOverlay(state);
  if (top?.kind !== 'details') return null;
  const { threads } = state.cache;
  const message = threads.get(top.conversationId)?.messages.find(({ id }) => id === top.itemId);
  return message?.contact ? { kind: 'contact', id: message.contact.id } : null;
}

/** The command that opens the page about a message, which the message's menu has a row for. */
export const detailsCommand: Command = {
  id: 'message.details',
  title: 'Details: times, who reacted, earlier versions',
  group: 'Messages',
  where: ['messages'],
  keys: ['i'],
  hint: 'details',
  disabled: needsItem,
  run: (context) => {
    const item = selectSelectedItem(context.get());
    const { openId } = context.get().view;
    if (item === null || openId === null) return;
    const versions = item.kind === 'pending' ? [] : null;
    context.update(pushOverlay({ kind: 'details', conversationId: openId, itemId: item.id, scroll: 0, versions }));
  },
};

const openers: readonly Command[] = [
  detailsCommand,
  {
    id: 'conversation.person',
    title: 'Who it is with: last seen, links, your note',
    group: 'Conversations',
    where: ['list'],
    keys: ['i'],
    disabled: (state) =>
      personOf(state, selectedConversationId(state)) === null ? 'Select a conversation first' : null,
    run: (context) => showPerson(context, personOf(context.get(), selectedConversationId(context.get()))),
  },
  {
    id: 'person.show',
    title: 'Who it is with; in the switcher: who is selected',
    group: 'Anywhere',
    where: ['global', 'switcher', 'person'],
    keys: ['alt+i'],
    hint: 'person',
    hintIn: ['switcher'],
    disabled: (state) => (topOverlay(state)?.kind === 'person' || personHere(state) !== null ? null : noPerson),
    run: openOrClose('person', (context) => showPerson(context, personHere(context.get()))),
  },
];

const noticesOpener: Command = {
  id: 'notices.open',
  title: 'Notices of this run, with a key to copy them',
  group: 'Anywhere',
  where: ['global', 'notices'],
  keys: ['alt+l'],
  slash: 'log',
  run: openOrClose('notices', (context) => context.update(pushOverlay({ kind: 'notices', scroll: 0 }))),
};

const sheet = (id: string, title: string, keys: readonly string[], run: Command['run']): Command => ({
  id,
  title,
  keys,
  run,
  where: ['details', 'person', 'notices'],
  group: 'Dialogs',
});

const sheetOnTop = (state: AppState): SheetOverlay | null => {
  const top = topOverlay(state);
  return top?.kind === 'details' || top?.kind === 'person' || top?.kind === 'notices' ? top : null;
};

/** What is shown as a whole has nothing to scroll. */
function scrollHint(state: AppState): string {
  const shown = sheetOnTop(state);
  return shown !== null && selectIsLongSheet(state, shown) ? 'scroll' : '';
}

/** @param by returns the rows to scroll from the rows of a page */
const scroll = (id: string, title: string, keys: readonly string[], by: (page: number) => number): Command =>
  sheet(id, title, keys, (context) => {
    const state = context.get();
    const shown = sheetOnTop(state);
    if (shown === null) return;
    const page = sheetSize(state.screen.size).rows;
    const { length } = selectSheet(state, shown, context.now()).rows;
    context.update(scrollOverlay(by(page), Math.max(0, length - page)));
  });

const onPerson =
  (act: (context: CommandContext, page: PersonOverlay) => void): Command['run'] =>
  (context) => {
    const top = topOverlay(context.get());
    if (top?.kind === 'person') act(context, top);
  };

const inPerson = { group: 'Dialogs', where: ['person'] } as const;

function write(context: CommandContext, { of }: PersonOverlay): void {
  const { conversations } = context.get().cache;
  const found = [...conversations.values()].find(
    ({ contactId, groupId }) => (of.kind === 'contact' ? contactId : groupId) === of.id,
  );
  context.update(closeOverlays);
  if (found === undefined) startConversation(context, { ...of, conversationId: null });
  else openAndWrite(context, found.id);
}

export const sheetCommands: readonly Command[] = [
  ...openers,
  noticesOpener,
  { ...scroll('sheet.down', 'Scroll the page down', ['down', 'j'], () => 1), isMove: true },
  { ...scroll('sheet.up', 'Scroll the page up', ['up', 'k'], () => -1), isMove: true },
  { ...scroll('sheet.pageDown', 'Scroll down by a screen', ['pagedown', 'space'], (page) => page), hint: scrollHint },
  scroll('sheet.pageUp', 'Scroll up by a screen', ['pageup'], (page) => -page),
  scroll('sheet.top', 'Top of the page', ['home', 'g'], () => Number.NEGATIVE_INFINITY),
  scroll('sheet.bottom', 'End of the page', ['end', 'G'], () => Number.POSITIVE_INFINITY),
  sheet('sheet.close', 'Close the page', ['i', 'q'], (context) => context.update(popOverlay)),
  {
    id: 'notices.copy',
    title: 'Copy the notices',
    group: 'Dialogs',
    where: ['notices'],
    keys: ['y'],
    hint: 'copy',
    disabled: ({ screen }) => (screen.noticeLog.length === 0 ? 'Nothing was reported in this run' : null),
    run: (context) => copy(context, noticesCopy(context.get().screen.noticeLog), 'Copied the notices'),
  },
  {
    id: 'details.author',
    title: 'Who wrote the message',
    group: 'Dialogs',
    where: ['details'],
    keys: ['p'],
    hint: 'author',
    disabled: (state) => (authorOf(state) === null ? 'The server does not say who wrote it' : null),
    run: (context) => showPerson(context, authorOf(context.get())),
  },
  {
    ...inPerson,
    id: 'person.write',
    title: 'Open the conversation with them',
    keys: ['enter'],
    hint: 'write',
    run: onPerson(write),
  },
  {
    ...inPerson,
    id: 'person.name',
    title: 'Give them a name of your own, seen only here',
    keys: ['n'],
    hint: 'name',
    run: onPerson((context, { of }) => {
      const typed = textAbout(context.get().local.names, of.kind, of.id) ?? '';
      context.update(pushOverlay({ kind: 'own-name', of, typed }));
    }),
  },
  {
    ...inPerson,
    id: 'person.note',
    title: 'Write a note about them, seen only here',
    keys: ['e'],
    hint: 'note',
    run: onPerson((context, { of }) => {
      const typed = textAbout(context.get().local.notes, of.kind, of.id) ?? '';
      context.update(pushOverlay({ kind: 'own-note', of, typed }));
    }),
  },
  {
    ...inPerson,
    id: 'person.copyId',
    title: 'Copy the id, by which others can write to them',
    keys: ['y'],
    hint: 'copy id',
    isFinal: true,
    run: onPerson((context, { of }) => copy(context, copyOf(of.id), 'Copied the id')),
  },
  {
    ...inPerson,
    id: 'person.links',
    title: 'Open one of the links (asks first)',
    keys: ['o'],
    hint: 'links',
    disabled: (state) => {
      const top = topOverlay(state);
      return top?.kind === 'person' && (top.findings?.links.addresses.length ?? 0) > 0 ? null : 'No link was found';
    },
    run: onPerson((context, { findings }) => {
      if (findings !== null) context.update(pushOverlay({ kind: 'links', links: findings.links, selected: 0 }));
    }),
  },
];
