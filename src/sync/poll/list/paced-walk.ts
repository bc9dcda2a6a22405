/** A walk through the conversation list that a long list does not make a burden: paced, with looks at its head between. */
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

/** After so many pages it is a long list: that it is still being read is said, and how far it is read is remembered. */
const longPages = 5;
/** The first pages leave as fast as the answers come, those of a long list no faster than servers and keys can take. */
const pageEveryMs = 60;
/** While there are keys: one in a hundred comes upon a page that is being taken in. */
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
  let result: Everything;
  try {
    result = await walkEverything(context, { plainIsAll, from, onPage });
  } catch (error) {
    // The place may be what is wrong with it.
    if (from !== null && pages === 0) memory.rest = null;
    throw error;
  }
  const { rest, isEnd, complete } = result;
  memory.rest = rest !== null && rest.rowsBefore < mostRows ? rest : null;
  if (rest === null) {
    memory.hasLookedForArchived = true;
    memory.leavesOutArchived = result.leavesOutArchived;
  }
  if (memory.rest === null && !complete) update(context, setListRest(isEnd ? 'none' : 'missing'));
  return result;
}

const everyMs = (context: Services): number => (context.quietForMs() < stillMs ? pageBesideKeysEveryMs : pageEveryMs);
