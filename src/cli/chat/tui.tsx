/** Runs the chat, the default command: opens terminal, account and session, draws a frame, and then loads Ink for overlays. */
import { setTimeout as wait } from 'node:timers/promises';
import type { CommandContext } from '../../commands/context.ts';
import { followingKeymap } from '../../commands/current-keymap.ts';
import { createHintSelector } from '../../commands/footer.ts';
import { createKeyOf } from '../../commands/key-advice.ts';
import { notify, notifyProblem } from '../../commands/notify.ts';
import { openInPassing } from '../../commands/open-conversation.ts';
import { keymapFor } from '../../commands/table.ts';
import type { AccountFlags } from '../../config/account-flags.ts';
import { loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { hiddenKeys } from '../../config/lost-keys.ts';
import { currentPaths } from '../../config/paths.ts';
import type { Session } from '../../session.ts';
import type { AppState } from '../../state/model/app-state.ts';
import type { AppStore } from '../../state/store.ts';
import { topOverlay } from '../../state/view/overlays.ts';
import { setSize } from '../../state/view/view.ts';
import { systemClock } from '../../sync/services/clock.ts';
import { createRouter } from '../../ui/key-router.ts';
import { PaintedOverlays } from '../../ui/painted-overlays.ts';
import { Painter } from '../../ui/painter.ts';
import type { KeyOf } from '../../view/frame.ts';
import { createMarkdownLoader, type MarkdownLoader } from '../../view/markdown.ts';
import type { Panes } from '../../view/panes.ts';
import { chatSettings } from '../config/chat-settings.ts';
import { loadOwnThemes } from '../config/own-themes.ts';
import { createCrashReporter } from '../process/crash-report.ts';
import { Teardown } from '../process/teardown.ts';
import {
  openTerminal,
  requireTerminal,
  type TerminalSession,
  terminalFacts,
  terminalUntil,
} from '../process/terminal-session.ts';
import { accountEnvironment } from '../sign-in/chosen-profile.ts';
import { type ChatAccount, findAccount, isWhole } from '../sign-in/find-account.ts';
import { askOnTerminal } from '../sign-in/link-account.ts';
import { type Appearance, createAppearance } from './appearance.ts';
import { createAttention, createTerminalFocus } from './attention.ts';
import { chatContext } from './chat-context.ts';
import {
  aboutConfiguration,
  appearanceOf,
  callsFrom,
  notificationOptions,
  type Opened,
  openOrExplain,
  type Start,
  settingsNoticeMs,
  startFollowingConfig,
} from './chat-start.ts';
import { type ChatEnds, goToAccount, type LeftChat } from './go-to-account.ts';
import { startHighlighter } from './highlighter.ts';
import { keepSelected, keepSelectedInSight } from './keep-selected.ts';
import type { LateNotifications } from './late-notifications.ts';
import { leave } from './leave-chat.ts';
import { markReadIfAtEnd } from './mark-read-if-at-end.ts';
import { followNamesInSight } from './names-in-sight.ts';
import { showTokenNotice } from './new-token.ts';
import { otherAccounts } from './other-accounts.ts';
import { recountPlace } from './recount-place.ts';
import { reopenConversation } from './reopen-conversation.ts';
import { warmUpWhenIdle } from './warm-up-when-idle.ts';
import { runWelcome } from './welcome.ts';

export interface TuiOptions extends AccountFlags {
  readonly ascii: boolean;
  readonly insecureHttp: boolean;
}

/** @param makeAccount for commands that know what to open, such as `msg-tui demo` */
export async function runTui(options: TuiOptions, makeAccount?: (keyOf: KeyOf) => Promise<ChatAccount>): Promise<void> {
  const environment = accountEnvironment(options);
  requireTerminal(terminalFacts(environment));
  const paths = currentPaths();
  const { insecureHttp, ascii } = options;
  const config = loadConfig(paths.configFile);
  const chosen = await chatSettings(environment, config);
  const ownThemes = await loadOwnThemes(paths.configFile, chosen.settings.theme);
  const lost: ReadonlySet<string> = new Set(hiddenKeys(paths.state, environment.terminal));
  const keys = { of: createKeyOf(keymapFor(chosen.settings.keys, lost)) };
  const keyOf: KeyOf = (id) => keys.of(id);
  const sources = { environment, paths, insecureHttp, ask: askOnTerminal, keyring: systemKeyring, keyOf };
  const found = await (makeAccount?.(keyOf) ?? findAccount(sources, config));
  const crashes = createCrashReporter(paths.state);
  const terminal = openTerminal(environment, crashes.report);
  const choice = isWhole(found)
    ? found
    : await runWelcome(terminal, sources, found, { load: loadInk, ascii, glyphs: chosen.settings.glyphs });
  if (choice === 'quit') return leave(terminal);
  const isDemo = makeAccount !== undefined || choice === 'demo';
  const accounts = isDemo
    ? null
    : otherAccounts(sources, isWhole(found) ? await config : await loadConfig(paths.configFile));
  const attention = createAttention(systemClock.monotonic);
  const account: ChatAccount = choice === 'demo' ? await (await import('./demo.ts')).startDemo(keyOf) : choice;
  const configFile = account.configFile ?? paths.configFile;
  const parts = { terminal, environment, crashes, chosen, configFile, ownThemes, lost, ascii, keys };
  const start = { ...parts, attention, accounts };
  await openChat(start, account, openOrExplain(start, account), null);
}

const asciiNoticeMs = 10_000;

const loadInk = () => import('../../ui/mount.tsx');

/** @param before the chat that has the screen until this one draws */
async function openChat(start: Start, account: ChatAccount, opened: Opened, before: LeftChat | null): Promise<void> {
  const { session, notifications, late } = opened;
  const ends = { first: new Teardown(), last: new Teardown() };
  const terminal = terminalUntil(start.terminal, ends.last);
  const { screen, input } = terminal;
  const { store } = session;
  const keymap = followingKeymap(store.getState);
  const keyOf = createKeyOf(keymap);
  const markdown = createMarkdownLoader(startHighlighter, () => painter.paint());
  const look = { markdown, ...createAppearance(terminal, appearanceOf(start, store), keyOf, markdown.current), keyOf };
  const { panes } = look;
  const hintsOf = createHintSelector(keymap);
  const focus = createTerminalFocus({ terminal, session, panes, paint: () => painter.paint() });
  const overlays = new PaintedOverlays({ screen, panes, now: Date.now, hintsOf });
  const painter = new Painter({ ...store, screen, panes, hintsOf, isCovered, overlays, restyle: focus.restyle });
  ends.first.add(() => painter.stop());
  ends.last.add(() => painter.clear());
  const switchAccount = (name: string): void =>
    void goToAccount(start, { ...chat, store, ends, painter }, name, openChat);
  const chat = chatContext({ ...start, terminal, ...look, session, account, notifications, switchAccount });
  const { context } = chat;
  Object.assign(late, callsFrom(context, panes));
  start.keys.of = keyOf;
  const router = createRouter({
    context,
    keymap,
    panes,
    drawnOverlays: overlays.drawnOverlays,
    targetAt: screen.targetAt,
    echo: painter,
    onFocus: focus.set,
    onReply: (event) => void (terminal.learn(event) && painter.paint()),
  });
  before?.clear();
  input.attach((event) => notifications.watch(event, router));
  input.start();
  showScreen(terminal, session, painter, panes);
  beginChat(start, account, store, context);
  for (const text of before?.notices ?? [])
    notify(context, text, { about: `account ${text}`, forMs: settingsNoticeMs });

  const ui = { store, context, panes, screen, hintsOf, drawnOverlays: overlays.drawnOverlays };
  await startAfterFirstFrame({ ...start, terminal }, { ...look, ui, session, account, notifications, painter, ends });
}

interface AfterFirstFrame extends Pick<Appearance, 'panes' | 'spare'> {
  readonly ui: Parameters<Awaited<ReturnType<typeof loadInk>>['mountApp']>[0];
  readonly markdown: MarkdownLoader;
  readonly session: Session;
  readonly account: ChatAccount;
  readonly notifications: LateNotifications;
  readonly painter: Painter;
  readonly ends: ChatEnds;
}

/** Lets waiting keys be handled, between two steps of the start that take long. */
const handleKeys = (): Promise<unknown> => new Promise(setImmediate);

/** Starts the rest of the chat. The user may leave the account at each `await`; what is started then is ended at once. */
async function startAfterFirstFrame(start: Start, chat: AfterFirstFrame): Promise<void> {
  const { ui, markdown, session, account, notifications, painter, panes, spare, ends } = chat;
  const { terminal, environment } = start;
  const { store, context } = ui;
  await handleKeys();
  const { mountApp } = await loadInk();
  await handleKeys();
  if (ends.first.isOver) return;
  const mounted = mountApp(ui, terminal.screen);
  ends.first.add(() => mounted.unmount());
  await handleKeys();
  if (ends.first.isOver) return;
  markdown.start();
  ends.first.add(await startFollowingConfig(start, store, context, () => painter.paint()));
  await notifications.load(notificationOptions(start, session, context, account));
  ends.first.add(notifications.stop);
  await handleKeys();
  const { startPictures } = await import('./pictures.ts');
  await handleKeys();
  if (ends.first.isOver) return;
  ends.last.add(startPictures({ session, account, terminal, environment, panes }));
  await session.start();
  const after = (delayMs: number, callback: () => void): void =>
    void setTimeout(() => ends.first.isOver || callback(), delayMs).unref();
  followNamesInSight({ store, engine: session.engine, panes, now: Date.now, after });
  if (!ends.first.isOver) await warmUpWhenIdle(spare(), store.getState, { wait, isBusy: start.attention.isBusy });
}

/** Follows the settings of the mouse, and of the characters that the terminal can draw. */
function followTerminalSettings({ screen, capabilities }: TerminalSession, store: AppStore): void {
  const follow = ({ settings }: AppState): void => {
    screen.setMouse(settings.mouse);
    screen.setUtf8(settings.glyphs === 'unicode' || capabilities().isUtf8);
  };
  follow(store.getState());
  store.subscribe(follow);
}

/** Draws the first frame, and another one at every new size. */
function showScreen(terminal: TerminalSession, session: Session, painter: Painter, panes: () => Panes): void {
  const { screen, onResize } = terminal;
  const { store, engine } = session;
  const resize = (): void => {
    const { columns, rows } = screen;
    const before = store.getState();
    store.setState(setSize({ columns, rows }));
    store.setState(recountPlace(panes()));
    store.setState(keepSelected(panes(), before));
    markReadIfAtEnd({ store, engine, panes }, before);
    painter.paint();
  };
  onResize(resize);
  keepSelectedInSight(store, panes);
  followTerminalSettings(terminal, store);
  screen.enter();
  resize();
}

/** Shows what the user should know at the start, and opens the conversation that was open last. */
function beginChat(start: Start, account: ChatAccount, store: AppStore, context: CommandContext): void {
  const { terminal, environment, chosen } = start;
  const { problem } = chosen;
  if (account.notice !== undefined) showTokenNotice(store, account.notice);
  notifyProblem(context, aboutConfiguration, problem);
  if (environment.tokenWarning !== null) showTokenNotice(store, `Careful: ${environment.tokenWarning}`);
  const isAsciiAlone = !terminal.capabilities().isUtf8 && chosen.settings.glyphs !== 'unicode';
  if (isAsciiAlone) notify(context, asciiNotice, { about: 'locale', forMs: asciiNoticeMs });
  const openId = store.getState().local.opened ?? account.opens ?? null;
  if (openId !== null) void reopenConversation(store, openId, (id) => openInPassing(context, id));
}

const asciiNotice =
  'Characters outside ASCII are shown as ?. If your terminal supports UTF-8, set LANG to a UTF-8 locale such as C.UTF-8.';

const isCovered = (state: AppState): boolean => topOverlay(state) !== null;
