/** Whether the list was read since the server was last out of reach: who answers after that may be another one. */

import { apiError } from '../../services/request.ts';
import { isUnreachable } from '../../services/request-gate.ts';
import type { Services } from '../../services/services.ts';

export interface ListFreshness {
  /** The list is being asked for. */
  begin(): ListReading;
  /** Resolves when the first rows of what was begun are there, or it failed; at once when nothing was. */
  underWay(): Promise<void>;
  /**
   * Reads the first page unless that was tried since the server was last out of reach, and no longer ago than that; rejects
   * with ApiError.
   */
  ensure(atMostMs?: number): Promise<void>;
}

interface ListReading {
  readonly seen: () => void;
  readonly end: () => void;
}

export function createListFreshness(context: Services, readFirstPage: () => Promise<unknown>): ListFreshness {
  let seenAfter = -1;
  /** On the monotonic clock. */
  let seenAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  let firstRows = Promise.resolve();

  const read = async (outages: number): Promise<void> => {
    const askedAt = context.clock.monotonic();
    try {
      await readFirstPage();
    } catch (error) {
      unlessAnswered(error);
    }
    seenAfter = outages;
    seenAt = askedAt;
  };

  return {
    begin: () => {
      const outages = context.gate.outages();
      const askedAt = context.clock.monotonic();
      let end = (): void => undefined;
      firstRows = new Promise((resolve) => {
        end = resolve;
      });
      const seen = (): void => {
        seenAfter = outages;
        seenAt = askedAt;
        end();
      };
      return { seen, end };
    },
    underWay: () => firstRows,
    ensure: async (atMostMs = Number.POSITIVE_INFINITY) => {
      const outages = context.gate.outages();
      if (seenAfter === outages && context.clock.monotonic() - seenAt < atMostMs) return;
      reading ??= read(outages).finally(() => {
        reading = null;
      });
      await reading;
    },
  };
}

/** A server that refuses its list may be written to all the same. */
function unlessAnswered(error: unknown): void {
  const failure = apiError(error);
  const { kind } = failure;
  if (isUnreachable(failure) || kind === 'unauthorized' || kind === 'rate-limited' || kind === 'aborted') throw failure;
}
