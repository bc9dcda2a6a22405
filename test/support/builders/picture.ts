/** The whole screen that the panes make, as text. */
import type { AppState } from '../../../src/state/model/app-state.ts';
import { cutRow, overlay, type Row } from '../../../src/text/layout/row.ts';
import type { Hint } from '../../../src/view/hint-row.ts';
import type { PaneName } from '../../../src/view/layout.ts';
import type { Panes } from '../../../src/view/panes.ts';
import { rowToText } from './row-text.ts';

export const paneNames: readonly PaneName[] = ['header', 'list', 'thread', 'composer', 'completion', 'footer'];

export function picture(panes: Panes, state: AppState, hints: readonly Hint[] = []): readonly string[] {
  const where = panes.layout(state);
  const screen: Row[] = Array.from({ length: state.screen.size.rows }, () => []);
  for (const pane of paneNames) {
    const rect = where[pane];
    if (rect === null) continue;
    panes.rows(pane, state, where, hints).forEach((row, i) => {
      screen[rect.y + i] = overlay(screen[rect.y + i] ?? [], rect.x, row);
    });
  }
  return screen.map((row) => rowToText(cutRow(row, 0, state.screen.size.columns)).trimEnd());
}
