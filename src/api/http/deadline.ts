/**
 * One abort signal for all that ends a request early: its time limit, a silent server, the caller, the closed client.
 */

class TimeoutProblem extends Error {
  override readonly name = 'TimeoutProblem';
  readonly code: 'DEADLINE' | 'IDLE';
  constructor(code: 'DEADLINE' | 'IDLE', message: string) {
    super(message);
    this.code = code;
  }
}

/** The caller's own signal, or the closing of the client, ended the request. */
class AbortProblem extends Error {
  override readonly name = 'AbortProblem';
  readonly code = 'ABORTED';
}

export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the wait for the next byte, or starts it again. */
  restartIdleTimer(): void;
  /** Must be called when the request is over, however it ended. */
  end(): void;
}

/** @param outer signals that abort the request as well */
export function startDeadline(wholeMs: number, idleMs: number, outer: readonly AbortSignal[]): Deadline {
  const controller = new AbortController();
  const whole = setTimeout(() => {
    controller.abort(new TimeoutProblem('DEADLINE', `no complete answer within ${seconds(wholeMs)}`));
  }, wholeMs);
  let idle: NodeJS.Timeout | undefined;
  const cancel = () => controller.abort(new AbortProblem('called off'));
  for (const signal of outer) {
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }
  return {
    signal: controller.signal,
    restartIdleTimer() {
      if (idle !== undefined) idle.refresh();
      else {
        idle = setTimeout(() => {
          controller.abort(new TimeoutProblem('IDLE', `the server was silent for ${seconds(idleMs)}`));
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

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
