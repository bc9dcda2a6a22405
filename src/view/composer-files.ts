/** Draws the attachments of what is being written as chips above the text. A click on one removes it. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import { type ComposerFiles, selectComposerFiles } from '../state/select/attachments.ts';
import { selectComposerColumns, selectPaneColumns } from '../state/select/pane-columns.ts';
import { blank, type Row, type Span, span } from '../text/layout/row.ts';
import { sanitizeName } from '../text/safe/sanitize.ts';
import { literal, safe } from '../text/safe-text.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { bothSides, framed, type Look } from './frame.ts';

/** The most rows of chips: only one on a low screen. */
const rowLimit = (rows: number): number => (rows < 20 ? 1 : 3);
const longestName = 30;
/** The columns for `+9` and the blanks before it. */
const moreColumns = 4;
const gap = 2;

type FileRows = (state: AppState) => readonly Row[];

/** Makes the rows, in the frame of the composer; the array stays the same while nothing in them changes. */
export function createFileRows(look: Look): FileRows {
  const rows = memoLast(
    (files: ComposerFiles, id: string, columns: number, limit: number, paneWidth: number): readonly Row[] =>
      packed(chips(files, id, look), columns, limit, look).map((row) =>
        framed([blank(1), ...row], paneWidth, bothSides, look),
      ),
  );
  return (state) => {
    const { size } = state.screen;
    const columns = selectComposerColumns(state);
    return rows(
      selectComposerFiles(state),
      state.view.openId ?? '',
      columns,
      rowLimit(size.rows),
      selectPaneColumns(state).main,
    );
  };
}

/** The chips, such as `📎 poster.png ×`; those of a message that is edited cannot be removed, and have no `×`. */
function chips({ attachments, isFixed }: ComposerFiles, conversationId: string, { signs, theme }: Look): Span[] {
  return attachments.map(({ label }, place) => {
    const name = truncate(sanitizeName(label), longestName, signs.ellipsis);
    const text = safe`${signs.attachment} ${name}`;
    if (isFixed) return span(text, theme.muted);
    return span(safe`${text} ${signs.remove}`, theme.chip, { kind: 'attached', conversationId, place, name: label });
  });
}

/** Fills the rows with as many chips as fit, and with the number of the others after them. */
function packed(chips: readonly Span[], columns: number, limit: number, { signs, theme }: Look): Row[] {
  const rows: Span[][] = [];
  let room = 0;
  for (const [index, chip] of chips.entries()) {
    const isLastRow = rows.length === limit;
    const reserved = isLastRow && index < chips.length - 1 ? moreColumns : 0;
    if (chip.width + gap > room - reserved) {
      if (isLastRow) {
        rows.at(-1)?.push(span(safe`+${chips.length - index}`, theme.muted));
        return rows;
      }
      rows.push([]);
      room = columns + gap;
    }
    const most = columns - moreColumns;
    const shown = chip.width <= most ? chip : { ...chip, text: truncate(chip.text, most, signs.ellipsis) };
    const drawn = shown === chip ? chip : { ...shown, width: width(shown.text) };
    rows.at(-1)?.push(drawn, span(literal('  ')));
    room -= drawn.width + gap;
  }
  return rows;
}
