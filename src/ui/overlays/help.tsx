/** Every key that works, from the one command table; scrolls where it does not fit. */
import { Box } from 'ink';
import { type HelpLine, helpColumns, helpLines } from '../../commands/help-rows.ts';
import type { Overlay } from '../../state/model/app-state.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { padEnd, truncate } from '../../text/unicode/width.ts';
import { type GlyphSet, inSigns } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog.tsx';
import { Text } from '../widgets/text.tsx';

export function HelpOverlay({ overlay }: { readonly overlay: Extract<Overlay, { kind: 'help' }> }) {
  const { help, panes } = useUi();
  const { signs } = panes().look;
  const size = useApp((state) => state.screen.size);
  const lines = helpLines(help(), size.columns);
  const page = size.rows - 4;
  const last = Math.max(0, lines.length - page);
  const from = Math.min(overlay.scroll, last);
  const more = last === 0 ? literal('') : safe` ${from + 1}–${Math.min(lines.length, from + page)} of ${lines.length}`;
  return (
    <Dialog title={safe`Keys${more}`} width={helpColumns.widest} height={size.rows - 1}>
      {({ width, height }) => (
        <Box flexDirection="column">
          {lines.slice(from, from + height).map((row, index) => (
            <Text key={row.kind === 'command' ? row.id : `${row.kind} ${from + index}`} bold={row.kind === 'heading'}>
              {lineOf(row, width, signs)}
            </Text>
          ))}
        </Box>
      )}
    </Dialog>
  );
}

/** The few keys that are longer than their column push their short titles to the right. */
function lineOf(row: HelpLine, width: number, signs: GlyphSet): SafeText {
  if (row.kind === 'blank') return literal(' ');
  if (row.kind === 'heading') return literal(row.title);
  const keys = row.kind === 'rest' ? literal('') : inSigns(sanitizeLine(row.keys), signs);
  const title = inSigns(sanitizeLine(row.title), signs);
  return truncate(safe`  ${padEnd(keys, helpColumns.keys)} ${title}`, width, signs.ellipsis);
}
