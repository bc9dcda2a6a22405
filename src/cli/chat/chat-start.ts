/** Opens the files of an account for the chat, and starts what follows configuration and new messages. */
import type { CommandContext } from '../../commands/context.ts';
import { openStarted } from '../../commands/new-conversation.ts';
import { openUnread } from '../../commands/next-unread.ts';
import { notify, notifyProblem } from '../../commands/notify.ts';
import { readSettingsAgain } from '../../commands/settings.ts';
import type { Environment } from '../../config/environment.ts';
import type { Config } from '../../config/file.ts';
import { currentPaths } from '../../config/paths.ts';
import type { ConversationId } from '../../protocol/types.ts';
import { openSession, type Session } from '../../session.ts';
import type { AppState, ScrollPlace } from '../../state/model/app-state.ts';
import type { AppStore } from '../../state/store.ts';
import { setAccounts, setProfiles } from '../../state/view/accounts.ts';
import { closeOverlays } from '../../state/view/overlays.ts';
import { patchScreen } from '../../state/view/view.ts';
import type { KeyOf } from '../../view/frame.ts';
import type { Panes } from '../../view/panes.ts';
import type { ChatSettings } from '../config/chat-settings.ts';
import type { OwnThemes } from '../config/own-themes.ts';
import type { CrashReporter } from '../process/crash-report.ts';
import { ExitError, exitCodes, messageOf } from '../process/exit.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import { version } from '../process/version.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import type { AppearanceOptions } from './appearance.ts';
import type { Attention } from './attention.ts';
import { LateNotifications } from './late-notifications.ts';
import { showTokenNotice, watchingToken } from './new-token.ts';
import { type OtherAccounts, profilesOf } from './other-accounts.ts';

export const settingsNoticeMs = 15_000;

/** The notice of what is wrong in config.toml and the variables. */
export const aboutConfiguration = 'configuration';

/** The parts of the program before an account is open. */
export interface Start {
  readonly terminal: TerminalSession;
  readonly environment: Environment;
  readonly crashes: CrashReporter;
  readonly chosen: ChatSettings;
  /** The config.toml that is followed, and that the chat changes. */
  readonly configFile: string;
  readonly ownThemes: OwnThemes;
  /** Keys that did not arrive when `doctor --keys` asked for them. */
  readonly lost: ReadonlySet<string>;
  readonly ascii: boolean;
  /** Names the keys of commands: by the settings of the start, and by those of the chat once one is open. */
  readonly keys: { of: KeyOf };
  readonly attention: Attention;
  /** The other accounts; null where there is none to go to. */
  readonly accounts: OtherAccounts | null;
}

export const appearanceOf = ({ environment, ownThemes, ascii }: Start, { getState }: AppStore): AppearanceOptions => ({
  ...environment,
  theme: () => getState().settings.theme,
  own: ownThemes.of,
  ascii,
  glyphs: () => getState().settings.glyphs,
});

/** The files, store and engine of an account, before anything is drawn. */
export interface Opened {
  readonly session: Session;
  readonly notifications: LateNotifications;
  /** Functions that the session calls and that are set once the screen is there. */
  readonly late: {
    showNew: (id: ConversationId) => void;
    openingPlace: (state: AppState) => ScrollPlace | null;
  };
}

/** @throws StorageError when the account's files cannot be opened */
export function openAccount(start: Start, account: ChatAccount): Opened {
  const watched = watchingToken(account, start.crashes.hide, (text) => showTokenNotice(session.store, text));
  const notifications = new LateNotifications(start.attention);
  const late: Opened['late'] = { showNew: () => undefined, openingPlace: () => null };
  const onCreated = (id: ConversationId): void => late.showNew(id);
  const openingPlace = (state: AppState): ScrollPlace | null => late.openingPlace(state);
  const keyOf: KeyOf = (id) => start.keys.of(id);
  const { onIncoming } = notifications;
  const options = { settings: start.chosen.settings, onCreated, openingPlace, onIncoming, keyOf, program: version };
  const session = watched.open?.(options) ?? openSession(watched, options);
  session.store.setState((state) => patchScreen(state, { lostKeys: start.lost }));
  if (start.accounts !== null) session.store.setState(setAccounts(start.accounts.shown));
  return { session, notifications, late };
}

/** @throws ExitError, with the terminal given back, when the account's files cannot be opened */
export function openOrExplain(start: Start, account: ChatAccount): Opened {
  try {
    return openAccount(start, account);
  } catch (error) {
    start.terminal.restore.restore();
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}

/** @param paint draws the screen again */
export async function startFollowingConfig(
  start: Start,
  store: AppStore,
  context: CommandContext,
  paint: () => void,
): Promise<() => void> {
  const { followConfig } = await import('../config/follow-config.ts');
  const report = (text: string): void => notify(context, text, { about: 'settings', forMs: settingsNoticeMs });
  const warn = (problem: string | null): void => notifyProblem(context, aboutConfiguration, problem);
  const onProfiles = (profiles: Config['profiles']): void => store.setState(setProfiles(profilesOf(profiles)));
  const onRead = (): void => readSettingsAgain(context);
  const options = {
    file: start.configFile,
    store,
    environment: start.environment,
    report,
    warn,
    onRead,
    onProfiles,
  };
  const stop = await followConfig(options);
  const stopThemes = start.ownThemes.follow((problem) => notifyProblem(context, 'theme', problem), paint);
  return () => {
    stop();
    stopThemes();
  };
}

export const notificationOptions = (
  { terminal, environment, crashes }: Start,
  { store, record }: Session,
  context: CommandContext,
  { cacheDirectory }: Pick<ChatAccount, 'cacheDirectory'>,
) => ({
  // An archive has none.
  directory: cacheDirectory === '' ? null : cacheDirectory,
  store,
  record,
  terminal,
  environment,
  stateDirectory: currentPaths().state,
  secrets: crashes.hidden,
  openConversation(id: ConversationId): void {
    // What is typed next is for the conversation, and not for a dialog that was open when the notification was clicked.
    context.update(closeOverlays);
    openUnread(context, id);
  },
  report: (text: string, about: string) => notify(context, text, { about, forMs: settingsNoticeMs }),
});

/** The functions that the session calls, once the screen is there. */
export const callsFrom = (context: CommandContext, panes: () => Pick<Panes, 'openingPlace'>): Opened['late'] => ({
  showNew: (id) => openStarted(context, id),
  openingPlace: (state) => panes().openingPlace(state),
});
