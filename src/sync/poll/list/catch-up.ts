/** When and what of a long list is read besides its newest page: news below that page at once, all the rest in sweeps. */
import { usualLimit } from '../../../api/paging/observe.ts';
import type { Services } from '../../services/services.ts';
import { applyRows } from './apply-rows.ts';
import { createSweep, pagesOf, type Sweep } from './background-sweep.ts';
import type { OnMoved } from './poll-list.ts';
import { isLong, type ListPollState, walkDueAt, walkedPageMs } from './poll-state.ts';

export interface Rereading {
  /** What the next step is and when it is due, on the monotonic clock; null: there is none. */
  next(): { readonly at: number; readonly isCatchUp: boolean } | null;
  /** Rejects with ApiError. */
  step(isFocused: boolean): Promise<void>;
  postpone(until: number): void;
}

/** Pages with news leave no faster than servers and keys can take. */
const catchUpPageMs = 60;
const slowerUnfocused = 3;

export function createRereading(context: Services, memory: ListPollState, onMoved: OnMoved): Rereading {
  const { monotonic } = context.clock;
  let catchUp: ReturnType<typeof pagesOf> | null = null;
  let sweep: Sweep | null = null;
  let catchUpAt = 0;
  let sweepAt = 0;

  /** Newest first, what stands below a row without news has none either. */
  const readNews = async (): Promise<void> => {
    const mark = context.writes.mark();
    if (catchUp === null) memory.hasGap = false;
    catchUp ??= pagesOf(context, {}, null);
    try {
      const step = await catchUp();
      if ('result' in step) catchUp = null;
      else {
        const { rows, place } = step.page;
        const { moved, neverRead, endsInNews } = applyRows(context, rows, mark);
        onMoved([...moved, ...neverRead]);
        // The newest page has been taken already.
        if (!endsInNews && place.rowsBefore + rows.length > usualLimit) catchUp = null;
      }
    } catch (error) {
      catchUp = null;
      memory.hasGap = true;
      throw error;
    }
  };

  return {
    next: () => {
      if (catchUp !== null || memory.hasGap) return { at: catchUpAt, isCatchUp: true };
      if (sweep !== null) return { at: sweepAt, isCatchUp: false };
      if (!isLong(memory) || memory.rest !== null) return null;
      return { at: Math.max(sweepAt, walkDueAt(context, memory)), isCatchUp: false };
    },
    step: async (isFocused) => {
      if (catchUp !== null || memory.hasGap) {
        await readNews();
        catchUpAt = monotonic() + catchUpPageMs;
        return;
      }
      sweep ??= createSweep(context, memory, onMoved);
      await sweep.step();
      if (sweep.isOver()) sweep = null;
      sweepAt = monotonic() + walkedPageMs * (isFocused ? 1 : slowerUnfocused);
    },
    postpone: (until) => {
      catchUpAt = Math.max(catchUpAt, until);
      sweepAt = Math.max(sweepAt, until);
    },
  };
}
