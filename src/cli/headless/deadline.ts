/** The time that `--timeout` leaves to a command. */
import { ExitError, exitCodes } from '../exit.ts';

export class Deadline {
  /** Rejects with ExitError 4 when the time is over; never resolves. */
  readonly passed: Promise<never>;
  readonly #seconds: number | null;
  #isOver = false;
  #timer: NodeJS.Timeout | null = null;

  /** @param seconds null: there is no deadline */
  constructor(seconds: number | null) {
    this.#seconds = seconds;
    this.passed = new Promise((_, reject) => {
      if (seconds === null) return;
      this.#timer = setTimeout(() => {
        this.#isOver = true;
        reject(new ExitError(exitCodes.notReached, `no answer from the server ${this.within}`));
      }, seconds * 1000);
    });
    this.passed.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `within 10 s`. */
  get within(): string {
    return `within ${this.#seconds ?? 0} s`;
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
