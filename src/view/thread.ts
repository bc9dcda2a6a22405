/** Draws the thread pane: title, pinned message, and as many rows of the open conversation as there is room for. */
import type { Attachment, Millis } from '../protocol/types.ts';
import { memoBy, memoLast, sameList } from '../state/collections/memo.ts';
import type { AppState, ScrollPlace, Thread } from '../state/model/app-state.ts';
import type { TextSelection, TextSpot } from '../state/model/place.ts';
import { pictureFacts } from '../state/pictures/policy.ts';
import { type Quoted, selectQuoted } from '../state/select/quoted.ts';
import { selectConversation, selectPlace, selectThreadItems, type ThreadItem } from '../state/select/selectors.ts';
import type { Row } from '../text/layout/row.ts';
import type { FormattedText } from '../text/markdown/formatted-page.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { dayKey } from '../text/time.ts';
import { blankRows, blankThread } from './empty-panes.ts';
import { bothSides, framed, type KeyOf, type Look } from './frame.ts';
import type { Layout, Rect } from './layout.ts';
import { formattedText } from './message-text.ts';
import { drawSelection, messageAt, selectedCells, textIn, wordAt } from './text-selection.ts';
import { createAnchorKeeper, keptPlace, placeUnderHead, recountedPlace, rememberedPlace } from './thread-anchor.ts';
import { createBlocks } from './thread-blocks.ts';
import { createThreadHead, headInputs, type ThreadHead } from './thread-head.ts';
import {
  type Blocks,
  reveal,
  rowsBeyond,
  type ScrollAmount,
  type ShownThread,
  scrolledPlace,
  visibleItems,
  visibleThread,
} from './thread-scroll.ts';
import { type Below, createUnreadBelow, openingPlace } from './thread-unread.ts';

export interface ThreadPane {
  rows(state: AppState, layout: Layout): readonly Row[];
  scroll(state: AppState, layout: Layout, amount: ScrollAmount): ScrollPlace;
  /** The scroll position, its line counted in the rows that are drawn now; null where no thread is shown. */
  place(state: AppState, layout: Layout): ScrollPlace | null;
  reveal(state: AppState, layout: Layout, id: string): ScrollPlace;
  /** Where the open conversation is shown when it has just been opened; null where no thread is shown. */
  openingPlace(state: AppState, layout: Layout): ScrollPlace | null;
  /** How many unread messages of the open conversation are below the pane; null where some are and nobody knows how many. */
  unreadBelow(state: AppState, layout: Layout): Below;
  needsHistory(state: AppState, layout: Layout): HistoryNeeds;
  /** The ids of the messages of whose text a row is shown, oldest first; the author and the day are no text. */
  messagesInSight(state: AppState, layout: Layout): readonly string[];
  attachmentsInSight(state: AppState, layout: Layout): readonly Attachment[];
  formattedInSight(state: AppState, layout: Layout): readonly FormattedText[];
  /** The cell of a message that is drawn at a cell of the screen; null where no messages are shown. */
  spotAt(state: AppState, layout: Layout, cell: { readonly x: number; readonly y: number }): PointedSpot | null;
  /** The text that is selected, as it was written; '' where none is. */
  selectedText(state: AppState, layout: Layout): SafeText;
  /** The word or the whole message at a spot; null where there is none. */
  selectionAt(state: AppState, layout: Layout, spot: TextSpot, unit: 'word' | 'message'): TextSelection | null;
  readonly drawn: () => number;
}

export interface HistoryNeeds {
  /** Less than a page is left in that direction, and there is more to get. */
  readonly older: boolean;
  readonly newer: boolean;
}

export interface PointedSpot {
  readonly spot: TextSpot;
  /** -1: the cell is above the messages; 1: it is below them. The spot is then the nearest one. */
  readonly beyond: -1 | 0 | 1;
}

interface Drawn {
  readonly inputs: readonly unknown[];
  readonly rows: readonly Row[];
}

/** The open thread with its scroll position and height. */
interface OpenThread extends ShownThread {
  readonly blocks: Blocks<ThreadItem>;
  /** The place as the state has it, whose line may count other rows than `counted` does. */
  readonly stored: ScrollPlace;
  readonly counted: ScrollPlace;
  readonly headRows: number;
}

const bottom: ScrollPlace = { at: 'bottom' };

function visibleRows({ blocks, place, height }: OpenThread, state: AppState): readonly Row[] {
  const cells = selectedCells(blocks, state.view.textSelection ?? null);
  return drawSelection(visibleThread(blocks, place, height), cells);
}

export function createThread(look: Look, keyOf: KeyOf, now: () => Millis): ThreadPane {
  const blocksOf = createBlocks(look, keyOf);
  const head = createThreadHead(look, keyOf, now);
  const open = createOpenThread(blocksOf, head, look, now);
  const empty = memoLast((columns: number): Row => framed([], columns, bothSides, look));
  let drawn: Drawn = { inputs: [], rows: [] };

  const draw = (state: AppState, layout: Layout, inputs: readonly unknown[]): Drawn => {
    const rect = layout.thread;
    if (rect === null) return { inputs, rows: [] };
    const shown = open(state, layout);
    const rows: Row[] = [...head.rows(state, rect.width, layout.kind === 'two', topTime(shown))];
    if (shown === null || shown.blocks.items.length === 0) {
      rows.push(...blankRows(blankThread(state, keyOf, look), rect.width, bothSides, look));
    } else {
      rows.push(...visibleRows(shown, state));
    }
    const whole = Array.from({ length: rect.height }, (_, i) => rows[i] ?? empty(rect.width));
    return { inputs, rows: sameList(whole, drawn.rows) ? drawn.rows : whole };
  };

  const inputsNow = (state: AppState, layout: Layout): readonly unknown[] => [
    ...inputsOf(state, layout, dayKey(now())),
    ...headInputs(state, now()),
    look.markdown.arrived(),
  ];
  const current = (state: AppState, layout: Layout): Drawn => {
    const inputs = inputsNow(state, layout);
    if (drawn.inputs.length === 0 || !sameList(drawn.inputs, inputs)) drawn = draw(state, layout, inputs);
    return drawn;
  };

  return {
    rows: (state, layout) => current(state, layout).rows,
    ...placing(open),
    unreadBelow: createUnreadBelow(open, inputsNow),
    needsHistory(state, layout) {
      const shown = open(state, layout);
      const thread = state.view.openId === null ? undefined : state.cache.threads.get(state.view.openId);
      return shown === null || thread === undefined ? nothingNeeded : historyNeeds(shown, thread);
    },
    messagesInSight: (state, layout) => messagesInSight(open(state, layout)),
    attachmentsInSight: (state, layout) => attachmentsInSight(open(state, layout)),
    formattedInSight: (state, layout) => itemsInSight(open(state, layout)).flatMap((item) => formattedText(item) ?? []),
    ...pointing(open),
    drawn: blocksOf.drawn,
  };
}

type Placing = Pick<ThreadPane, 'scroll' | 'place' | 'reveal' | 'openingPlace'>;

/** The functions that say where the thread is read. */
const placing = (open: ReturnType<typeof createOpenThread>): Placing => ({
  scroll(state, layout, amount) {
    const shown = open(state, layout);
    return shown === null || amount === 'bottom' ? bottom : rememberedPlace(shown, scrolledPlace(shown, amount));
  },
  place(state, layout) {
    const shown = open(state, layout);
    return shown === null ? null : recountedPlace(shown);
  },
  reveal(state, layout, id) {
    const shown = open(state, layout);
    if (shown === null) return bottom;
    return rememberedPlace(shown, reveal(shown, id));
  },
  openingPlace(state, layout) {
    const shown = open(state, layout);
    return shown === null ? null : rememberedPlace(shown, openingPlace(shown, state));
  },
});

type Pointing = Pick<ThreadPane, 'spotAt' | 'selectedText' | 'selectionAt'>;

/** The functions that the mouse uses. */
const pointing = (open: ReturnType<typeof createOpenThread>): Pointing => ({
  spotAt(state, layout, cell) {
    const shown = open(state, layout);
    return shown === null || layout.thread === null ? null : spotAt(shown, layout.thread, cell);
  },
  selectedText(state, layout) {
    const shown = open(state, layout);
    const cells = shown === null ? null : selectedCells(shown.blocks, state.view.textSelection ?? null);
    return shown === null || cells === null ? literal('') : textIn(shown.blocks, cells);
  },
  selectionAt(state, layout, spot, unit) {
    const shown = open(state, layout);
    if (shown === null) return null;
    return unit === 'word' ? wordAt(shown.blocks, spot) : messageAt(shown.blocks, spot);
  },
});

function spotAt(
  { blocks, place, height }: OpenThread,
  rect: Rect,
  { x, y }: { x: number; y: number },
): PointedSpot | null {
  const seen = visibleThread(blocks, place, height);
  const at = y - (rect.y + rect.height - height);
  const found = seen[Math.max(0, Math.min(at, seen.length - 1))];
  const item = found === undefined ? undefined : blocks.items[found.index];
  if (found === undefined || item === undefined) return null;
  const column = at < 0 ? 0 : at >= seen.length ? rect.width : Math.max(0, x - rect.x);
  return {
    spot: { messageId: item.id, line: found.line, column },
    beyond: at < 0 ? -1 : at >= height ? 1 : 0,
  };
}

interface Shown {
  readonly state: AppState;
  readonly layout: Layout;
}

/** Returns a function that gives the open thread, or null when no conversation is shown. */
function createOpenThread(blocksOf: ReturnType<typeof createBlocks>, head: ThreadHead, look: Look, now: () => Millis) {
  const anchored = createAnchorKeeper();
  const open = ({ state, layout: { thread: rect } }: Shown): OpenThread | null => {
    const { openId } = state.view;
    if (rect === null || openId === null) return null;
    const items = selectThreadItems(state, openId);
    const thread = state.cache.threads.get(openId);
    const isLoading = state.view.connection.loading.has(openId);
    const place = selectPlace(state, openId);
    const quotedBy = (item: ThreadItem): Quoted | null => selectQuoted(state, openId, item);
    const blocks = blocksOf({
      items,
      thread,
      isLoading,
      place,
      columns: rect.width,
      textWidth: state.settings.textWidth,
      now: now(),
      pictures: pictureFacts(state),
      quotedBy,
    });
    const stored = anchored(openId, items, place.scroll);
    const headRows = head.height(state, rect.width);
    const counted = keptPlace(stored, blocks, look.markdown, headRows);
    return {
      blocks,
      stored,
      counted,
      headRows,
      place: placeUnderHead(stored, counted, blocks, headRows),
      height: Math.max(1, rect.height - headRows),
      sticks: thread?.newer !== 'disk',
    };
  };
  // A key that scrolls asks for the thread before and after the change, and several times for the latter. When the parser of
  // markdown is loaded, new panes are made.
  const kept = memoBy(({ state, layout }: Shown) => [state, layout, look.markdown.arrived(), dayKey(now())], open);
  return (state: AppState, layout: Layout): OpenThread | null => kept({ state, layout });
}

const itemsInSight = (shown: OpenThread | null): readonly ThreadItem[] =>
  shown === null ? [] : visibleItems(shown.blocks, shown.place, shown.height);

function messagesInSight(shown: OpenThread | null): readonly string[] {
  if (shown === null) return [];
  const rows = visibleThread(shown.blocks, shown.place, shown.height).filter(({ line }) => line >= 0);
  return [...new Set(rows.map(({ index }) => shown.blocks.items[index]?.id ?? ''))];
}

const attachmentsInSight = (shown: OpenThread | null): readonly Attachment[] =>
  itemsInSight(shown)
    .toReversed()
    .flatMap(({ message }) => message?.attachments ?? []);

/** The time of the message at the top of the pane; null at the newest messages, whose day the user knows. */
function topTime(shown: OpenThread | null): Millis | null {
  if (shown === null || shown.place.at === 'bottom') return null;
  const { messageId } = shown.place;
  return shown.blocks.items.find(({ id }) => id === messageId)?.createdAt ?? null;
}

const nothingNeeded: HistoryNeeds = { older: false, newer: false };

function historyNeeds({ blocks, place, height }: OpenThread, { older, newer }: Thread): HistoryNeeds {
  const { above, below } = rowsBeyond(blocks, place, height, height);
  const hasOlder = older === 'disk' || older === 'server' || older === 'unknown';
  return {
    older: hasOlder && above < height,
    newer: newer === 'disk' && below < height,
  };
}

/** The values that the rows below the title depend on. */
function inputsOf(state: AppState, layout: Layout, today: unknown): readonly unknown[] {
  const { openId, connection } = state.view;
  if (openId === null) return [layout.thread, layout.kind, null, today, state.cache.conversations.size === 0];
  const items = selectThreadItems(state, openId);
  return [
    layout.thread,
    layout.kind,
    openId,
    today,
    items,
    state.settings.textWidth,
    state.cache.threads.get(openId),
    selectPlace(state, openId),
    selectConversation(state, openId),
    connection.loading.has(openId),
    items.length === 0 ? connection : null,
    pictureFacts(state),
    state.view.textSelection,
  ];
}
