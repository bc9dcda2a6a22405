/** Reads the whole conversation list at a pace that leaves room for keys, and reads its first page again in between. */
import type { Conversation } from '../../../protocol/types.ts';
import { markOnline, setListRest } from '../../../state/view/connection.ts';
import { type Everything, walkEverything } from '../../read/full-list.ts';
import { type Services, update } from '../../services/services.ts';
import { pause } from '../../services/timing.ts';
import { stillMs } from '../schedule.ts';
import { type ListPollState, longListPages, mostRows } from './poll-state.ts';

interface WalkSteps {
  readonly take: (conversations: readonly Conversation[]) => void;
  /** Asks for the first page, where news stand. */
  readonly look: () => Promise<unknown>;
}

/** After this many pages the list says that it is still being read, and where the walk is, is remembered. */
const longPages = 5;
/** The pace of a long list; the first pages leave as fast as the answers come. */
const pageEveryMs = 60;
/** The pace while the user types, so that one key in a hundred waits for a page. */
const pageBesideKeysEveryMs = 500;
const lookEveryMs = 5_000;

/**
 *     first page ──► … 1000 pages or 5 minutes (R-PAGE) ──► stopped: the next walk goes on here, and proves no absence
 *         ▲                        └── failed ──────────────► the same
 *         └── the place is refused: from the start
 */
export async function walkInParts(
  context: Services,
  memory: ListPollState,
  plainIsAll: boolean,
  { take, look }: WalkSteps,
): Promise<Everything> {
  const { clock } = context;
  const from = memory.rest;
  let pages = 0;
  let lookedAt = clock.monotonic();
  let askedAt = lookedAt;
  const onPage = async (conversations: readonly Conversation[], place: ListPollState['rest'], isPlain: boolean) => {
    take(conversations);
    pages += 1;
    if (pages < longPages && from === null) return;
    if (isPlain) memory.rest = place;
    update(context, setListRest('coming'));
    if (pages === longPages) update(context, markOnline(clock.now()));
    context.wake();
    if (pages > longListPages) await pause(context, everyMs(context) - (clock.monotonic() - askedAt));
    if (clock.monotonic() - lookedAt >= lookEveryMs) {
      await look();
      lookedAt = clock.monotonic();
    }
    askedAt = clock.monotonic();
  };
  try {
    const result = await walkEverything(context, { plainIsAll, from, onPage });
    rememberRest(context, memory, result);
    return result;
  } catch (error) {
    // The server may have refused the place where the walk was to go on.
    if (from !== null && pages === 0) memory.rest = null;
    throw error;
  }
}

function rememberRest(context: Services, memory: ListPollState, result: Everything): void {
  const { rest, isEnd, complete } = result;
  memory.rest = rest !== null && rest.rowsBefore < mostRows ? rest : null;
  if (rest === null) {
    memory.hasLookedForArchived = true;
    memory.leavesOutArchived = result.leavesOutArchived;
  }
  if (memory.rest === null && !complete) update(context, setListRest(isEnd ? 'none' : 'missing'));
}

const everyMs = (context: Services): number => (context.quietForMs() < stillMs ? pageBesideKeysEveryMs : pageEveryMs);
