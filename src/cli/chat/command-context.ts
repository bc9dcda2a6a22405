/** Connects the commands to the engine, the panes and the terminal. */
import type { CommandContext } from '../../commands/context.ts';
import { notify } from '../../commands/notify.ts';
import type { ConversationId, Message, Millis } from '../../protocol/types.ts';
import type { AppState, ScrollPlace } from '../../state/model/app-state.ts';
import { copyOf } from '../../state/select/message-texts.ts';
import { selectComposerColumns } from '../../state/select/pane-columns.ts';
import { selectSelectedItem, selectThreadItems } from '../../state/select/selectors.ts';
import type { AppStore, Transition } from '../../state/store.ts';
import { rememberClipboard } from '../../state/view/clipboard.ts';
import { selectMessage, setScroll } from '../../state/view/thread-place.ts';
import { closeInView, openInView, peekInView, setFocus } from '../../state/view/view.ts';
import type { Engine } from '../../sync/engine/engine.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { clockTimeSeconds } from '../../text/time.ts';
import type { Panes } from '../../view/panes.ts';
import { askForHistory } from './ask-for-history.ts';
import { markReadIfAtEnd } from './mark-read-if-at-end.ts';
import type { LinkOutcome } from './open-link.ts';

export interface ContextOptions {
  readonly store: AppStore;
  readonly engine: Engine;
  readonly panes: () => Panes;
  readonly now: () => number;
  readonly keyOf: CommandContext['keyOf'];
  /** Returns what to add to the notice of the copy; '' for nothing. */
  readonly toClipboard: (text: SafeText) => string;
  readonly openLink: (href: string, report: (outcome: LinkOutcome) => void) => void;
  readonly editText: CommandContext['editText'];
  readonly readSnippet: CommandContext['readSnippet'];
  readonly saveSnippet: CommandContext['saveSnippet'];
  readonly saveFile: CommandContext['saveFile'];
  readonly saveKeys: CommandContext['saveKeys'];
  readonly signIn: (token: string) => void;
  readonly testNotification: () => void;
  /** Resolves to one line. */
  readonly freshness: () => Promise<string>;
  readonly settings: CommandContext['settings'];
  readonly switchAccount: CommandContext['switchAccount'];
  readonly redraw: () => void;
  readonly suspend: CommandContext['suspend'];
  readonly quit: () => void;
}

export function createCommandContext(options: ContextOptions): CommandContext {
  const { store, engine } = options;
  const context: CommandContext = {
    ...ofEngine(engine),
    ...given(options),
    get: store.getState,
    update: store.setState,
    now: options.now,
    keyOf: options.keyOf,
    later: (ms, run) => void setTimeout(run, ms),
    openConversation(id, how) {
      store.setState(how?.isPeek === true ? peekInView(id) : openInView(id));
      engine.openConversation(id, how);
      askForHistory(options, id);
    },
    closeConversation() {
      store.setState(closeInView);
      engine.closeConversation();
    },
    scrollThread(amount) {
      const id = store.getState().view.openId;
      if (amount === 'bottom' && id !== null) engine.needNewest(id);
      moveThread(options, (state, panes) => panes.scroll(state, panes.layout(state), amount));
      if (typeof amount === 'object') store.setState(selectionInSight(options));
    },
    revealMessage: (id) => moveThread(options, (state, panes) => panes.revealPlace(state, panes.layout(state), id)),
    showMessage: (id, message) => showMessage(context, engine, id, message),
    composerColumns: () => selectComposerColumns(store.getState()),
    pollNow() {
      sayPoll(context, engine.pollNow());
      const { openId } = store.getState().view;
      if (openId !== null) askForHistory(options, openId);
    },
    copy({ text }, said) {
      notify(context, `${said}${options.toClipboard(text)}`);
      store.setState(rememberClipboard(text));
    },
    reportFreshness: () => void options.freshness().then((said) => notify(context, said, { forMs: 10_000 })),
    openLink: (href) => options.openLink(href, (outcome) => sayHowOpened(context, href, outcome)),
  };
  return context;
}

/** @param notBefore while the server asks to wait, the end of that time */
function sayPoll(context: CommandContext, notBefore: Millis | null): void {
  if (notBefore === null) notify(context, 'Asking the server …', { about: 'poll', forMs: 1_500 });
  else notify(context, `The server asks to wait: the next try is at ${clockTimeSeconds(notBefore)}`, { about: 'poll' });
}

/** The functions of the context that the options give unchanged. */
const given = ({ editText, readSnippet, saveSnippet, saveFile, saveKeys, ...others }: ContextOptions) => {
  const { signIn, testNotification, settings, switchAccount, redraw, suspend, quit } = others;
  const files = { editText, readSnippet, saveSnippet, saveFile, saveKeys };
  return { ...files, signIn, testNotification, settings, switchAccount, redraw, suspend, quit };
};

/** The functions of the context that only call the engine. */
const ofEngine = (engine: Engine) => ({
  enqueue: engine.enqueue,
  retryOp: engine.retry,
  letPass: engine.letPass,
  discardOp: engine.discard,
  markUnread: engine.markUnread,
  findInHistory: engine.findInHistory,
  fetchBack: engine.fetchBack,
});

/** `place` is computed from the newest state. Near an end of what is loaded, more history is asked for. */
function moveThread(options: ContextOptions, place: (state: AppState, panes: Panes) => ScrollPlace): void {
  const { store } = options;
  const before = store.getState();
  const id = before.view.openId;
  if (id === null) return;
  const panes = options.panes();
  store.setState((state) => setScroll(id, place(state, panes))(state));
  markReadIfAtEnd(options, before);
  askForHistory(options, id);
}

/** Keys act on the selected message, so after scrolling it is one in sight: the one nearest to where it was. */
const selectionInSight =
  ({ panes }: ContextOptions): Transition =>
  (state) => {
    const { openId } = state.view;
    const selected = selectSelectedItem(state)?.id;
    if (openId === null || selected === undefined || state.screen.focus !== 'messages') return state;
    const shown = panes().messagesInSight(state, panes().layout(state));
    if (shown.includes(selected)) return state;
    const first = selectThreadItems(state, openId).find(({ id }) => id === selected || id === shown[0]);
    const nearest = first?.id === selected ? shown[0] : shown.at(-1);
    return nearest === undefined ? state : selectMessage(openId, nearest)(state);
  };

function showMessage(
  context: CommandContext,
  engine: Engine,
  id: ConversationId,
  message: Pick<Message, 'id' | 'createdAt' | 'rank'>,
): boolean {
  const { createdAt, rank } = message;
  const top: ScrollPlace = { at: 'message', messageId: message.id, line: 0 };
  if (context.get().view.openId !== id) {
    // It opens at the message at once, so that its end does not count as read.
    context.update(setScroll(id, top));
    context.openConversation(id, { isJump: true });
  }
  if (!engine.needAround(id, { createdAt, rank, id: message.id })) return false;
  context.update(setScroll(id, top));
  // A quarter of the screen shows what was said before it.
  context.scrollThread({ rows: -Math.floor(context.get().screen.size.rows / 4) });
  context.update((state) => setFocus('messages')(selectMessage(id, message.id)(state)));
  context.revealMessage(message.id);
  return true;
}

function sayHowOpened(context: CommandContext, href: string, outcome: LinkOutcome): void {
  if (outcome === 'opened') {
    notify(context, 'Handed to the browser');
    return;
  }
  const copy = copyOf(href);
  const why = outcome === 'no desktop' ? 'There is no desktop here' : 'No browser took it';
  if (copy === null) notify(context, why, { tone: 'warning' });
  else context.copy(copy, `${why}; the address is copied`);
}
