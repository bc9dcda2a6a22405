/** Makes the context of the commands from terminal, session and the user's files, and starts searches that follow the state. */
import { dirname, join } from 'node:path';
import { yieldToEventLoop } from '../../api/http/yield-to-event-loop.ts';
import type { CommandContext } from '../../commands/context.ts';
import type { Environment } from '../../config/environment.ts';
import type { Session } from '../../session.ts';
import { personSearch, versionsSearch } from '../../state/details/fill.ts';
import { peopleSearch } from '../../state/search/completion.ts';
import { followSearch } from '../../state/search/incremental-search.ts';
import { listSearch } from '../../state/search/list-search.ts';
import { messageSearch } from '../../state/search/message-search.ts';
import { nameSearch } from '../../state/search/name-prompt.ts';
import { systemClock } from '../../sync/services/clock.ts';
import { clipboardSequence } from '../../terminal/clipboard.ts';
import type { SafeText } from '../../text/safe-text.ts';
import type { MarkdownLoader } from '../../view/markdown.ts';
import { settingsPort } from '../config/settings-port.ts';
import type { CrashReporter } from '../process/crash-report.ts';
import type { TerminalSession } from '../process/terminal-session.ts';
import { comparedToken } from '../sign-in/compared-token.ts';
import type { ChatAccount } from '../sign-in/find-account.ts';
import type { Appearance } from './appearance.ts';
import { createCommandContext } from './command-context.ts';
import { editText } from './edit-text.ts';
import { followFormattedPages } from './formatted-pages.ts';
import type { LateNotifications } from './late-notifications.ts';
import { closeAccount, quit, saveOnLeave } from './leave-chat.ts';
import { openLink } from './open-link.ts';
import { fileSaver } from './save-file.ts';
import { keySaver } from './save-keys.ts';
import { snippetPorts } from './snippets.ts';

/** The parts of the chat once its account is open. */
interface ChatParts extends Pick<CommandContext, 'keyOf'>, Pick<Appearance, 'panes'> {
  readonly terminal: TerminalSession;
  readonly environment: Environment;
  readonly crashes: CrashReporter;
  readonly session: Session;
  readonly account: ChatAccount;
  readonly configFile: string;
  readonly markdown: MarkdownLoader;
  readonly notifications: LateNotifications;
  readonly switchAccount: CommandContext['switchAccount'];
}

export interface ChatContext {
  readonly context: CommandContext;
  /**
   * Ends everything that depends on the account, and closes it. @returns a text about the token that is still to be reported
   */
  close(): Promise<string | null>;
  /** Whether the user quits, or goes to another account. */
  isLeaving(): boolean;
}

export function chatContext(parts: ChatParts): ChatContext {
  const { terminal, environment, crashes, session, account, configFile, panes, markdown, keyOf, notifications } = parts;
  const saver = saveOnLeave(terminal, session, account);
  const stopSearches = followSearches(session);
  const savePage = followFormattedPages({ session, markdown, panes, clock: systemClock });
  let isLeaving = false;
  const stop = (): void => {
    isLeaving = true;
    stopSearches();
    notifications.stop();
    savePage();
  };
  const context = createCommandContext({
    store: session.store,
    engine: session.engine,
    panes,
    keyOf,
    now: Date.now,
    toClipboard: (text) => toClipboard(terminal, environment, text),
    openLink: (href, report) => void openLink(href, environment, report),
    editText: (text, done) => void editText({ terminal, session, editor: environment.editor }, text, done),
    saveFile: fileSaver(session, account),
    saveKeys: keySaver(configFile),
    ...snippetPorts(join(dirname(configFile), 'snippets')),
    signIn(token) {
      crashes.hide(token);
      session.signIn(account.compare === undefined ? token : comparedToken(token, account.compare));
      saver.given(token);
    },
    testNotification: notifications.test,
    freshness: () => freshnessOfLastDay(account.cacheDirectory),
    settings: settingsPort(configFile, environment),
    ...terminalPorts(terminal),
    switchAccount: (name) => void (isLeaving || parts.switchAccount(name)),
    quit() {
      stop();
      void quit(terminal, session, account, saver);
    },
  });
  return {
    context,
    isLeaving: () => isLeaving,
    close() {
      stop();
      return closeAccount(session, saver);
    },
  };
}

const terminalPorts = ({ screen, restore }: TerminalSession) => ({
  redraw: screen.redraw,
  suspend: (onNotStopped: () => void) => restore.suspendOr(onNotStopped),
});

/** Says how fresh the chat was; the code for it is loaded at the first call. */
async function freshnessOfLastDay(cacheDirectory: string): Promise<string> {
  const { freshnessCheck, readFreshness } = await import('../health/freshness.ts');
  return `Age of what was shown in the last day: ${freshnessCheck(await readFreshness(cacheDirectory)).text}`;
}

function toClipboard(
  { screen, capabilities }: TerminalSession,
  { terminal }: Pick<Environment, 'terminal'>,
  text: SafeText,
): string {
  screen.writeControl(clipboardSequence(text, terminal.screen && !terminal.tmux));
  return capabilities().tmux ? ' (tmux: with set-clipboard on)' : '';
}

/** Starts the searches, and returns the function that ends them. */
function followSearches({ store, search, versions, person }: Session): () => void {
  const clock = { ...systemClock, pause: yieldToEventLoop };
  const stops = [
    followSearch(store, listSearch, clock),
    followSearch(store, nameSearch, clock),
    followSearch(store, peopleSearch, clock),
    followSearch(store, messageSearch(search), clock),
    followSearch(store, versionsSearch(versions), clock),
    followSearch(store, personSearch(person), clock),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
