/** Draws the page about a message or a person, or the notices; only the rows that fit are mounted. */
import { Box } from 'ink';
import { useContext } from 'react';
import { type SheetOverlay, selectSheet } from '../../state/details/sheet.ts';
import { sheetSize, type Tone } from '../../state/details/sheet-rows.ts';
import { cutRow, type Row, type Span, type Style, span } from '../../text/layout/row.ts';
import { safe } from '../../text/safe-text.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import type { ClickArea } from '../../view/keys-line.ts';
import type { Theme } from '../../view/theme.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom, useClickAreas } from '../widgets/click-areas.tsx';
import { Dialog } from '../widgets/dialog-frame.tsx';
import { KeysLine, Lines } from '../widgets/lines.tsx';

export function SheetDialog({ overlay }: { readonly overlay: SheetOverlay }) {
  const { context, panes } = useUi();
  const { signs, theme } = panes().look;
  const size = useApp((state) => state.screen.size);
  const { title, rows } = useApp((state) => selectSheet(state, overlay, context.now()));
  const { width, height, rows: page, columns } = sheetSize(size);
  const last = Math.max(0, rows.length - page);
  const from = Math.min(overlay.scroll, last);
  const place = safe` · ${from + 1}–${Math.min(rows.length, from + page)} of ${rows.length}`;
  const drawn = ({ text, style, target }: Span): Span =>
    span(isOwnWords(style) ? ownTextIn(text, signs) : text, styleOf(style as Tone, theme), target);
  const shown = rows.slice(from, from + page).map((row) => cutRow(row.map(drawn), 0, columns));
  return (
    <Dialog title={last === 0 ? title : safe`${title}${place}`} width={width} height={height}>
      {(inner) => (
        <>
          <Targets rows={shown} />
          <Box height={Math.max(1, inner.height - 1)} flexShrink={0}>
            <Lines rows={shown} height={shown.length} />
          </Box>
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}

/** Labels, headings and remarks are words of the program; what people wrote is shown as it is. */
const isOwnWords = (style: Style): boolean => style === 'muted' || style === 'heading';

/** The parts of the rows that a click acts on. */
function Targets({ rows }: { readonly rows: readonly Row[] }) {
  const room = useContext(DialogRoom);
  const areas = rows.flatMap((row, index): readonly ClickArea[] => {
    let x = room.x;
    return row.flatMap(({ width, target }) => {
      const rect = { x, y: room.y + index, width, height: 1 };
      x += width;
      return target === undefined ? [] : [{ rect, target }];
    });
  });
  useClickAreas(areas);
  return null;
}

const styleOf = (tone: Tone | '', { plain, muted, strong, own, error }: Theme): Style =>
  ({ '': plain, plain, muted, heading: strong, added: own, removed: error })[tone];
