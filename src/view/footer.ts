/** The last lines: the newest notice while there is one, else the keys that work here. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, Notice, Size } from '../state/model/app-state.ts';
import { type Row, type Span, span } from '../text/layout/row.ts';
import { cutLines, wrap } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { width } from '../text/unicode/width.ts';
import { fitRow, type Look } from './frame.ts';
import { inSigns } from './glyph-set.ts';
import { footerLimit, type Layout } from './layout.ts';

/** A key and what it does here; the most useful key comes first. */
export interface Hint {
  readonly label: string;
  readonly title: string;
}

export function createFooter(look: Look): (state: AppState, layout: Layout, hints: readonly Hint[]) => readonly Row[] {
  const compose = memoLast((notice: Notice | undefined, layout: Layout, hints: readonly Hint[]): readonly Row[] => {
    const { columns } = layout.size;
    const rows = notice === undefined ? [hintRow(hints, columns, look)] : drawNotice(notice, layout.size, look);
    return rows.map((row) => fitRow(row, columns));
  });
  let held: readonly Hint[] = [];
  return (state, layout, hints) => {
    if (!sameHints(held, hints)) held = hints;
    return compose(state.screen.notices.at(-1), layout, held);
  };
}

const sameHints = (a: readonly Hint[], b: readonly Hint[]): boolean =>
  a.length === b.length && a.every((hint, i) => hint.label === b[i]?.label && hint.title === b[i]?.title);

export function footerLines(state: AppState): number {
  const { notices, size } = state.screen;
  const notice = notices.at(-1);
  return notice === undefined ? 1 : Math.min(footerLimit(size), linesOf(notice, size.columns).length);
}

const linesOf = memoLast((notice: Notice, columns: number): readonly SafeText[] =>
  wrap(textOf(notice), noticeColumns(columns)),
);

/** The footer shows a few rows only, so that the text is cut before it is sanitised. */
const textOf = (notice: Notice): SafeText => sanitizeLine(notice.text.slice(0, 1000));

/** The columns behind the sign of the notice. */
const noticeColumns = (columns: number): number => Math.max(1, columns - 4);

function drawNotice(notice: Notice, size: Size, { theme, signs }: Look): Row[] {
  const style = theme[notice.tone];
  const room = noticeColumns(size.columns);
  const shown = cutLines(linesOf(notice, size.columns), room, footerLimit(size), signs.ellipsis);
  return shown.map((line, i) => [
    span(i === 0 ? safe` ${signs[notice.tone]} ` : literal('   '), style),
    span(line, style),
  ]);
}

function hintRow(hints: readonly Hint[], columns: number, { theme, signs }: Look): Row {
  const spans: Span[] = [];
  let room = columns - 1;
  for (const hint of hints) {
    const label = inSigns(sanitizeLine(hint.label), signs);
    const title = sanitizeLine(hint.title);
    const before = spans.length === 0 ? literal(' ') : safe` ${signs.dot} `;
    room -= width(before) + width(label) + 1 + width(title);
    if (room < 0) break;
    spans.push(span(before, theme.muted), span(label, theme.key), span(safe` ${title}`, theme.muted));
  }
  return spans;
}
