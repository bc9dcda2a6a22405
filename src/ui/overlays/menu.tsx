/** Draws a menu of `commands/menus.ts`: what can be done, with the key that does it at once. */

import { Box } from 'ink';
import type { MenuOverlay, MenuRow } from '../../commands/menu.ts';
import { menuTitle, selectMenuRows } from '../../commands/menus.ts';
import { type Row, rowWidth, shortenRow, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { ends, type Look } from '../../view/frame.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices, markColumns } from '../widgets/choices.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';

const width = 64;
/** Title, frame, the keys. */
const otherRows = 4;

export function MenuDialog({ overlay }: { readonly overlay: MenuOverlay }) {
  const { panes } = useUi();
  const rows = useApp(selectMenuRows);
  const title = useApp((state) => menuTitle(state, overlay));
  const screenRows = useApp((state) => state.screen.size.rows);
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

/** `Reply with a quote                 r`; a row that cannot be taken is dim and says why instead. */
function menuRow({ label, key, reason }: MenuRow, columns: number, { theme, signs }: Look): Row {
  const style = reason === null ? theme.plain : theme.muted;
  const right = key === '' ? [] : [span(safe` ${sanitizeLine(key)}`, reason === null ? theme.key : theme.muted)];
  const text = reason === null ? sanitizeLine(label) : safe`${sanitizeLine(label)}: ${sanitizeLine(reason)}`;
  return ends(shortenRow([span(text, style)], columns - rowWidth(right), signs.ellipsis), right, columns);
}
