/** Draws a framed box over the panes, whose content Ink draws, and reports its rectangle of Ink's frame to `Screen`. */
import { Box } from 'ink';
import { type ReactNode, useContext, useLayoutEffect } from 'react';
import { span } from '../../text/layout/row.ts';
import { type DialogOptions, dialogFrame, dialogParts, dialogRect } from '../../view/dialog.ts';
import type { Rect } from '../../view/layout.ts';
import { overlayZ } from '../painted-overlays.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom, OverlayPlace } from './click-areas.tsx';
import { Lines } from './lines.tsx';

interface DialogProps extends DialogOptions {
  /** `inner`: the room below the title, in cells of the screen. */
  readonly children: (inner: Rect) => ReactNode;
}

export function Dialog({ children, tone = 'plain', ...options }: DialogProps) {
  const { screen, panes, drawnOverlays } = useUi();
  const { look } = panes();
  const size = useApp((state) => state.screen.size);
  const place = useContext(OverlayPlace);
  const z = overlayZ + place;
  const { x, y, width, height } = dialogRect(options, size);
  useLayoutEffect(() => {
    const lifted = screen?.lift({ x, y, width, height }, z);
    return () => lifted?.remove();
  }, [screen, x, y, width, height, z]);
  useLayoutEffect(
    () => drawnOverlays.showDialog({ x, y, width, height }, place),
    [drawnOverlays, x, y, width, height, place],
  );
  const { lines, room } = dialogParts(options, { x, y, width, height }, look);
  const title = lines.map((line) => [span(line, look.theme.strong)]);
  return (
    <Box position="absolute" marginLeft={x} marginTop={y} width={width} height={height}>
      <Box position="absolute" width={width} height={height}>
        <Lines rows={dialogFrame({ width, height }, title, tone, look)} height={height} />
      </Box>
      <Box
        position="absolute"
        marginLeft={room.x - x}
        marginTop={room.y - y}
        width={room.width}
        height={room.height}
        flexDirection="column"
        overflow="hidden"
      >
        <DialogRoom value={room}>{children(room)}</DialogRoom>
      </Box>
    </Box>
  );
}
