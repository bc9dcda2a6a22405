/** Ends a request that takes too long as a whole, waits too long for its next byte, or is called off. */
import { setMaxListeners } from 'node:events';

interface Deadline {
  readonly signal: AbortSignal;
  /**
   * Rejects as soon as the signal aborts: undici reports an abort only when the connection is up or has failed, and does
   * not send the request then.
   */
  limit<T>(answer: Promise<T>): Promise<T>;
  /** Starts the wait for the next byte, or starts it again. */
  restartIdleTimer(): void;
  /** Must be called when the request is over, however it ended. */
  end(): void;
}

/** @param outer signals that abort the request as well */
export function startDeadline(wholeMs: number, idleMs: number, outer: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const abort = (code: string, message: string): void => controller.abort(Object.assign(new Error(message), { code }));
  const whole = setTimeout(() => {
    abort('DEADLINE', `no complete answer within ${seconds(wholeMs)}`);
  }, wholeMs);
  let idle: NodeJS.Timeout | undefined;
  const cancel = () => abort('ABORTED', 'the request was ended here before an answer came');
  for (const signal of outer) {
    // All requests under way listen to it. Without this, Node prints a warning over the screen when there are more than ten.
    setMaxListeners(0, signal);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }
  return {
    signal: controller.signal,
    limit: (answer) => Promise.race([answer, rejectOn(controller.signal)]),
    restartIdleTimer() {
      if (idle !== undefined) idle.refresh();
      else {
        idle = setTimeout(() => {
          abort('IDLE', `the server was silent for ${seconds(idleMs)}`);
        }, idleMs);
      }
    },
    end() {
      clearTimeout(whole);
      clearTimeout(idle);
      for (const signal of outer) signal.removeEventListener('abort', cancel);
    },
  };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
