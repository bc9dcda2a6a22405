/** Unread messages in a thread: where a conversation that was just opened is shown, and how many are below the pane. */
import type { ConversationId } from '../protocol/types.ts';
import { memoBy } from '../state/collections/memo.ts';
import { countUnread, firstUnread, hasPlace, messagesAfter } from '../state/local/unread.ts';
import type { AppState, ReadLine, ScrollPlace, Thread } from '../state/model/app-state.ts';
import { selectUnread } from '../state/select/selectors.ts';
import type { Layout } from './layout.ts';
import { type Blocks, placeFrom, rowsBeyond, type ShownThread, scrollBy, visibleThread } from './thread-scroll.ts';

/**
 * Where a thread is shown that was just opened. One that was left at its end begins where unread begins, when its
 * unread messages do not all fit on the screen. One that was left elsewhere stays there, unless that message is gone;
 * it counts as being at its end when that is in sight.
 */
export function openingPlace(shown: ShownThread, state: AppState): ScrollPlace {
  const { blocks, place, height, sticks } = shown;
  const { openId } = state.view;
  if (openId === null || selectUnread(state, openId) === 0) return place;
  const isHeld = place.at === 'message' && blocks.items.some(({ id }) => id === place.messageId);
  if (isHeld) return scrollBy(shown, 0);
  const first = firstNew(blocks, state, openId);
  return first < 0 ? { at: 'bottom' } : placeFrom(blocks, first, height, sticks);
}

/**
 * The index of the first unread item, which is after the "new" line. There is no line where all that is loaded is
 * unread. -1: the end is shown.
 */
function firstNew({ items }: Blocks, state: AppState, openId: ConversationId): number {
  const thread = state.cache.threads.get(openId);
  const line = state.local.readLines.get(openId);
  if (thread === undefined || line === undefined || (thread.older !== 'end' && !hasPlace(line))) return -1;
  const before = items.findIndex(({ id }) => id === thread.newLineAfter);
  if (before >= 0) return before + 1;
  const first = firstUnread(thread.messages, line, state);
  return items.findIndex(({ id }) => id === first?.id);
}

/** How many unread messages are below the pane; null where that is not known. `nothing`: no row is below it. */
export type Below = number | null | 'nothing';

/** Whether the end is in sight, also where the thread is not kept at it: a pane that has become higher may reach it. */
const isEndInSight = ({ blocks, place, height, sticks }: ShownThread): boolean =>
  sticks && rowsBeyond(blocks, place, height, 1).below === 0;

/**
 * Returns a function that counts the unread messages below the pane. As typing asks at each key, it counts anew only when the
 * rows of the thread, or what is read of it, may have changed.
 *
 * @param open the thread that is shown; null when no conversation is
 * @param inputsOf everything that the rows of the thread are made from
 */
export function createUnreadBelow(
  open: (state: AppState, layout: Layout) => ShownThread | null,
  inputsOf: (state: AppState, layout: Layout) => readonly unknown[],
): (state: AppState, layout: Layout) => Below {
  const count = memoBy(
    ({ state, layout }: { readonly state: AppState; readonly layout: Layout }) => [
      ...inputsOf(state, layout),
      ...[state.cache.unread, state.local.readLines, state.local.me],
    ],
    ({ state, layout }): Below => {
      const shown = open(state, layout);
      if (shown === null || isEndInSight(shown)) return 'nothing';
      return unreadBelow(shown, state);
    },
  );
  return (state, layout) => count({ state, layout });
}

/**
 * Counts the unread messages below the pane. Where the newest messages are not in memory, these are the unread ones that
 * are not above. Null: unread ones that are not in memory may be above as well as below.
 */
function unreadBelow({ blocks, place, height, sticks }: ShownThread, state: AppState): number | null {
  const { openId } = state.view;
  const thread = openId === null ? undefined : state.cache.threads.get(openId);
  const unread = openId === null ? 0 : selectUnread(state, openId);
  if (openId === null || thread === undefined || unread === 0 || place.at === 'bottom') return 0;
  // A message of which only the author or the day is in sight has not been seen.
  const seen = visibleThread(blocks, place, height).filter(({ line }) => line >= 0);
  const inSight = new Set(seen.map(({ index }) => blocks.items[index]?.id));
  const after = thread.messages.findLastIndex(({ id }) => inSight.has(id)) + 1;
  const line = state.local.readLines.get(openId);
  const above = countUnread(thread.messages.slice(0, after), line, state);
  if (sticks) return Math.min(unread, countUnread(thread.messages, line, state) - above);
  return reachesLine(thread, line) ? Math.max(0, unread - above) : null;
}

/** Whether no unread message is before the ones in memory. */
const reachesLine = ({ messages, older }: Thread, line: ReadLine | undefined): boolean =>
  older === 'end' || messagesAfter(messages, line).length < messages.length;
