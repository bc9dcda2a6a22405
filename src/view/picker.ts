/**
 * Draws a dialog with a text field for a search and the rows that it finds. Also has the type of what all dialogs are
 * drawn from besides the state.
 */
import type { Millis } from '../protocol/types.ts';
import type { Draft, Size } from '../state/model/app-state.ts';
import { span } from '../text/layout/row.ts';
import { cutLines, wrap } from '../text/layout/wrap.ts';
import type { SafeText } from '../text/safe-text.ts';
import { emptyRows } from './choice-dialog.ts';
import { type Choice, drawChoices } from './choices.ts';
import { type DialogOptions, type DrawnDialog, drawDialog } from './dialog.ts';
import type { Look } from './frame.ts';
import { ownTextIn } from './glyph-set.ts';
import type { Hint } from './hint-row.ts';
import type { Rect } from './layout.ts';
import { fieldCursor, fieldRow } from './text-field.ts';

export interface Picker extends Pick<DialogOptions, 'title' | 'width' | 'height'> {
  /** The text before the field. */
  readonly label: SafeText;
  readonly placeholder: SafeText;
  readonly rows: readonly Choice[];
  /** The text in the place of the rows where there are none. */
  readonly empty: SafeText;
  /** The last line; up to three where it does not fit into one. */
  readonly note?: SafeText;
}

export interface PickerState {
  readonly typed: string;
  readonly selected: number;
  /** Null where another overlay has the keyboard: the field has no cursor then. */
  readonly draft: Draft | null;
}

/** The values that a painted overlay is drawn from besides the state. */
export interface DialogContext {
  readonly look: Look;
  readonly now: Millis;
  /** The keys that work now. */
  readonly hints: readonly Hint[];
}

const noteRows = 3;
/** In a dialog with fewer rows than this, the note gets one row less, and the list one more. */
const lowRows = 6;
const fieldRows = 1;

export function drawPicker(picker: Picker, state: PickerState, screen: Size, look: Look): DrawnDialog {
  return drawDialog(picker, screen, look, (room) => content(picker, state, room, look));
}

function content({ label, placeholder, rows, empty, note }: Picker, state: PickerState, room: Rect, look: Look) {
  const { signs, theme } = look;
  const { typed, selected, draft } = state;
  const lines = note === undefined ? [] : wrap(ownTextIn(note, signs), room.width);
  const notes = cutLines(lines, room.width, room.height < lowRows ? noteRows - 1 : noteRows, signs.ellipsis);
  const height = Math.max(1, room.height - fieldRows - notes.length);
  const rect = { ...room, y: room.y + fieldRows, height };
  const drawn = drawChoices({ rows, selected, empty: ownTextIn(empty, signs) }, rect, look);
  const field = { label, value: typed, placeholder, draft };
  return {
    rows: [
      fieldRow(field, room.width, look),
      ...drawn.rows,
      ...emptyRows(height - drawn.rows.length),
      ...notes.map((line) => [span(line, theme.muted)]),
    ],
    choices: drawn.choices,
    cursor: fieldCursor(field, room.width, look),
  };
}
