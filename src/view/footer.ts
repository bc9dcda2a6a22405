/** Draws the last lines: the keys that work now, and before them the newest notice while there is one. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, Notice, Size } from '../state/model/app-state.ts';
import { oneBlank, type Row, rowWidth, span, withTarget } from '../text/layout/row.ts';
import { cutLines, wrap } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { ends, fitRow, type Look } from './frame.ts';
import { type GlyphSet, ownTextIn } from './glyph-set.ts';
import { drawHint, fittingHints, type Hint, hintColumns, joinHints, nextKeyLines, nextKeyRows } from './hint-row.ts';
import { footerLimit, type Layout } from './layout.ts';

export function createFooter(look: Look): (state: AppState, layout: Layout, hints: readonly Hint[]) => readonly Row[] {
  const compose = memoLast((shown: Notice | string | undefined, layout: Layout, hints: readonly Hint[]) => {
    const rows = rowsOf(shown, layout, hints, look);
    const { columns } = layout.size;
    return rows.map((row) => fitRow(row, columns));
  });
  let held: readonly Hint[] = [];
  return (state, layout, hints) => {
    if (hints !== held && !sameHints(held, hints)) held = hints;
    return compose(state.screen.heldKeys ?? state.screen.notices.at(-1), layout, held);
  };
}

/** @param shown the newest notice, or the keys of a sequence that waits for more */
function rowsOf(
  shown: Notice | string | undefined,
  layout: Layout,
  hints: readonly Hint[],
  look: Look,
): readonly Row[] {
  const { size } = layout;
  if (typeof shown === 'object') return drawNotice(shown, layout, hints, look);
  if (shown === undefined) return [hintRow(hints, size.columns, look)];
  return nextKeyRows(hints, size.columns, layout.footer?.height ?? 1, look);
}

const sameHints = (a: readonly Hint[], b: readonly Hint[]): boolean =>
  a.length === b.length &&
  a.every((hint, i) => hint.id === b[i]?.id && hint.label === b[i]?.label && hint.title === b[i]?.title);

export function footerLines(state: AppState, signs: GlyphSet): number {
  const { heldKeys, notices, overlays, size } = state.screen;
  // A dialog can cover all but the last row.
  if (overlays.length > 0) return 1;
  if (heldKeys !== undefined) return nextKeyLines;
  const notice = notices.at(-1);
  return notice === undefined ? 1 : noticeRows(notice, size, signs);
}

const linesOf = memoLast((notice: Notice, columns: number, signs: GlyphSet): readonly SafeText[] =>
  wrap(textOf(notice, signs), noticeColumns(columns)),
);

/** The footer shows a few rows only, so that the text is cut before it is sanitised. */
const textOf = (notice: Notice, signs: GlyphSet): SafeText =>
  ownTextIn(sanitizeLine(notice.text.slice(0, 1000)), signs);

/** The columns after the sign of the notice. */
const noticeColumns = (columns: number): number => Math.max(1, columns - 4);

/** Hints that would have fewer columns beside a notice are shown on another row. */
const leastBeside = 30;

const isRoomBeside = (lines: readonly SafeText[], columns: number): boolean =>
  width(lines.at(-1) ?? literal('')) + 4 + leastBeside <= columns;

/** The number of rows for a notice and the hints; a notice that fills the footer leaves none for them. */
function noticeRows(notice: Notice, size: Size, signs: GlyphSet): number {
  const lines = linesOf(notice, size.columns, signs);
  return Math.min(footerLimit(size), lines.length + Number(!isRoomBeside(lines, size.columns)));
}

function drawNotice(notice: Notice, { size, footer }: Layout, hints: readonly Hint[], look: Look): Row[] {
  const { theme, signs } = look;
  const style = theme[notice.tone];
  const limit = footer?.height ?? 1;
  const lines = linesOf(notice, size.columns, signs);
  const shown = cutLines(lines, noticeColumns(size.columns), limit, signs.ellipsis);
  const rows: Row[] = shown
    .map((line, i) => [span(i === 0 ? safe` ${signs[notice.tone]} ` : literal('   '), style), span(line, style)])
    .map((row) => withTarget(row, { kind: 'notice', about: notice.about }));
  if (!isRoomBeside(shown, size.columns)) {
    if (rows.length < limit) return [...rows, hintRow(hints, size.columns, look)];
    return limit === 1 ? [beforeKeptHints(notice, hints, size.columns, look) ?? rows[0] ?? []] : rows;
  }
  const last = rows.pop() ?? [];
  return [
    ...rows,
    ends(last, [...hintsBeside(hints, size.columns - rowWidth(last) - 2, look), oneBlank], size.columns),
  ];
}

/** The notice is not cut: where there is no room for all hints that are kept elsewhere, the first ones are shown. */
function hintsBeside(hints: readonly Hint[], columns: number, look: Look): Row {
  const all = hintRow(hints, columns, look);
  if (rowWidth(all) <= columns) return all;
  const none = hints.map((hint) => ({ ...hint, isKept: false }));
  return hintRow(none, columns, look);
}

/** A notice is not cut to fewer columns than these. */
const leastOfNotice = 30;

/**
 * Below a dialog there is one row: the notice is cut, and not the keys that lead out of the dialog. Where it would be cut
 * beside them, only the last of them stays, which closes the dialog, if the whole notice fits then or all of them leave too
 * little of it. Null: there is no room for that one either.
 */
function beforeKeptHints(notice: Notice, hints: readonly Hint[], columns: number, look: Look): Row | null {
  const { theme, signs } = look;
  const kept = hints.filter(({ isKept }) => isKept === true);
  const roomBeside = (keys: Row): number => columns - rowWidth(keys) - 6;
  const choices = [kept, kept.slice(-1)].map((some) => hintRow(some, columns, look));
  const whole = textOf(notice, signs);
  const keys =
    choices.find((row) => roomBeside(row) >= width(whole)) ?? choices.find((row) => roomBeside(row) >= leastOfNotice);
  if (keys === undefined) return null;
  const text = truncate(whole, roomBeside(keys), signs.ellipsis);
  const row = [span(safe` ${signs[notice.tone]} `, theme[notice.tone]), span(text, theme[notice.tone])];
  return ends(withTarget(row, { kind: 'notice', about: notice.about }), [...keys, oneBlank], columns);
}

function hintRow(hints: readonly Hint[], columns: number, look: Look): Row {
  const drawn = hints.map((hint) => drawHint(hint, look));
  return joinHints(fittingHints(drawn, hintColumns, columns), look);
}
