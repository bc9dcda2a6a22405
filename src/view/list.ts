/** Draws the list pane: the conversations in sight, one to three rows each; unchanged rows stay the same objects. */
import type { ConversationId, Millis } from '../protocol/types.ts';
import { indexIn } from '../state/collections/index-hint.ts';
import { memoLast, sameList } from '../state/collections/memo.ts';
import { rowsOfDensity, selectDensity } from '../state/local/list-layout.ts';
import type { AppState, Connection } from '../state/model/app-state.ts';
import { selectListOrder } from '../state/select/selectors.ts';
import { selectListSelection } from '../state/view/list-place.ts';
import { type Row, span } from '../text/layout/row.ts';
import type { FormattedText } from '../text/markdown/formatted-page.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { dayKey } from '../text/time.ts';
import { blankList, blankRows } from './empty-panes.ts';
import { borderRow, bothSides, framed, type KeyOf, type Look, leftSide, paneLook, type Sides } from './frame.ts';
import type { Layout, Rect } from './layout.ts';
import { createEntryRows } from './list-row-facts.ts';
import { filterCursor, type ListTitleFacts, listTitle } from './list-title.ts';
import { formattedPreview } from './message-line.ts';

interface ListPane {
  /** The first conversation in sight when the list is scrolled by `by` conversations; null in an empty list. */
  topAfter(state: AppState, layout: Layout, by: number): ConversationId | null;
  rows(state: AppState, layout: Layout): readonly Row[];
  /** The formatted texts of the last messages that the list shows. */
  formattedInSight(state: AppState, layout: Layout): readonly FormattedText[];
  /** The conversations that the list shows, from the top. */
  idsInSight(state: AppState, layout: Layout): readonly ConversationId[];
  /** The cell of the screen where the filter is typed; null while it is not. */
  cursor(state: AppState, layout: Layout): { readonly x: number; readonly y: number } | null;
}

interface Drawn {
  readonly inputs: readonly unknown[];
  readonly drafts: AppState['local']['drafts'];
  readonly ids: readonly ConversationId[];
  readonly rows: readonly Row[];
}

export function createList(look: Look, keyOf: KeyOf, now: () => Millis): ListPane {
  const draw = createDrawing(look, keyOf, now);
  const inSight = createWindow();
  let drawn: Drawn | null = null;

  const current = (state: AppState, layout: Layout): Drawn => {
    const rect = layout.list;
    const order = selectListOrder(state);
    const ids = rect === null ? [] : inSight.ids(state, order, rect.height - 2);
    const inputs = inputsOf(state, layout, order, dayKey(now()));
    const { drafts } = state.local;
    const held = drawn;
    if (held !== null && sameList(held.inputs, inputs) && sameList(held.ids, ids)) {
      const isSame = (id: ConversationId): boolean =>
        id === state.view.openId || drafts.get(id) === held.drafts.get(id);
      if (held.drafts === drafts || ids.every(isSame)) return held;
    }
    const rows = rect === null ? [] : draw(state, rect, sidesIn(layout), ids);
    drawn = { inputs, drafts, ids, rows: held !== null && sameList(held.rows, rows) ? held.rows : rows };
    return drawn;
  };

  return {
    rows: (state, layout) => current(state, layout).rows,
    topAfter: (state, { list }, by) =>
      list === null ? null : inSight.topAfter(state, selectListOrder(state), list.height - 2, by),
    idsInSight: (state, layout) => current(state, layout).ids,
    formattedInSight: (state, layout) =>
      current(state, layout).ids.flatMap((id) => {
        const last = state.cache.lastMessages.get(id);
        return last === undefined ? [] : (formattedPreview(last, look) ?? []);
      }),
    cursor(state, layout) {
      const { list: rect } = layout;
      const column = rect === null ? null : filterCursor(state, rect.width, sidesIn(layout), look.signs);
      return rect === null || column === null ? null : { x: rect.x + column, y: rect.y };
    },
  };
}

const sidesIn = ({ kind }: Layout): Sides => (kind === 'two' ? leftSide : bothSides);

/** Draws the whole pane; entries, borders and blank rows that did not change stay the same objects. */
function createDrawing(look: Look, keyOf: KeyOf, now: () => Millis) {
  const entryRows = createEntryRows(look);
  const title = memoLast(
    (
      view: ListTitleFacts['view'],
      filter: string,
      field: ListTitleFacts['field'],
      isFiltering: boolean,
      hasFocus: boolean,
      columns: number,
      sides: Sides,
    ): Row => listTitle({ view, filter, field, isFiltering }, hasFocus, columns, sides, look),
  );
  const bottom = memoLast(
    (columns: number, sides: Sides, rest: Connection['listRest'], hasFocus: boolean): Row =>
      bottomRow(columns, sides, rest, paneLook(look, hasFocus)),
  );
  const empty = memoLast((columns: number, sides: Sides): Row => framed([], columns, sides, look));
  const blank = memoLast(blankList);
  return (state: AppState, rect: Rect, sides: Sides, ids: readonly ConversationId[]): readonly Row[] => {
    const { list, connection } = state.view;
    const height = Math.max(0, rect.height - 2);
    const order = selectListOrder(state);
    const lines =
      order.length === 0
        ? blankRows(blank(list, connection, state.cache.conversations.size, keyOf, look), rect.width, sides, look)
        : ids.flatMap((id) => entryRows(state, id, { columns: rect.width, sides, now: now() }));
    const rows = Array.from({ length: height }, (_, i) => lines[i] ?? empty(rect.width, sides));
    const hasFocus = state.screen.focus === 'list';
    const upper = title(list.view, list.filter, list.field, list.isFiltering === true, hasFocus, rect.width, sides);
    return [upper, ...rows, bottom(rect.width, sides, connection.listRest, hasFocus)];
  };
}

/** Everything that the pane depends on except drafts, which change with every key typed in the composer. */
function inputsOf(
  state: AppState,
  layout: Layout,
  order: readonly ConversationId[],
  today: unknown,
): readonly unknown[] {
  const { cache, local, view, screen } = state;
  return [
    order,
    cache.conversations,
    cache.contacts,
    cache.lastMessages,
    cache.foundEmpty,
    cache.unread,
    local.outbox,
    local.names,
    local.me,
    selectDensity(state),
    view.list,
    view.openId,
    screen.focus === 'list',
    layout,
    today,
    view.connection.listRest,
    order.length === 0 ? view.connection : null,
  ];
}

interface Window {
  /** The ids in sight, which move no further than the selection needs; the array stays the same while they do. */
  ids(state: AppState, order: readonly ConversationId[], height: number): readonly ConversationId[];
  /** The first id in sight when the list is scrolled by `by` conversations; null in an empty list. */
  topAfter(state: AppState, order: readonly ConversationId[], height: number, by: number): ConversationId | null;
}

/**
 * Where the list begins after it had to move up to its selection. While the keyboard is elsewhere it goes to its top if that
 * shows the selection too: pinned conversations and those with news come first, and would stay out of sight above it.
 */
const firstAbove = ({ screen }: AppState, selected: number, whole: number): number =>
  screen.focus !== 'list' && selected < whole ? 0 : selected;

function createWindow(): Window {
  let topId: ConversationId | null = null;
  let before: readonly ConversationId[] = [];
  const rowsEach = (state: AppState): number => rowsOfDensity(selectDensity(state));
  const firstIn = (state: AppState, order: readonly ConversationId[], height: number, by = 0): number => {
    const { list } = state.view;
    const isScrolled = list.isScrolled === true;
    const whole = Math.max(1, Math.floor(height / rowsEach(state)));
    const anchor = isScrolled ? list.topId : (topId ?? list.topId);
    const selectedId = selectListSelection(state, order);
    const selected = selectedId === null || isScrolled ? -1 : indexIn(order, selectedId);
    let first = anchor === null ? 0 : Math.max(0, indexIn(order, anchor));
    if (selected >= 0)
      first = selected < first ? firstAbove(state, selected, whole) : Math.max(first, selected - whole + 1);
    return Math.max(0, Math.min(first + by, order.length - whole));
  };
  return {
    ids(state, order, height) {
      const first = firstIn(state, order, height);
      // A list at its top stays there when a new conversation comes first.
      topId = first === 0 ? null : (order[first] ?? null);
      const ids = order.slice(first, first + Math.ceil(Math.max(0, height) / rowsEach(state)));
      if (!sameList(ids, before)) before = ids;
      return before;
    },
    topAfter: (state, order, height, by) => order[firstIn(state, order, height, by)] ?? null,
  };
}

/** The text in the lower border about conversations that are not listed yet. */
const rests: Readonly<Record<Connection['listRest'], SafeText | null>> = {
  none: null,
  coming: literal('more are being read'),
  missing: literal('not all could be read'),
};

function bottomRow(columns: number, sides: Sides, rest: Connection['listRest'], look: Look): Row {
  const corners = { left: look.signs.bottomLeft, right: sides.right ? look.signs.bottomRight : null };
  const text = rests[rest];
  return borderRow(columns, corners, look, { note: text === null ? [] : [span(text, look.theme.muted)] });
}
