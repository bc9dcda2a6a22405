/** Gives the terminal back as it was on exits, signals, errors and the pause of Ctrl-Z. */
import { constants } from 'node:os';
import { closeLostTerminals, writeLastWords } from './tty-port.ts';

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
  /** Makes the short text for stderr, cleaned and without secrets; null: print nothing. */
  readonly onFatal: (error: unknown) => string | null;
  /** Called once before a signal or an error ends the program; synchronous, for what must not be lost. */
  readonly beforeExit?: () => void;
  /** After a pause: sizes and times may have changed. */
  readonly onResume?: () => void;
  /** For stderr unless given. */
  readonly say?: (text: string) => void;
  /** Node writes a profile of this run. */
  readonly isProfiled?: boolean;
  readonly process?: ProcessPort;
}

export interface Restore {
  /** Gives the terminal back; idempotent and synchronous. */
  restore(): void;
  /** Restores, then ends the program because of an error. */
  fatal(error: unknown): void;
  /** Ctrl-Z: stops the whole job, so that the shell takes over, until it is continued. */
  suspend(): void;
  /** Runs something else on the terminal (an editor) and comes back. */
  whileAway<T>(run: () => Promise<T>): Promise<T>;
  /** Takes all listeners away. */
  uninstall(): void;
}

/**
 * What ends a program that does not listen, but for the signs of a fault in the program itself (SIGSEGV, SIGBUS, SIGILL,
 * SIGFPE, SIGTRAP): nothing can run after these. Unheard SIGUSR1 would open Node's debugger, and write into the screen that it did.
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
/** A job without a shell above it (an orphaned process group) is not stopped by SIGTSTP at all: then it goes on. */
const notStoppedMs = 200;

export function installRestore(options: RestoreOptions): Restore {
  const { screen, input, say = writeLastWords } = options;
  const target: ProcessPort = options.process ?? (process as unknown as ProcessPort);
  const listeners: [string, (...values: never[]) => void][] = [];
  let isEnding = false;
  /** Stopped by Ctrl-Z, or lending the terminal to another program. */
  let away: 'stopped' | 'lent' | null = null;
  let fallback: NodeJS.Timeout | null = null;

  const restore = (): void => {
    input.stop();
    screen.leave();
  };

  const end = (code: number, text: string | null): void => {
    if (isEnding) return;
    isEnding = true;
    try {
      options.beforeExit?.();
    } finally {
      restore();
      if (text !== null) say(text);
      target.exit(code);
    }
  };

  /**
   * `kill %1` in a shell sends a stopped job SIGTERM and SIGCONT. The terminal is the shell's then and was given back before
   * the stop; Node would set it once more on its way out, for which the system would stop the job again. The signal's
   * default action ends it without that.
   */
  const endBy = (signal: string, code: number): void => {
    if (away !== 'stopped' || isEnding) {
      end(code, null);
      return;
    }
    isEnding = true;
    try {
      options.beforeExit?.();
    } finally {
      uninstall();
      target.kill(target.pid, signal);
    }
  };

  const fatal = (error: unknown): void => {
    restore();
    end(1, describe(options.onFatal, error));
  };

  const comeBack = (): void => {
    if (isEnding) return;
    away = null;
    if (fallback !== null) clearTimeout(fallback);
    fallback = null;
    target.off('SIGTSTP', suspend);
    target.on('SIGTSTP', suspend);
    input.start();
    screen.enter();
    // Only the foreground job is told of new sizes; the signal makes Node ask for the size again.
    if (target.platform !== 'win32') target.kill(target.pid, 'SIGWINCH');
    options.onResume?.();
  };

  /** A signal that ends the program may have come together with the one that continues it: that one goes first. */
  const resume = (): void => {
    setImmediate(() => {
      if (away === 'stopped') comeBack();
    });
  };

  function suspend(): void {
    // Windows knows no stopped jobs.
    if (away !== null || isEnding || target.platform === 'win32') return;
    away = 'stopped';
    restore();
    // Without our listener the signal does what it does to any program; the group, so that a parent like npm stops too.
    target.off('SIGTSTP', suspend);
    fallback = setTimeout(resume, notStoppedMs);
    target.kill(0, 'SIGTSTP');
  }

  function uninstall(): void {
    if (fallback !== null) clearTimeout(fallback);
    for (const [event, listener] of listeners) target.off(event, listener);
  }

  const listen = (event: string, listener: (...values: never[]) => void): void => {
    target.on(event, listener);
    listeners.push([event, listener]);
  };

  listen('exit', () => {
    restore();
    closeLostTerminals();
  });
  for (const signal of ending) {
    const number = constants.signals[signal];
    // V8's profiler uses this signal, and a listener would replace its handler.
    const isTaken = signal === 'SIGPROF' && options.isProfiled === true;
    // 128 + the number of the signal, as shells have it; not every system has all of them.
    if (number !== undefined && !isTaken) listen(signal, () => endBy(signal, 128 + number));
  }
  listen('uncaughtException', fatal);
  listen('unhandledRejection', fatal);
  listen('SIGTSTP', suspend);
  listen('SIGCONT', resume);

  return {
    restore,
    fatal,
    suspend,
    async whileAway(run) {
      away = 'lent';
      restore();
      try {
        return await run();
      } finally {
        comeBack();
      }
    },
    uninstall,
  };
}

/** An error while reporting must not stop the restoring. */
function describe(onFatal: RestoreOptions['onFatal'], error: unknown): string | null {
  try {
    return onFatal(error);
  } catch {
    return 'internal error\n';
  }
}
