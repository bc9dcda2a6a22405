/** Draws the keys that answer the overlay on top, as the last row of a dialog of Ink. */
import { useContext } from 'react';
import { drawKeysLine } from '../../view/keys-line.ts';
import { useApp, useUi } from '../store-context.ts';
import { DialogRoom, useClickAreas } from './click-areas.tsx';
import { Lines } from './lines.tsx';

export function KeysLine() {
  const { hintsOf, panes } = useUi();
  const hints = useApp(hintsOf);
  const { row, areas } = drawKeysLine(hints, useContext(DialogRoom), panes().look);
  useClickAreas(areas);
  return <Lines rows={[row]} height={1} />;
}
