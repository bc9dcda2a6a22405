/** A pane as a component: says where it is; its rows reach the screen past React, or as Ink text where there is no `Screen`. */
import { Box, Text, Transform } from 'ink';
import { memo } from 'react';
import { type Row, rowToAnsi } from '../text/row.ts';
import type { Hint } from '../view/footer.ts';
import type { Layout, PaneName } from '../view/layout.ts';
import { useApp, useUi } from './store-context.ts';

interface SurfaceProps {
  readonly pane: PaneName;
  readonly layout: Layout;
  readonly hints: readonly Hint[];
}

/** With a `Screen` the painter fills the rectangle, and Ink leaves it blank. */
export function Surface({ pane, layout, hints }: SurfaceProps) {
  const { screen } = useUi();
  const rect = layout[pane];
  if (rect === null || screen !== null) return null;
  return (
    <Box position="absolute" marginLeft={rect.x} marginTop={rect.y} width={rect.width} height={rect.height}>
      <PaneText pane={pane} layout={layout} hints={hints} />
    </Box>
  );
}

function PaneText({ pane, layout, hints }: SurfaceProps) {
  const { panes } = useUi();
  const rows = useApp((state) => panes().rows(pane, state, layout, hints));
  return <Lines rows={rows} height={layout[pane]?.height ?? 0} />;
}

/** A whole pane as one host node: Ink measures a constant text, and each line is replaced by ready ANSI. */
const Lines = memo(function Lines({ rows, height }: { readonly rows: readonly Row[]; readonly height: number }) {
  return (
    <Transform transform={(_, line) => rowToAnsi(rows[line] ?? [])}>
      <Text>{height <= 1 ? ' ' : '\n'.repeat(height - 1)}</Text>
    </Transform>
  );
});
