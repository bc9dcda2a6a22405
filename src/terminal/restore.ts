/** Gives the terminal back when the program exits, when a signal or an error ends it, and while Ctrl-Z stops it. */
import { constants } from 'node:os';
import { closeLostTerminals, writeBeforeExit } from './tty-port.ts';

export interface ProcessPort {
  readonly pid: number;
  readonly platform: string;
  on(event: string, listener: (...values: never[]) => void): unknown;
  off(event: string, listener: (...values: never[]) => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): unknown;
}

export interface RestoreOptions {
  readonly screen: { enter(): void; leave(): void };
  readonly input: { start(): void; stop(): void };
  /** @returns the short text for stderr, cleaned and without secrets; null to print nothing */
  readonly onFatal: (error: unknown) => string | null;
  /** Called once before a signal or an error ends the program; synchronous, for what must not be lost. */
  readonly beforeExit?: () => void;
  /** Called before Ctrl-Z or the signal of it stops the program, which may never be continued; synchronous as well. */
  readonly beforeStop?: () => void;
  /** Called after a pause, in which the size may have changed. */
  readonly onResume?: () => void;
  /** Prints the text of `onFatal`; to stderr by default. */
  readonly say?: (text: string) => void;
  /** Whether Node writes a profile of this run. */
  readonly isProfiled?: boolean;
  readonly process?: ProcessPort;
}

/**
 * The signals that end a program which does not listen to them. Those that report a fault in the program itself
 * (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP) are missing, because nothing can run after them. Without a listener
 * SIGUSR1 would open Node's debugger, which writes into the screen.
 */
const ending = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGXCPU',
  'SIGABRT',
  'SIGSYS',
  'SIGSTKFLT',
  'SIGPWR',
  ...(process.platform === 'linux' ? (['SIGIO'] as const) : []),
] as const;
/** The time after which the program continues if SIGTSTP has not stopped it, as in a job without a shell. */
const notStoppedMs = 200;
/** How long a signal may take to arrive that was sent before the one that continues the program. */
const otherSignalMs = 30;

type Listener = (...values: never[]) => void;

export class Restore {
  readonly #options: RestoreOptions;
  readonly #process: ProcessPort;
  readonly #listeners: [event: string, Listener][] = [];
  #isEnding = false;
  /** Whether Ctrl-Z has stopped the program, or the terminal is lent to another one. */
  #away: 'stopped' | 'lent' | null = null;
  #fallback: NodeJS.Timeout | null = null;
  /** To be called if the program comes back without having been stopped. */
  #onNotStopped: (() => void) | null = null;

  constructor(options: RestoreOptions) {
    this.#options = options;
    this.#process = options.process ?? (process as unknown as ProcessPort);
    this.#listen('exit', () => {
      this.restore();
      closeLostTerminals();
    });
    for (const signal of ending) {
      const number = constants.signals[signal];
      // V8's profiler uses this signal, and a listener would replace its handler.
      const isTaken = signal === 'SIGPROF' && options.isProfiled === true;
      // Shells report 128 + the number of the signal. Not every system has all of them.
      if (number !== undefined && !isTaken) this.#listen(signal, () => this.#endBy(signal, 128 + number));
    }
    this.#listen('uncaughtException', this.fatal);
    this.#listen('unhandledRejection', this.fatal);
    this.#listen('SIGTSTP', this.suspend);
    this.#listen('SIGCONT', () => {
      this.#onNotStopped = null;
      this.#resume();
    });
  }

  /** Gives the terminal back before it returns. It may be called twice. */
  restore(): void {
    this.#options.screen.leave();
    this.#options.input.stop();
  }

  /** Restores, then ends the program because of an error. */
  readonly fatal = (error: unknown): void => {
    this.restore();
    this.#end(1, describe(this.#options.onFatal, error));
  };

  /** Does what Ctrl-Z does elsewhere: stops the whole job, so that the shell takes over until the job is continued. */
  readonly suspend = (): void => {
    // Windows knows no stopped jobs.
    if (this.#away !== null || this.#isEnding || this.#process.platform === 'win32') return;
    this.#away = 'stopped';
    this.#options.beforeStop?.();
    this.restore();
    // Without our listener the signal stops this program. It goes to the group, so that a parent like npm stops too.
    this.#process.off('SIGTSTP', this.suspend);
    this.#fallback = setTimeout(this.#resume, notStoppedMs);
    this.#process.kill(0, 'SIGTSTP');
  };

  /** As `suspend`; calls back where nothing could be stopped, as in a window in which no shell waits for the program. */
  suspendOr(onNotStopped: () => void): void {
    this.#onNotStopped = onNotStopped;
    if (this.#process.platform === 'win32') this.#tellIfNotStopped();
    else this.suspend();
  }

  /**
   * Runs something else on the terminal (an editor) and comes back. Ctrl-C is meant for that program, and Ctrl-Z stops
   * this one as well, by the default action, so that the shell takes over.
   */
  async whileAway<T>(run: () => Promise<T>): Promise<T> {
    this.#away = 'lent';
    this.restore();
    this.#process.off('SIGTSTP', this.suspend);
    try {
      return await run();
    } finally {
      this.#comeBack();
    }
  }

  /** Removes all listeners. */
  uninstall(): void {
    if (this.#fallback !== null) clearTimeout(this.#fallback);
    for (const [event, listener] of this.#listeners) this.#process.off(event, listener);
  }

  #listen(event: string, listener: Listener): void {
    this.#process.on(event, listener);
    this.#listeners.push([event, listener]);
  }

  #end(code: number, text: string | null): void {
    this.#endOnce(() => {
      this.restore();
      if (text !== null) (this.#options.say ?? writeBeforeExit)(text);
      this.#process.exit(code);
    });
  }

  /**
   * `kill %1` in a shell sends a stopped job SIGTERM and SIGCONT. By then the terminal was given back and belongs to
   * the shell. Node would set it once more as it exits, for which the system would stop the job again, so the signal
   * ends the program by its default action.
   */
  #endBy(signal: string, code: number): void {
    if (this.#away === 'lent' && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    if (this.#away !== 'stopped') this.#end(code, null);
    else
      this.#endOnce(() => {
        this.uninstall();
        this.#process.kill(this.#process.pid, signal);
      });
  }

  #endOnce(end: () => void): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    try {
      this.#options.beforeExit?.();
    } finally {
      end();
    }
  }

  /**
   * Waits for a signal that ends the program and may have come together with the one that continues it: on a busy machine
   * another thread of this process takes it a moment later. Setting the terminal before that would stop the job again.
   */
  readonly #resume = (): void => {
    setTimeout(() => {
      if (this.#away === 'stopped') this.#comeBack();
    }, otherSignalMs);
  };

  #tellIfNotStopped(): void {
    this.#onNotStopped?.();
    this.#onNotStopped = null;
  }

  #comeBack(): void {
    if (this.#isEnding) return;
    this.#away = null;
    if (this.#fallback !== null) clearTimeout(this.#fallback);
    this.#fallback = null;
    this.#process.off('SIGTSTP', this.suspend);
    this.#process.on('SIGTSTP', this.suspend);
    this.#options.input.start();
    this.#options.screen.enter();
    // Only the foreground job is notified of new sizes; the signal makes Node ask for the size again.
    if (this.#process.platform !== 'win32') this.#process.kill(this.#process.pid, 'SIGWINCH');
    this.#options.onResume?.();
    this.#tellIfNotStopped();
  }
}

/** An error in `onFatal` must not prevent the end. */
function describe(onFatal: RestoreOptions['onFatal'], error: unknown): string | null {
  try {
    return onFatal(error);
  } catch {
    return 'internal error\n';
  }
}
