/** Draws a pane as a component: the painter writes its rows, or Ink does as text where there is no `Screen`. */
import { Box } from 'ink';
import type { PaneName } from '../view/layout.ts';
import { useApp, useUi } from './store-context.ts';
import { Lines } from './widgets/lines.tsx';

interface SurfaceProps {
  readonly pane: PaneName;
}

/** With a `Screen` the painter fills the rectangle, Ink leaves it blank, and no key or poll costs a commit. */
export function Surface({ pane }: SurfaceProps) {
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
