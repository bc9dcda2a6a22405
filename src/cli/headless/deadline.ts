/** The time that `--timeout` leaves to a command. */
import { ExitError, exitCodes } from '../process/exit.ts';

export class Deadline {
  /** Rejects with ExitError 4 when the time is over; never resolves. */
  readonly passed: Promise<never>;
  readonly #seconds: number | null;
  readonly #timer: NodeJS.Timeout | null;
  #isOver: boolean;
  #reject: (error: ExitError) => void = () => undefined;
  #unready: string | null = null;

  /** @param seconds null: there is no deadline */
  constructor(seconds: number | null) {
    this.#seconds = seconds;
    this.#isOver = seconds === 0;
    this.passed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    // Whoever waits for the promise handles its error; a command may end before anybody waits.
    this.passed.catch(() => undefined);
    this.#timer = seconds === null ? null : setTimeout(() => this.pass(), seconds * 1000);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `within 10 s`. */
  get within(): string {
    return this.#seconds === null ? 'in time' : `within ${this.#seconds} s`;
  }

  /** What has not ended in its part of the time, as a sentence; null where the server is waited for. */
  get unready(): string | null {
    return this.#unready;
  }

  /** Ends the time now. */
  pass(): void {
    this.#isOver = true;
    const missing = this.#unready ?? 'no answer from the server';
    this.#reject(new ExitError(exitCodes.notReached, `${missing} ${this.within}`));
  }

  /** @param unready what is said if the time is over before `act` has ended */
  async before<T>(unready: string, act: Promise<T>): Promise<T> {
    this.#unready = unready;
    try {
      return await act;
    } finally {
      this.#unready = null;
    }
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
