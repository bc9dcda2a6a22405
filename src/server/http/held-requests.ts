/** Held requests (long polling): they wait until something changes for their user. */

/** Requests of one user that wait at the same time; one more ends the wait of the oldest. */
const maximumPerPerson = 4;

export interface Waiter {
  /** Resolves with the next change, or when the wait is over. */
  next(): Promise<void>;
  isOver(): boolean;
  remove(): void;
}

export interface Waiters {
  /** @param person `people.seq` */
  add(person: number, seconds: number): Waiter;
  /** To be called when something has changed for these people; null where it may have changed for everybody. */
  wake(people: readonly number[] | null): void;
  count(): number;
  /** Ends all waits; a wait that is added later ends at once. */
  stop(): void;
}

class OneWaiter implements Waiter {
  readonly #timer: NodeJS.Timeout;
  readonly #onRemove: (one: OneWaiter) => void;
  #hasNews = false;
  #isOver = false;
  #resolve: (() => void) | null = null;

  constructor(seconds: number, onRemove: (one: OneWaiter) => void) {
    this.#onRemove = onRemove;
    this.#timer = setTimeout(() => this.end(), seconds * 1000);
  }

  async next(): Promise<void> {
    if (!this.#hasNews && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
    }
    this.#hasNews = false;
  }

  isOver(): boolean {
    return this.#isOver;
  }

  wake(): void {
    this.#hasNews = true;
    this.#resolve?.();
    this.#resolve = null;
  }

  end(): void {
    this.#isOver = true;
    this.wake();
  }

  remove(): void {
    clearTimeout(this.#timer);
    this.#onRemove(this);
  }
}

export function createWaiters(): Waiters {
  /** The waiters of each person, the oldest first. */
  const byPerson = new Map<number, Set<OneWaiter>>();
  let count = 0;
  let isStopped = false;

  const add = (person: number, seconds: number): Waiter => {
    const own = byPerson.get(person) ?? new Set();
    byPerson.set(person, own);
    const waiting = [...own].filter((one) => !one.isOver());
    if (waiting.length >= maximumPerPerson) waiting[0]?.end();
    const waiter = new OneWaiter(seconds, (one) => {
      if (own.delete(one)) count -= 1;
      if (own.size === 0 && byPerson.get(person) === own) byPerson.delete(person);
    });
    own.add(waiter);
    count += 1;
    if (isStopped) waiter.end();
    return waiter;
  };

  return {
    add,
    wake: (people) => {
      for (const person of people ?? byPerson.keys()) for (const waiter of byPerson.get(person) ?? []) waiter.wake();
    },
    count: () => count,
    stop: () => {
      isStopped = true;
      for (const own of byPerson.values()) for (const waiter of own) waiter.end();
    },
  };
}
