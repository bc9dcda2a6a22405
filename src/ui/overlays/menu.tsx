/** Draws a menu of `commands/menus.ts`: what can be done, with the key that does it at once. */

import { Box } from 'ink';
import type { MenuOverlay, MenuRow } from '../../commands/menu.ts';
import { menuTitle, selectMenuRows } from '../../commands/menus.ts';
import { type Row, rowWidth, shortenRow, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { width as textWidth } from '../../text/unicode/width.ts';
import { markColumns } from '../../view/choices.ts';
import { ends, type Look } from '../../view/frame.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices } from '../widgets/choices.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';

/** Columns of the dialog: as many as its longest row needs, within these. */
const narrowest = 64;
const widest = 100;
/** Frame, margins, and the sign of the selected row. */
const otherColumns = 8;
/** Title, frame, the keys. */
const otherRows = 4;

export function MenuDialog({ overlay }: { readonly overlay: MenuOverlay }) {
  const { panes } = useUi();
  const rows = useApp(selectMenuRows);
  const title = useApp((state) => menuTitle(state, overlay));
  const screenRows = useApp((state) => state.screen.size.rows);
  const longest = Math.max(0, ...rows.map((row) => textWidth(textOf(row)) + textWidth(sanitizeLine(row.key)) + 1));
  const width = Math.min(widest, Math.max(narrowest, longest + otherColumns));
  const height = Math.min(rows.length, screenRows - 2 - otherRows);
  return (
    <Dialog title={sanitizeLine(title)} width={width} height={height + otherRows}>
      {(inner) => (
        <>
          <Box height={Math.max(1, inner.height - 1)} flexShrink={0}>
            <Choices
              rows={rows.map((row) => ({ id: row.id, row: menuRow(row, inner.width - markColumns, panes().look) }))}
              selected={overlay.selected}
              x={inner.x}
              y={inner.y}
              width={inner.width}
              height={Math.max(1, inner.height - 1)}
              empty={literal('Nothing can be done here')}
            />
          </Box>
          <KeysLine width={inner.width} />
        </>
      )}
    </Dialog>
  );
}

const textOf = ({ label, reason }: MenuRow): SafeText =>
  reason === null ? sanitizeLine(label) : safe`${sanitizeLine(label)}: ${sanitizeLine(reason)}`;

/** `Reply with a quote                 r`; a row that cannot be taken is dim and says why instead. */
function menuRow(menu: MenuRow, columns: number, { theme, signs }: Look): Row {
  const { key, reason } = menu;
  const style = reason === null ? theme.plain : theme.muted;
  const right = key === '' ? [] : [span(safe` ${sanitizeLine(key)}`, reason === null ? theme.key : theme.muted)];
  return ends(shortenRow([span(textOf(menu), style)], columns - rowWidth(right), signs.ellipsis), right, columns);
}
