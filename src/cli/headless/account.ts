/**
 * Opens an account without a screen. `withAccount` finds and opens it, runs a command on it, and closes everything in any
 * case. The command reads `account.store` and the cache, asks the server by `account.fetch`, and writes by the engine
 * (see `write.ts`). It never sends what others have queued unless it asks for the sender role.
 */
import type { Environment } from '../../config/environment.ts';
import { loadConfig } from '../../config/file.ts';
import { systemKeyring } from '../../config/keyring.ts';
import { currentPaths } from '../../config/paths.ts';
import { type AccountToOpen, openSession, type Session, type SessionOptions } from '../../session.ts';
import { defaultSettings, type Settings } from '../../state/model/settings.ts';
import type { Reads } from '../../sync/engine/engine.ts';
import type { OpAnswer } from '../../sync/services/services.ts';
import { settingsOf } from '../config/chat-settings.ts';
import { onEndingSignal } from '../process/ending-signal.ts';
import { type ErrorDetails, ExitError, exitCodes, messageOf, notSignedInText } from '../process/exit.ts';
import { version } from '../process/version.ts';
import { accountEnvironment } from '../sign-in/chosen-profile.ts';
import { type ChatAccount, findAccount, isWhole, type NoAccount } from '../sign-in/find-account.ts';
import { withTokenWarning } from '../sign-in/token-warning.ts';
import type { AccountOptions, ArchiveOption } from './account-options.ts';
import { asExit } from './api-exit.ts';
import { Deadline } from './deadline.ts';
import { printTroubles, withTroubles } from './storage-troubles.ts';

export interface Account {
  readonly opened: AccountToOpen;
  readonly session: Session;
  readonly store: Session['store'];
  readonly settings: Settings;
  /** The end of the time of `--timeout`, counted from the start of the command. */
  readonly deadline: Deadline;
  /** The last answer of the server to each op that this process has carried out. */
  readonly answers: ReadonlyMap<string, OpAnswer>;
  /** What to do and to print when a signal ends the command; null: nothing. */
  onInterrupt: OnInterrupt | null;
  /** Aborted by Ctrl-C and SIGTERM: the command stops what it is doing. */
  readonly signal: AbortSignal;
  /**
   * Reads from the server: `await account.fetch((read) => read.thread(id))`. The answer is in the state and in the cache
   * when it resolves. Rejects with ExitError: 3, 4, 5 or 6, and 4 when the deadline passes. Never settles after an interrupt.
   */
  fetch<T>(ask: (read: Reads) => Promise<T>): Promise<T>;
}

/** What a command prints that a signal has ended. */
export interface InterruptReport {
  readonly line: string;
  readonly details: ErrorDetails;
}

export interface OnInterrupt {
  /** Waits a moment for answers that should not be lost. */
  beforeClose(): Promise<void>;
  /** What to tell the user once everything is closed; null for nothing. */
  report(): InterruptReport | null;
}

export interface WithAccountOptions extends AccountOptions, ArchiveOption {
  /** The deadline in seconds; by default there is none. */
  readonly timeout?: number;
}

/** The listeners that a command may give to the session; see `SessionOptions`. */
export type AccountListeners = Pick<SessionOptions, 'onIncoming' | 'onPage'>;

/**
 * Rejects with ExitError: 3 when no account is set up, 1 when its files cannot be opened, 130 and 143 for signals; errors
 * that the command throws keep their codes, and errors of the API get those of `asExit`.
 */
export async function withAccount<T>(
  options: WithAccountOptions,
  run: (account: Account) => Promise<T>,
  listeners: AccountListeners = {},
): Promise<T> {
  const deadline = new Deadline(options.timeout ?? null);
  const runOn = ({ toOpen, settings }: Found): Promise<T> => withSession(toOpen, settings, deadline, run, listeners);
  if (options.archive !== undefined) return runOn(await findArchive(options.archive));
  const environment = accountEnvironment(options);
  return withTokenWarning(environment.tokenWarning, async () =>
    runOn(await findOpenable(options, environment, deadline)),
  );
}

/** An account, or an archive, which has its own `open`. */
type ToOpen = AccountToOpen & Pick<ChatAccount, 'open' | 'lateTokenFrom'>;

interface Found {
  readonly toOpen: ToOpen;
  readonly settings: Settings;
}

/** As `withAccount`, for an account that was found before. */
export async function withSession<T>(
  toOpen: ToOpen,
  settings: Settings,
  deadline: Deadline,
  run: (account: Account) => Promise<T>,
  listeners: AccountListeners = {},
): Promise<T> {
  // The delay of `undo_send_seconds` is of no use here: a command has no key that takes a message back.
  const ownSettings = { ...settings, undoSendSeconds: 0 };
  const answers = new Map<string, OpAnswer>();
  const onAnswer = (answer: OpAnswer): void => void answers.set(answer.uuid, answer);
  const session = openOrExplain(inTime(toOpen, deadline), {
    settings: ownSettings,
    isBrief: true,
    onAnswer,
    ...listeners,
  });
  const interrupt = new AbortController();
  const account: Account = {
    opened: toOpen,
    session,
    store: session.store,
    settings: ownSettings,
    deadline,
    signal: interrupt.signal,
    answers,
    onInterrupt: null,
    fetch: (ask) =>
      unlessInterrupted(
        interrupt.signal,
        fetchBefore(deadline, () => ask(session.engine.read)),
      ),
  };
  let interruption: Interrupted | null = null;
  try {
    const result = await interruptible(interrupt, () => session.load().then(() => run(account)));
    printTroubles(session.store);
    return result;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw withTroubles(asExit(error), session.store);
    interruption = error;
    await account.onInterrupt?.beforeClose();
  } finally {
    deadline.cancel();
    await session.close();
  }
  const last = account.onInterrupt?.report() ?? null;
  // Without a line no error is printed that could have the warnings; `tail` ends in no other way.
  if (last === null) printTroubles(session.store);
  throw withTroubles(new Interrupted(interruption.code, last?.line ?? '', last?.details), session.store);
}

/**
 * Settles no more once the signal has come: closing the session cuts a request off, and that is not an answer for which the
 * command should print a cached copy or queue a change.
 */
async function unlessInterrupted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  await answer.catch(() => undefined);
  return signal.aborted ? new Promise(() => undefined) : answer;
}

async function fetchBefore<T>(deadline: Deadline, ask: () => Promise<T>): Promise<T> {
  const asked = ask();
  try {
    return await Promise.race([asked, deadline.passed]);
  } catch (error) {
    throw asExit(error);
  } finally {
    // The request is cut off when the session is closed.
    asked.catch(() => undefined);
  }
}

async function findOpenable(options: AccountOptions, environment: Environment, deadline: Deadline): Promise<Found> {
  const paths = currentPaths();
  const reading = loadConfig(paths.configFile);
  const insecureHttp = options.insecureHttp === true;
  const ways = { insecureHttp, keyring: systemKeyring, noTokenInTime: () => noTokenInTime(deadline) };
  const finding = findAccount({ environment, paths, ...ways }, reading);
  const found = await finding.catch((error: unknown) => {
    throw asExit(error);
  });
  if (!isWhole(found)) throw new ExitError(exitCodes.notSignedIn, notSignedIn(found));
  return { toOpen: found, settings: settingsOf(await reading) };
}

/** A token command that is run before there is an account; it is ended with the program. */
const noTokenInTime = ({ passed, within }: Deadline): Promise<never> =>
  passed.catch(() => {
    throw new ExitError(exitCodes.notReached, `${unreadyTexts.command} ${within}`);
  });

const unreadyTexts = { command: 'the token command did not end', keyring: 'the keyring did not answer' } as const;

/** The account whose deadline tells the time of a token command from that of the server. */
function inTime(toOpen: ToOpen, deadline: Deadline): ToOpen {
  const { token, lateTokenFrom } = toOpen;
  if (typeof token === 'string' || lateTokenFrom === 'server') return toOpen;
  const unready = unreadyTexts[lateTokenFrom ?? 'keyring'];
  return { ...toOpen, token: { read: (signal) => deadline.before(unready, token.read(signal)) } };
}

/** The configuration is not read: nothing in it changes what an archive says. */
async function findArchive(path: string): Promise<Found> {
  const { archiveToOpen } = await import('../archive/archive-session.ts');
  return { toOpen: await archiveToOpen(path), settings: defaultSettings };
}

function notSignedIn({ server, profile, problem }: NoAccount): string {
  if (problem !== undefined) return problem;
  if (server === null) return notSignedInText;
  const [who, how] = profile === undefined ? ['', ''] : [`profile ${profile} is `, ` --profile ${profile}`];
  return `${who}not signed in to ${server}: run msg-tui login${how}, or set MSG_TUI_TOKEN`;
}

function openOrExplain(toOpen: ToOpen, options: SessionOptions): Session {
  try {
    return toOpen.open?.(options) ?? openSession(toOpen, { ...options, program: version });
  } catch (error) {
    throw new ExitError(exitCodes.failure, messageOf(error));
  }
}

/** The error of a command that a signal has interrupted; where its message is empty, nothing is printed. */
class Interrupted extends ExitError {}

/**
 * Rejects with `Interrupted`, and aborts `controller`, when a signal comes first. The command then ends after everything is
 * closed. A second signal ends the process.
 */
async function interruptible<T>(controller: AbortController, run: () => Promise<T>): Promise<T> {
  let remove = (): void => undefined;
  const interrupted = new Promise<never>((_, reject) => {
    remove = onEndingSignal((code) => {
      controller.abort();
      reject(new Interrupted(code, ''));
    });
  });
  const running = run();
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    remove();
    running.catch(() => undefined);
  }
}
