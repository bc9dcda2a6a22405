/** The default command opens terminal, account and session and draws the first frame; then it loads Ink for overlays. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandContext } from '../commands/context.ts';
import { followingKeymap, keymapFor } from '../commands/current-keymap.ts';
import { createHintSelector } from '../commands/footer.ts';
import type { Keymap } from '../commands/keymap.ts';
import { keyLabel } from '../commands/label.ts';
import { notify } from '../commands/notify.ts';
import { type Environment, readEnvironment, withTokenFile } from '../config/environment.ts';
import { loadConfig } from '../config/file.ts';
import { systemKeyring } from '../config/keyring.ts';
import { readLostKeys } from '../config/lost-keys.ts';
import { currentPaths } from '../config/paths.ts';
import type { ConversationId } from '../protocol/types.ts';
import { openSession, type Session, type SessionOptions } from '../session.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { AppStore } from '../state/store.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { markOpenedByItself, setFocus, setSize } from '../state/view/view.ts';
import { createRouter } from '../ui/key-router.ts';
import { PaintedOverlays } from '../ui/painted-overlays.ts';
import { Painter } from '../ui/painter.ts';
import { recountPlace } from '../ui/recount-place.ts';
import { reopen } from '../ui/reopen.ts';
import { warmUpWhenIdle } from '../ui/warm-up-when-idle.ts';
import { createMarkdownLoader } from '../view/markdown.ts';
import type { KeyOf } from '../view/message-state.ts';
import type { Panes } from '../view/panes.ts';
import { createLook, type LookOptions } from './appearance.ts';
import { chatContext } from './chat-context.ts';
import { type CrashReporter, createCrashReporter } from './crash-report.ts';
import { ExitError, exitCodes, messageOf } from './exit.ts';
import { createFocus } from './focus.ts';
import { LateNotifications } from './late-notifications.ts';
import { leave } from './leave-chat.ts';
import { askOnTerminal } from './link-account.ts';
import { showTokenNotice, watchingToken } from './new-token.ts';
import { loadOwnThemes, type OwnThemes } from './own-themes.ts';
import { type ChatSettings, chatSettings } from './settings.ts';
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
export async function runTui(options: TuiOptions, makeTarget?: (keyOf: KeyOf) => Promise<ChatTarget>): Promise<void> {
  const environment = withTokenFile(readEnvironment(), options.tokenFile);
  requireTerminal(terminalFacts(environment));
  const paths = currentPaths();
  const { insecureHttp, ascii } = options;
  const config = loadConfig(paths.configFile);
  const chosen = await chatSettings(environment, config);
  const ownThemes = await loadOwnThemes(paths.configFile, chosen.settings.theme);
  const lost: ReadonlySet<string> = new Set(readLostKeys(paths.state, environment.terminal));
  const keyOf: KeyOf = (id) => labelsOf(keymapFor(chosen.settings.keys, lost))(id);
  const account = { environment, paths, insecureHttp, ask: askOnTerminal, keyring: systemKeyring, keyOf };
  const found = await (makeTarget?.(keyOf) ?? findTarget(account, config));
  const crashes = createCrashReporter(paths.state);
  const terminal = openTerminal(environment, crashes.report);
  const choice = isWhole(found)
    ? found
    : await runWelcome(terminal, account, found, loadInk, ascii, chosen.settings.glyphs);
  if (choice === 'quit') return leave(terminal);
  const start = { terminal, environment, crashes, chosen, ownThemes, lost, ascii };
  if (choice !== 'demo') return openChat(start, choice);
  const { startDemo } = await import('./demo.ts');
  await openChat(start, await startDemo(keyOf));
}

/** The pauses after the start and between two drawn threads, so that keys come first. */
const warmUpPauses = { rest: () => wait(1_000), pause: () => wait(20) };

const asciiNoticeMs = 10_000;
const settingsNoticeMs = 15_000;

const loadInk = () => import('../ui/mount.tsx');

/** What there is before an account is open. */
interface Start {
  readonly terminal: TerminalSession;
  readonly environment: Environment;
  readonly crashes: CrashReporter;
  readonly chosen: ChatSettings;
  readonly ownThemes: OwnThemes;
  /** Keys that did not arrive when `doctor --keys` asked for them. */
  readonly lost: ReadonlySet<string>;
  readonly ascii: boolean;
}

const wantedLook = ({ environment, ownThemes, ascii }: Start, { getState }: AppStore): LookOptions => ({
  ...environment,
  theme: () => getState().settings.theme,
  own: ownThemes.of,
  ascii,
  glyphs: () => getState().settings.glyphs,
});

async function openChat(start: Start, target: ChatTarget): Promise<void> {
  const { terminal, environment } = start;
  const { screen, input } = terminal;
  const watched = watchingToken(target, start.crashes.hide, (text) => showTokenNotice(store, text));
  const asked = { onCreated: (id: string) => showNew(context, id), keyOf: (id: string): string => keyOf(id) };
  const notifications = new LateNotifications();
  const { onIncoming } = notifications;
  const session = openOrExplain(terminal, watched, { settings: start.chosen.settings, ...asked, onIncoming });
  const { store } = session;
  const keymap = followingKeymap(store.getState, start.lost);
  const keyOf = labelsOf(keymap);
  const markdown = createMarkdownLoader(() => painter.paint());
  const look = { markdown, ...createLook(terminal, wantedLook(start, store), keyOf, markdown.current), keyOf };
  const { panes, spare } = look;
  const hintsOf = createHintSelector(keymap);
  const focus = createFocus({ terminal, session, panes, paint: () => painter.paint() });
  const overlays = new PaintedOverlays({ screen, panes, now: Date.now });
  const painter = new Painter({ ...store, screen, panes, hintsOf, isCovered, overlays, restyle: focus.restyle });
  const context = chatContext({ ...start, ...look, session, target, notifications });
  const router = createRouter({
    context,
    keymap,
    panes,
    choiceRows: overlays.choiceRows,
    targetAt: screen.targetAt,
    echo: painter,
    onFocus: focus.set,
    onReply: (event) => void (terminal.learn(event) && painter.paint()),
  });
  input.attach((event) => notifications.watch(event, router));
  input.start();
  showScreen(terminal, store, painter, panes);
  beginChat(start, target, store, context);

  await new Promise(setImmediate);
  const { mountApp } = await loadInk();
  mountApp({ store, context, panes, screen, hintsOf, choiceRows: overlays.choiceRows }, screen);
  markdown.start();
  await startFollowingConfig(start, store, context, () => painter.paint());
  await notifications.load(notificationOptions(start, session, context));
  (await import('./pictures.ts')).startPictures({ session, target, terminal, environment, panes });
  await session.start();
  await warmUpWhenIdle(spare(), store.getState, warmUpPauses);
}

/** @param paint draws the screen again */
async function startFollowingConfig(
  start: Start,
  store: AppStore,
  context: CommandContext,
  paint: () => void,
): Promise<void> {
  const { followConfig } = await import('./follow-config.ts');
  const report = (text: string, tone: 'info' | 'warning'): void =>
    notify(context, text, { tone, about: 'settings', forMs: settingsNoticeMs });
  await followConfig({ file: currentPaths().configFile, store, environment: start.environment, report });
  start.ownThemes.follow((problem) => report(problem, 'warning'), paint);
}

/** The first key of a command, as it is shown. */
const labelsOf =
  (keymap: Keymap) =>
  (id: string): string =>
    keyLabel(keymap.keysOf(id)[0] ?? '');

const notificationOptions = (
  { terminal, environment, crashes }: Start,
  { store, record }: Session,
  context: CommandContext,
) => ({
  store,
  record,
  terminal,
  environment,
  stateDirectory: currentPaths().state,
  secrets: crashes.hidden,
  openConversation: (id: ConversationId) => show(context, id),
  report: (text: string, about: string) => notify(context, text, { about, forMs: settingsNoticeMs }),
});

/** The terminal keeps its own mouse while the setting says so, and gets Unicode where the user says that it can draw it. */
function followTerminalSettings({ screen, capabilities }: TerminalSession, store: AppStore): void {
  const follow = ({ settings }: AppState): void => {
    screen.setMouse(settings.mouse);
    screen.setUtf8(settings.glyphs === 'unicode' || capabilities().isUtf8);
  };
  follow(store.getState());
  store.subscribe(follow);
}

/** Draws the first frame, and another one at every new size. */
function showScreen(terminal: TerminalSession, store: AppStore, painter: Painter, panes: () => Panes): void {
  const { screen, onResize } = terminal;
  const resize = (): void => {
    const { columns, rows } = screen;
    store.setState(setSize({ columns, rows }));
    store.setState(recountPlace(panes()));
    painter.paint();
  };
  onResize(resize);
  followTerminalSettings(terminal, store);
  screen.enter();
  resize();
}

/** Shows what the user should know at the start, and opens the conversation that was open last. */
function beginChat(start: Start, target: ChatTarget, store: AppStore, context: CommandContext): void {
  const { terminal, environment, chosen } = start;
  const { problem } = chosen;
  if (target.notice !== undefined) showTokenNotice(store, target.notice);
  if (problem !== null) notify(context, problem, { tone: 'warning', about: 'settings', forMs: settingsNoticeMs });
  if (environment.tokenWarning !== null) showTokenNotice(store, `Careful: ${environment.tokenWarning}`);
  const isAsciiAlone = !terminal.capabilities().isUtf8 && chosen.settings.glyphs !== 'unicode';
  if (isAsciiAlone) notify(context, asciiNotice, { about: 'locale', forMs: asciiNoticeMs });
  const openId = store.getState().local.opened ?? target.opens ?? null;
  if (openId !== null) void reopen(store, openId, (id) => show(context, id));
}

/** Shows the conversation with the focus in the composer. */
function show(context: CommandContext, id: ConversationId): void {
  context.openConversation(id);
  context.update(setFocus('composer'));
}

function showNew(context: CommandContext, id: ConversationId): void {
  show(context, id);
  context.update(markOpenedByItself(Date.now()));
}

const asciiNotice =
  'All but ASCII is shown as ?: set LANG to a UTF-8 locale, such as C.UTF-8, where the terminal is one.';

const isCovered = (state: AppState): boolean => topOverlay(state) !== null;

/** @throws ExitError, with the terminal given back, when the account's files cannot be opened */
function openOrExplain(terminal: TerminalSession, target: ChatTarget, options: SessionOptions): Session {
  try {
    return target.open?.(options) ?? openSession(target, options);
  } catch (error) {
    terminal.restore.restore();
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}
