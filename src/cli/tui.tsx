/** The default command opens terminal, account and session and draws the first frame; then it loads Ink for overlays. */
import { setTimeout as wait } from 'node:timers/promises';
import { yieldToEventLoop } from '../api/http/yield-to-event-loop.ts';
import type { CommandContext } from '../commands/context.ts';
import { createHintSelector } from '../commands/footer.ts';
import { helpRows } from '../commands/help-rows.ts';
import { createKeymap } from '../commands/keymap.ts';
import { keyLabel } from '../commands/label.ts';
import { notify } from '../commands/notify.ts';
import { commands } from '../commands/table.ts';
import { type Environment, readEnvironment, withTokenFile } from '../config/environment.ts';
import { systemKeyring } from '../config/keyring.ts';
import { currentPaths } from '../config/paths.ts';
import type { ConversationId } from '../protocol/types.ts';
import { openSession, type Session, type SessionOptions, type SessionTarget } from '../session.ts';
import { countLostOnQuit, lostOnQuitText } from '../state/local/unsent-text.ts';
import type { AppState } from '../state/model/app-state.ts';
import { followSearch } from '../state/search/incremental-search.ts';
import { listSearch } from '../state/search/list-search.ts';
import { messageSearch } from '../state/search/message-search.ts';
import { nameSearch } from '../state/search/name-prompt.ts';
import { type AppStore, until } from '../state/store.ts';
import { hasTextField, topOverlay } from '../state/view/overlays.ts';
import { markOpenedByItself, setFocus, setSize } from '../state/view/view.ts';
import { systemClock } from '../sync/services/clock.ts';
import { clipboardSequence } from '../terminal/clipboard.ts';
import { createPromptStdin } from '../terminal/input.ts';
import { createChoiceRows } from '../ui/choice-rows.ts';
import { createRouter } from '../ui/key-router.ts';
import { createPainter } from '../ui/painter.ts';
import { reopen } from '../ui/reopen.ts';
import { warmUpWhenIdle } from '../ui/warm-up-when-idle.ts';
import { createLook } from './appearance.ts';
import { createCommandContext } from './command-context.ts';
import { type CrashReporter, createCrashReporter } from './crash-report.ts';
import { ExitError, exitCodes, messageOf } from './exit.ts';
import { askOnTerminal } from './link-account.ts';
import { sayAtTheEnd, TokenKeeper, tellAboutToken, watchingToken } from './new-token.ts';
import { openLink } from './open-link.ts';
import { type ChatSettings, readChatSettings } from './settings.ts';
import { type ChatTarget, findTarget, isWhole } from './target.ts';
import { openTerminal, requireTerminal, type TerminalSession, terminalFacts } from './terminal-session.ts';
import { runWelcome } from './welcome.ts';

export interface TuiOptions {
  readonly ascii: boolean;
  readonly insecureHttp: boolean;
  /** The file to read the token from, instead of the environment. */
  readonly tokenFile: string | null;
}

/** @param makeTarget for commands that know what to open, such as `msg-tui demo` */
export async function runTui(options: TuiOptions, makeTarget?: () => Promise<SessionTarget>): Promise<void> {
  const environment = withTokenFile(readEnvironment(), options.tokenFile);
  requireTerminal(terminalFacts(environment));
  const paths = currentPaths();
  const { insecureHttp } = options;
  const account = { environment, paths, insecureHttp, ask: askOnTerminal, keyring: systemKeyring };
  const found = await (makeTarget?.() ?? findTarget(account));
  const opened = { ...options, chosen: await readChatSettings(environment, paths) };
  const crashes = createCrashReporter(paths.state);
  const terminal = openTerminal(environment, crashes.report);
  const choice = isWhole(found) ? found : await runWelcome(terminal, account, found, loadInk, options.ascii);
  if (choice === 'quit') return leave(terminal);
  if (choice !== 'demo') return openChat(terminal, environment, choice, opened, crashes);
  const { startDemo } = await import('./demo.ts');
  await openChat(terminal, environment, await startDemo(), opened, crashes);
}

/** How long quitting waits for the answer to a write, and for a new token to be saved. */
const longestGoodbyeMs = 1_500;

/** The pauses after the start and between two drawn threads, so that keys come first. */
const warmUpDelayMs = 1_000;
const warmUpPauseMs = 20;

const asciiNoticeMs = 10_000;
const settingsNoticeMs = 15_000;

const loadInk = () => import('../ui/mount.tsx');

function leave(terminal: TerminalSession): never {
  terminal.restore.restore();
  process.exit(exitCodes.ok);
}

async function openChat(
  terminal: TerminalSession,
  environment: Environment,
  target: ChatTarget,
  options: TuiOptions & { readonly chosen: ChatSettings },
  crashes: CrashReporter,
): Promise<void> {
  const tell = (text: string): void => tellAboutToken(store, text);
  const { settings, problem } = options.chosen;
  const session = openOrExplain(terminal, watchingToken(target, crashes.hide, tell), {
    settings,
    onCreated: (id) => {
      show(context, id);
      context.update(markOpenedByItself(Date.now()));
    },
  });
  const { store } = session;
  const keeper = new TokenKeeper(store, target.tokens);
  const keymap = createKeymap(commands);
  const wanted = { ...environment, theme: () => store.getState().settings.theme, ascii: options.ascii };
  const look = createLook(terminal, wanted, (id) => keyLabel(keymap.keysOf(id)[0] ?? ''));
  const hintsOf = createHintSelector(keymap);
  const painter = createPainter({ ...store, screen: terminal.screen, panes: look.panes, hintsOf, isCovered });
  const context = createCommandContext({
    store,
    engine: session.engine,
    panes: look.panes,
    now: Date.now,
    toClipboard: (text) => {
      terminal.screen.writeControl(clipboardSequence(text));
      return terminal.capabilities().tmux ? ' (tmux: with set-clipboard on)' : '';
    },
    openLink: (href, tell) => void openLink(href, environment, tell),
    signIn(token) {
      crashes.hide(token);
      session.signIn(token);
      keeper.given(token);
    },
    redraw: terminal.screen.redraw,
    suspend: terminal.restore.suspend,
    quit: () => void quit(terminal, session, keeper),
  });
  const clock = { ...systemClock, pause: yieldToEventLoop };
  followSearch(store, listSearch, clock);
  followSearch(store, nameSearch, clock);
  followSearch(store, messageSearch(session.search), clock);
  const choiceRows = createChoiceRows();
  const prompt = createPromptStdin();
  const router = createRouter({
    context,
    keymap,
    panes: look.panes,
    choiceRows,
    targetAt: terminal.screen.targetAt,
    echo: painter,
    onFocus: session.engine.setFocused,
    onReply: (event) => {
      if (terminal.learn(event)) painter.paint();
    },
  });
  const resize = (): void => {
    const { columns, rows } = terminal.screen;
    store.setState(setSize({ columns, rows }));
    painter.paint();
  };
  terminal.onResize(resize);
  terminal.onLeave(session.flush);
  terminal.onLeave(() => sayAtTheEnd(keeper.leaveNow()));
  // A signal leaves no time for a question.
  terminal.onLeave(() => sayAtTheEnd(lossAtTheEnd(store.getState())));
  terminal.input.forwardTo(prompt);
  terminal.input.attach((event) => router(event) || !hasTextField(store.getState()));
  terminal.input.start();
  terminal.screen.enter();
  resize();
  if (target.notice !== undefined) tell(target.notice);
  if (problem !== null) notify(context, problem, { tone: 'warning', about: 'settings', forMs: settingsNoticeMs });
  if (environment.tokenWarning !== null) tell(`Careful: ${environment.tokenWarning}`);
  if (!terminal.capabilities().isUtf8) notify(context, asciiNotice, { about: 'locale', forMs: asciiNoticeMs });
  const opens = store.getState().local.opened ?? target.opens ?? null;
  if (opens !== null) void reopen(store, opens, (id) => show(context, id));

  await new Promise(setImmediate);
  const { mountApp } = await loadInk();
  const ui = {
    store,
    context,
    panes: look.panes,
    screen: terminal.screen,
    hintsOf,
    help: helpRows(commands, keymap.keysOf),
    choiceRows,
  };
  mountApp(ui, { screen: terminal.screen, stdin: prompt });
  await session.start();
  await warmUpWhenIdle(look.spare(), { rest: () => wait(warmUpDelayMs), pause: () => wait(warmUpPauseMs) });
}

/** Shows the conversation with the focus in the composer. */
function show(context: CommandContext, id: ConversationId): void {
  context.openConversation(id);
  context.update(setFocus('composer'));
}

const asciiNotice =
  'All but ASCII is shown as ?: set LANG to a UTF-8 locale, such as C.UTF-8, where the terminal is one.';

/** Returns null when nothing is lost. */
function lossAtTheEnd(state: AppState): string | null {
  const count = countLostOnQuit(state);
  return count === 0 ? null : `${lostOnQuitText(count)} Nothing is kept on disk here: it is lost.`;
}

const isCovered = (state: AppState): boolean => topOverlay(state) !== null;

/** @throws ExitError, with the terminal given back, when the account's files cannot be opened */
function openOrExplain(terminal: TerminalSession, target: SessionTarget, options: SessionOptions): Session {
  try {
    return openSession(target, options);
  } catch (error) {
    terminal.restore.restore();
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}

async function quit(terminal: TerminalSession, session: Session, keeper: TokenKeeper): Promise<void> {
  session.flush();
  terminal.restore.restore();
  const deadline = wait(longestGoodbyeMs);
  const [lastWord] = await Promise.all([keeper.leave(deadline), Promise.race([underWay(session.store), deadline])]);
  sayAtTheEnd(lastWord);
  await session.close();
  process.exit(exitCodes.ok);
}

/** Waits for answers under way, which spare the next start a search in the history. */
function underWay(store: AppStore): Promise<void> {
  return until(store, (state) => !state.local.outbox.some((op) => op.state === 'sending'));
}
