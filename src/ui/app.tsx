/** The root component: the panes and the stack of overlays. */
import { Box } from 'ink';
import type { ComponentType } from 'react';
import type { Overlay } from '../state/model/app-state.ts';
import type { PaneName } from '../view/layout.ts';
import { type OverlayViewProps, overlayViews } from './overlays/table.ts';
import { useApp } from './store-context.ts';
import { Surface } from './surface.tsx';

const paneNames: readonly PaneName[] = ['header', 'list', 'thread', 'composer', 'completion', 'footer'];

export function App() {
  const size = useApp((state) => state.screen.size);
  const overlays = useApp((state) => state.screen.overlays);
  return (
    <Box width={size.columns} height={size.rows}>
      {paneNames.map((pane) => (
        <Surface key={pane} pane={pane} />
      ))}
      {overlays.map((overlay, index) => (
        <OverlayView key={overlay.kind} overlay={overlay} isTop={index === overlays.length - 1} />
      ))}
    </Box>
  );
}

function OverlayView({ overlay, isTop }: OverlayViewProps<Overlay>) {
  // The table has for each kind a view of that kind; the type of a lookup does not say so.
  const View = overlayViews[overlay.kind] as ComponentType<OverlayViewProps<Overlay>>;
  return <View overlay={overlay} isTop={isTop} />;
}
