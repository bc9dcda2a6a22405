/** Draws the help: all commands with their keys, which the user searches by typing and runs with Enter. */
import { selectPalette } from '../../commands/table.ts';
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import { helpQuery } from '../../state/search/command-query.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { markColumns } from '../../view/choices.ts';
import { commandNote } from '../../view/command-row.ts';
import { dialogColumns } from '../../view/dialog.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';
import { commandChoices, textOf } from './command-choices.ts';

type Help = Extract<Overlay, { kind: 'help' }>;

const width = 92;

export function helpPicker({ typed, selected }: Help, state: AppState, { look }: DialogContext): Picker {
  const { size } = state.screen;
  const rows = selectPalette(state);
  const columns = dialogColumns(width, size) - markColumns;
  const row = rows[selected];
  return {
    title: typed.trim() === '' ? safe`Help · ${rows.length} commands and settings` : safe`Help · ${rows.length} found`,
    width,
    height: size.rows - 2,
    label: literal('Find:'),
    placeholder: literal('what it does, a key, an id or a /name'),
    rows: commandChoices(rows, columns, helpQuery(typed), look),
    empty: literal('No command or setting has this name or key.'),
    note: commandNote(row === undefined ? undefined : textOf(row), columns),
  };
}
