/** The time that `--timeout` leaves to a command. */
import { ExitError, exitCodes } from '../process/exit.ts';

export class Deadline {
  /** Rejects with ExitError 4 when the time is over; never resolves. */
  readonly passed: Promise<never>;
  readonly #seconds: number | null;
  readonly #timer: NodeJS.Timeout | null;
  #isOver: boolean;
  #reject: (error: ExitError) => void = () => undefined;

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

  /** Ends the time now. */
  pass(): void {
    this.#isOver = true;
    this.#reject(new ExitError(exitCodes.notReached, `no answer from the server ${this.within}`));
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
