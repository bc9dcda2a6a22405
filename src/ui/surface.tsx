/** A pane as a component: its rows reach the screen past React, or as Ink text where there is no `Screen`. */
import { Box, Transform } from 'ink';
import { memo } from 'react';
import { type Row, rowToAnsi } from '../text/layout/row.ts';
import type { PaneName } from '../view/layout.ts';
import { useApp, useUi } from './store-context.ts';
import { BlankLines } from './widgets/text.tsx';

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

/** A whole pane as one host node: Ink measures a constant text, and each line is replaced by ready ANSI. */
const Lines = memo(function Lines({ rows, height }: { readonly rows: readonly Row[]; readonly height: number }) {
  return (
    <Transform transform={(_, line) => rowToAnsi(rows[line] ?? [])}>
      <BlankLines count={height} />
    </Transform>
  );
});
