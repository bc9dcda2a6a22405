/** Commands that work in every pane: leaving, moving the focus, going from conversation to conversation. */
import type { AppState } from '../state/model/app-state.ts';
import { lacksToken } from '../state/model/connection.ts';
import { openNamePrompt, typeInNamePrompt } from '../state/search/name-prompt.ts';
import { selectMarked } from '../state/select/marked.ts';
import { isVimWaiting, selectComposer, selectVim } from '../state/select/selectors.ts';
import { hasLastingNotice } from '../state/view/notices.ts';
import { pushOverlay, topOverlay } from '../state/view/overlays.ts';
import { cycleFocus, setFocus } from '../state/view/view.ts';
import { closeLayer } from './close-layer.ts';
import { type Command, contextsOf, withParameters } from './command.ts';
import type { CommandContext } from './context.ts';
import { clearOrQuit, quit } from './leave.ts';
import { openNextUnread } from './next-unread.ts';
import { notify } from './notify.ts';
import { openNth, openPrevious, openStep } from './open-conversation.ts';
import { freeText, position, positionKeys } from './parameters.ts';
import { takeBackByEscape } from './pending.ts';
import { needsOpen, selectVisible } from './selection.ts';
import { goToNamed } from './switcher.ts';
import { takeVimKey } from './vim.ts';

function moveFocus(context: CommandContext, direction: -1 | 1): void {
  context.update(cycleFocus(direction));
  if (context.get().screen.focus === 'messages') selectVisible(context);
}

/** Names in a word what Esc does in this state; '' where it does nothing. */
function backHint(state: AppState): string {
  const top = topOverlay(state);
  const { openId, list } = state.view;
  if (top !== null) return top.kind === 'rebind' ? 'cancel' : 'close';
  if (state.view.seeking) return 'stop fetching';
  const inVim = vimBackHint(state);
  if (inVim !== '') return inVim;
  if (hasLastingNotice(state)) return 'close notice';
  if (state.screen.focus === 'list' && (list.filter !== '' || list.isFiltering === true)) return 'clear filter';
  if (state.screen.focus === 'messages' && selectMarked(state).length > 0) return 'clear marks';
  if (state.view.isArchive === true) return state.screen.focus === 'messages' ? 'to the list' : '';
  if (state.screen.focus !== 'composer') return openId === null ? '' : 'write';
  return selectComposer(state).editing === null ? '' : 'cancel';
}

/** As `backHint`, of what Esc does in a mode of vim, before any layer. */
function vimBackHint(state: AppState): string {
  if (state.screen.focus !== 'composer') return '';
  if (isVimWaiting(state)) return 'cancel';
  return (selectVim(state)?.mode ?? 'normal') === 'normal' ? '' : 'normal mode';
}

const anywhere = { group: 'Anywhere', where: ['global'] } as const;
const always = { group: 'Anywhere', where: ['always'] } as const;
const evenUnseen = { group: 'Anywhere', where: ['always', 'too-small'] } as const;

export const globalCommands: readonly Command[] = [
  withParameters({
    ...anywhere,
    id: 'goto.open',
    slash: 'to',
    title: 'Go to a conversation; > command, @ person, # group',
    hint: 'go to',
    keys: ['ctrl+k'],
    parameters: { name: freeText },
    run: (context, { name }) => goToNamed(context, name),
  }),
  {
    ...anywhere,
    id: 'focus.next',
    title: 'Next pane: conversations, messages, composer',
    hint: 'focus',
    keys: ['tab'],
    run: (context) => moveFocus(context, 1),
  },
  {
    ...anywhere,
    id: 'focus.previous',
    title: 'Previous pane',
    keys: ['shift+tab'],
    run: (context) => moveFocus(context, -1),
  },
  {
    ...anywhere,
    id: 'focus.list',
    title: 'To the list of conversations',
    keys: [],
    run: (context) => context.update(setFocus('list')),
  },
  {
    group: 'Anywhere',
    where: ['global', 'dialog', 'details', 'person', 'notices'],
    hintIn: ['global'],
    id: 'help.open',
    slash: 'help',
    title: 'Help: search all commands and keys',
    hint: 'help',
    keepsHint: true,
    keys: ['f1', '?'],
    run: (context) => context.update(pushOverlay({ kind: 'help', typed: '', selected: 0 })),
  },
  {
    ...always,
    id: 'layer.back',
    title: 'Go back one step: close, cancel, to the composer',
    keys: ['escape'],
    hint: backHint,
    keepsHint: true,
    run: (context) => {
      // A click on the hint, or another key, comes past the modes of vim.
      const isVims = takeVimKey(context, contextsOf(context.get()), { key: 'escape', text: '' });
      if (!isVims && !takeBackByEscape(context)) closeLayer(context);
    },
  },
  {
    ...anywhere,
    id: 'conversation.next',
    brief: 'next conversation',
    title: 'Open the next conversation',
    keys: ['alt+down', 'ctrl+pagedown'],
    run: (context) => openStep(context, 1),
  },
  {
    ...anywhere,
    id: 'conversation.previous',
    brief: 'previous',
    title: 'Open the previous conversation',
    keys: ['alt+up', 'ctrl+pageup'],
    run: (context) => openStep(context, -1),
  },
  withParameters({
    ...anywhere,
    id: 'conversation.nth',
    title: 'Open the first … ninth conversation of the list',
    keys: positionKeys.map((digit) => `alt+${digit}`),
    parameters: { position },
    wordOfKey: (nth) => `${nth + 1}`,
    run: (context, values) => openNth(context, values.position),
  }),
  {
    ...anywhere,
    id: 'conversation.other',
    slash: 'back',
    title: 'Back to the conversation that was open before',
    keys: ['alt+/'],
    disabled: ({ view }) => (view.previousId === null ? 'No other conversation has been open yet' : null),
    run: openPrevious,
  },
  {
    ...anywhere,
    id: 'unread.next',
    slash: 'unread',
    title: 'Open the next unread conversation',
    hint: 'next unread',
    keys: ['alt+a', 'alt+shift+down'],
    run: (context) => openNextUnread(context, 1),
  },
  {
    ...anywhere,
    id: 'unread.previous',
    title: 'Open the previous unread conversation',
    keys: ['alt+shift+up'],
    run: (context) => openNextUnread(context, -1),
  },
  withParameters({
    ...anywhere,
    id: 'conversation.new',
    slash: 'new',
    title: 'Start a conversation',
    hint: 'new',
    keys: ['ctrl+n'],
    parameters: { name: freeText },
    run: (context, { name }) =>
      context.update((state) => typeInNamePrompt(name ?? '')(openNamePrompt('new-conversation')(state))),
  }),
  {
    ...anywhere,
    id: 'thread.pageUp',
    title: 'Scroll the messages up by a page',
    keys: ['pageup'],
    disabled: needsOpen,
    run: (context) => context.scrollThread({ pages: -1 }),
  },
  {
    ...anywhere,
    id: 'thread.pageDown',
    title: 'Scroll the messages down by a page',
    keys: ['pagedown'],
    disabled: needsOpen,
    run: (context) => context.scrollThread({ pages: 1 }),
  },
  {
    ...anywhere,
    id: 'server.poll',
    slash: 'poll',
    title: 'Ask the server now',
    keys: ['f5'],
    run: (context) => context.pollNow(),
  },
  {
    ...anywhere,
    id: 'server.freshness',
    slash: 'freshness',
    title: 'Report how old what you saw was',
    keys: [],
    run: (context) => context.reportFreshness(),
  },
  {
    ...anywhere,
    id: 'server.signIn',
    slash: 'token',
    title: 'Give a new token',
    hint: 'new token',
    isRemedy: true,
    keys: ['ctrl+t'],
    disabled: ({ view }) => (lacksToken(view.connection) ? null : 'The server has not refused the token'),
    run: (context) => context.update(pushOverlay({ kind: 'token', typed: '' })),
  },
  {
    ...anywhere,
    id: 'notify.test',
    title: 'Send a test notification',
    keys: [],
    run: (context) => context.testNotification(),
  },
  {
    ...evenUnseen,
    id: 'screen.redraw',
    title: 'Draw the screen again',
    keys: ['ctrl+l'],
    run: (context) => context.redraw(),
  },
  {
    ...evenUnseen,
    id: 'app.suspend',
    title: 'Suspend to the shell',
    keys: ['ctrl+z'],
    run: (context) => context.suspend(() => notify(context, 'Not suspended: no shell waits here to continue it')),
  },
  {
    ...evenUnseen,
    id: 'app.clear',
    title: 'Clear or cancel; twice within a second: quit',
    keys: ['ctrl+c'],
    run: clearOrQuit,
  },
  {
    ...evenUnseen,
    id: 'app.quit',
    slash: 'quit',
    title: 'Quit',
    keys: ['ctrl+q'],
    run: quit,
  },
];
