/** Collects the functions to call when a chat gives the terminal to another one, in the same process. */

export class Teardown {
  readonly #ends: (() => void)[] = [];
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Adds `end`, or calls it at once where the others have been called already. */
  add(end: () => void): void {
    if (this.#isOver) end();
    else this.#ends.push(end);
  }

  /** Calls the functions, the last added one first. */
  run(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of this.#ends.reverse()) end();
  }
}
