/** What has to be ended when a chat gives the terminal to another one, in the same process. */

export class Teardown {
  readonly #ends: (() => void)[] = [];
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  /** `end` runs with the others, or at once where those have run: what was started too late ends at once. */
  add(end: () => void): void {
    if (this.#isOver) end();
    else this.#ends.push(end);
  }

  /** The last added one runs first. */
  run(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const end of this.#ends.reverse()) end();
  }
}
