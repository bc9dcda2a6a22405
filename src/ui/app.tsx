/** The root component: the panes and the stack of overlays. */
import { Box } from 'ink';
import type { ComponentType } from 'react';
import { memoBy } from '../state/collections/memo.ts';
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { shownOverlays } from '../state/view/overlays.ts';
import { type PaneName, paneNames } from '../view/layout.ts';
import { isPainted } from './overlays/painted.ts';
import { type OverlayViewProps, overlayViews } from './overlays/table.ts';
import { useApp, useUi } from './store-context.ts';
import { OverlayPlace } from './widgets/click-areas.tsx';
import { Lines } from './widgets/lines.tsx';

export function App() {
  const { screen } = useUi();
  const size = useApp((state) => state.screen.size);
  const overlays = useApp(screen === null ? selectOverlays : selectInkOverlays);
  return (
    <Box width={size.columns} height={size.rows}>
      {paneNames.map((pane) => (
        <Surface key={pane} pane={pane} />
      ))}
      {overlays.map((overlay, place) =>
        overlay === null ? null : (
          <OverlayPlace key={overlay.kind} value={place}>
            <OverlayView overlay={overlay} isTop={place === overlays.length - 1} />
          </OverlayPlace>
        ),
      )}
    </Box>
  );
}

type InkOverlays = readonly (Overlay | null)[];

const selectOverlays: (state: AppState) => InkOverlays = shownOverlays;

/** The overlays that are shown, with null in the place of each painted one; none where all are painted. */
function withoutPainted(state: AppState): InkOverlays {
  const drawn = shownOverlays(state).map((overlay) => (isPainted(overlay) ? null : overlay));
  return drawn.every((overlay) => overlay === null) ? [] : drawn;
}

/** The overlays that Ink draws, in their places. A key in a painted one changes none of them: React commits nothing. */
const selectInkOverlays = memoBy(withoutPainted, withoutPainted);

function OverlayView({ overlay, isTop }: OverlayViewProps<Overlay>) {
  // The table has for each kind a view of that kind; the type of a lookup does not say so.
  const View = overlayViews[overlay.kind] as ComponentType<OverlayViewProps<Overlay>>;
  return <View overlay={overlay} isTop={isTop} />;
}

interface SurfaceProps {
  readonly pane: PaneName;
}

/**
 * With a `Screen` the painter fills the rectangle and Ink leaves it blank, so that a key or a poll causes no commit of
 * React.
 */
function Surface({ pane }: SurfaceProps) {
  const { screen } = useUi();
  return screen === null ? <PaneText pane={pane} /> : null;
}

function PaneText({ pane }: SurfaceProps) {
  const { panes, hintsOf } = useUi();
  const layout = useApp(panes().layout);
  const hints = useApp(hintsOf);
  const rows = useApp((state) => panes().rows(pane, state, layout, hints));
  const rect = layout[pane];
  if (rect === null) return null;
  return (
    <Box position="absolute" marginLeft={rect.x} marginTop={rect.y} width={rect.width} height={rect.height}>
      <Lines rows={rows} height={rect.height} />
    </Box>
  );
}
