/** Draws a menu of `commands/menus.ts`: each row with the key that takes it at once. */
import type { MenuOverlay, MenuRow } from '../../commands/menu.ts';
import { menuTitle, selectedMenuRow, selectMenuRows } from '../../commands/menus.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { type Row, rowWidth, shortenRow, span } from '../../text/layout/row.ts';
import { wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { width as textWidth } from '../../text/unicode/width.ts';
import { drawChoiceDialog } from '../../view/choice-dialog.ts';
import { markColumns } from '../../view/choices.ts';
import { type DrawnDialog, dialogColumns } from '../../view/dialog.ts';
import { ends, type Look } from '../../view/frame.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import type { DialogContext } from '../../view/picker.ts';

/** The dialog has as many columns as its longest row needs, within these limits. */
const narrowest = 64;
const widest = 100;
/** The columns of frame, margins, and the sign of the selected row. */
const otherColumns = 8;
/** A longer title is cut. Its end may be the part that matters, as in the name of a host. */
const titleRows = 3;
/** The rows of frame and keys. */
const otherRows = 3;

export function menuDialog(overlay: MenuOverlay, state: AppState, { look, hints }: DialogContext): DrawnDialog {
  const { size } = state.screen;
  const rows = selectMenuRows(state);
  const longest = Math.max(0, ...rows.map((row) => textWidth(textOf(row, look)) + keyColumns(row)));
  const width = Math.min(widest, Math.max(narrowest, longest + otherColumns));
  const columns = dialogColumns(width, size) - markColumns;
  const isTooLong = (row: MenuRow): boolean => textWidth(textOf(row, look)) > columns - keyColumns(row);
  const selected = selectedMenuRow(state, overlay);
  const chosen = rows[selected];
  // A reason for which its row has no room is said below the rows.
  const reason = chosen !== undefined && chosen.reason !== null && isTooLong(chosen) ? chosen.reason : '';
  const below = rows.some(isTooLong) ? [[span(safe`  ${sanitizeLine(reason)}`, look.theme.muted)]] : [];
  const title = ownTextIn(sanitizeLine(menuTitle(state, overlay)), look.signs);
  const others = otherRows + Math.min(titleRows, wrap(title, dialogColumns(width, size)).length);
  const dialog = {
    title,
    titleRows,
    width,
    height: Math.min(rows.length + below.length, size.rows - 2 - others) + others,
    rows: rows.map((row) => ({ id: row.id, row: () => menuRow(row, columns, look) })),
    selected,
    empty: literal('Nothing can be done here'),
    below,
  };
  return drawChoiceDialog(dialog, size, look, hints);
}

/** The columns of the key with a blank before it. */
const keyColumns = ({ key }: MenuRow): number => (key === '' ? 0 : textWidth(sanitizeLine(key)) + 1);

const textOf = ({ label, reason }: MenuRow, { signs }: Look): SafeText => {
  const text = ownTextIn(sanitizeLine(label), signs);
  return reason === null ? text : safe`${text} ${signs.dot} ${ownTextIn(sanitizeLine(reason), signs)}`;
};

/** Draws a row, such as `Reply with a quote                 r`; a row that cannot be taken is dim and says why instead. */
function menuRow(menu: MenuRow, columns: number, look: Look): Row {
  const { theme, signs } = look;
  const { key, reason } = menu;
  const style = reason === null ? theme.plain : theme.muted;
  const right = key === '' ? [] : [span(safe` ${sanitizeLine(key)}`, reason === null ? theme.key : theme.muted)];
  return ends(shortenRow([span(textOf(menu, look), style)], columns - rowWidth(right), signs.ellipsis), right, columns);
}
