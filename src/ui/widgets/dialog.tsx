/** A framed box over the panes: it reports to `Screen` which rectangle of Ink's frame is on top. */
import { Box, Transform } from 'ink';
import { type ReactNode, useLayoutEffect } from 'react';
import type { Size } from '../../state/model/app-state.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { inSigns } from '../../view/glyph-set.ts';
import type { Rect } from '../../view/layout.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom } from './click-areas.tsx';
import { BlankLines, Text } from './text.tsx';

const overlayZ = 10;
const paddingColumns = 1;

interface DialogProps {
  readonly title: SafeText;
  /** A longer title is cut. */
  readonly titleRows?: number;
  /** Wanted size with the frame; cut to the screen. */
  readonly width: number;
  readonly height: number;
  readonly tone?: 'danger' | 'plain';
  /** `inner`: the room below the title, in cells of the screen. */
  readonly children: (inner: Rect) => ReactNode;
}

const outerColumns = (wanted: number, screen: Size): number => Math.max(4, Math.min(wanted, screen.columns - 2));

/** The columns for text in a dialog of the wanted width. */
export const innerColumns = (wanted: number, screen: Size): number => outerColumns(wanted, screen) - 4;

/** The rows that a dialog can have at most, with its frame. */
export const mostDialogRows = (screen: Size): number => Math.max(3, screen.rows - 1);

export function Dialog({ title, titleRows = 1, width, height, tone = 'plain', children }: DialogProps) {
  const { screen, panes, choiceRows } = useUi();
  const { look } = panes();
  const size = useApp((state) => state.screen.size);
  const w = outerColumns(width, size);
  const h = Math.max(3, Math.min(height, mostDialogRows(size)));
  const x = Math.max(0, Math.floor((size.columns - w) / 2));
  const y = Math.max(0, Math.floor((size.rows - h) / 2));
  useLayoutEffect(() => {
    const lifted = screen?.lift({ x, y, width: w, height: h }, overlayZ);
    return () => lifted?.remove();
  }, [screen, x, y, w, h]);
  useLayoutEffect(() => choiceRows.showDialog({ x, y, width: w, height: h }), [choiceRows, x, y, w, h]);
  const colour = look.theme.dialog[tone];
  const columns = innerColumns(width, size);
  const titleLines = cutLines(wrap(inSigns(title, look.signs), columns), columns, titleRows, look.signs.ellipsis);
  const room = { x: x + 2, y: y + 1 + titleLines.length, width: columns, height: h - 2 - titleLines.length };
  return (
    <Box
      position="absolute"
      marginLeft={x}
      marginTop={y}
      width={w}
      height={h}
      flexDirection="column"
      borderStyle={look.signs.hasEmoji ? 'round' : 'classic'}
      paddingX={paddingColumns}
      {...(colour === null ? {} : { borderColor: colour })}
    >
      <Blank width={w - 2} height={h - 2} />
      <Box height={titleLines.length} flexShrink={0} flexDirection="column">
        {titleLines.map((line) => (
          <Text key={line} bold wrap="truncate">
            {line}
          </Text>
        ))}
      </Box>
      <DialogRoom value={room}>{children(room)}</DialogRoom>
    </Box>
  );
}

/** Covers the Ink components below, because Ink draws nothing where there is no text. */
function Blank({ width, height }: { readonly width: number; readonly height: number }) {
  return (
    <Box position="absolute" marginLeft={-paddingColumns} width={width} height={height}>
      <Transform transform={() => ' '.repeat(width)}>
        <BlankLines count={height} />
      </Transform>
    </Box>
  );
}
