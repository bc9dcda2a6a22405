/** A dialog with rows to choose from and the keys that answer it, drawn as rows. */
import type { Size } from '../state/model/app-state.ts';
import type { Row } from '../text/layout/row.ts';
import { type Choices, drawChoices } from './choices.ts';
import { type DialogOptions, type DrawnDialog, drawDialog } from './dialog.ts';
import type { Look } from './frame.ts';
import type { Hint } from './hint-row.ts';
import { drawKeysLine } from './keys-line.ts';

interface ChoiceDialog extends Choices, Pick<DialogOptions, 'title' | 'titleRows' | 'width' | 'height'> {
  /** The rows between the choices and the keys. */
  readonly below: readonly Row[];
}

export function drawChoiceDialog(
  { rows, selected, empty, below, ...options }: ChoiceDialog,
  screen: Size,
  look: Look,
  hints: readonly Hint[],
): DrawnDialog {
  return drawDialog(options, screen, look, (room) => {
    const height = Math.max(1, room.height - below.length - 1);
    const drawn = drawChoices({ rows, selected, empty }, { ...room, height }, look);
    const keys = drawKeysLine(hints, room, look);
    return {
      rows: [...drawn.rows, ...emptyRows(height - drawn.rows.length), ...below, keys.row],
      choices: drawn.choices,
      areas: keys.areas,
    };
  });
}

export const emptyRows = (count: number): readonly Row[] => new Array<Row>(Math.max(0, count)).fill([]);
