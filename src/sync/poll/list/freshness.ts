/** Reads the newest page of the list before a write that depends on a recent one. */
import { isUnreachable } from '../../services/circuit-breaker.ts';
import { apiError } from '../../services/request.ts';
import type { Services } from '../../services/services.ts';

/** A reading of the list that has begun. */
interface Asking {
  /** To be called when its first rows are in the state. */
  readonly seen: () => void;
  /** To be called when it has ended, also by a failure. */
  readonly end: () => void;
}

/** Knows how recently the list was read, and reads it where that is too long ago. */
export class ListFreshness {
  readonly #context: Services;
  readonly #readFirstPage: () => Promise<unknown>;
  /** How many outages there had been when the list was last read, and when that was, on the monotonic clock. */
  #seen = { outages: -1, at: Number.NEGATIVE_INFINITY };
  #reading: Promise<void> | null = null;
  #firstRows = Promise.resolve();

  constructor(context: Services, readFirstPage: () => Promise<unknown>) {
    this.#context = context;
    this.#readFirstPage = readFirstPage;
  }

  /** To be called when a reading of the list begins. */
  begin(): Asking {
    const asked = this.#now();
    let end = (): void => undefined;
    this.#firstRows = new Promise((resolve) => {
      end = resolve;
    });
    const seen = (): void => {
      this.#seen = asked;
      end();
    };
    return { seen, end };
  }

  /** Resolves when the first rows of the reading that has begun are there, or it failed; at once when there is none. */
  readonly underWay = (): Promise<void> => this.#firstRows;

  /** Reads the first page unless that was tried since the last outage and within `atMostMs`. Rejects with ApiError. */
  readonly ensure = async (atMostMs = Number.POSITIVE_INFINITY): Promise<void> => {
    const now = this.#now();
    if (this.#seen.outages === now.outages && now.at - this.#seen.at < atMostMs) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  };

  async #read(): Promise<void> {
    const asked = this.#now();
    try {
      await this.#readFirstPage();
    } catch (error) {
      unlessAnswered(error);
    }
    this.#seen = asked;
  }

  #now(): { readonly outages: number; readonly at: number } {
    return { outages: this.#context.circuitBreaker.outages(), at: this.#context.clock.monotonic() };
  }
}

/** Throws errors other than refusals: writes are allowed even on a server that refuses its list. */
function unlessAnswered(error: unknown): void {
  const failure = apiError(error);
  const { kind } = failure;
  if (isUnreachable(failure) || kind === 'unauthorized' || kind === 'rate-limited' || kind === 'aborted') throw failure;
}
