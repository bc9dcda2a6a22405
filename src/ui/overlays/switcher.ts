/** Draws the switcher, which goes to a conversation, a person or a group by name, or runs a command. */
import { selectPalette } from '../../commands/table.ts';
import type { AppState, NamePrompt } from '../../state/model/app-state.ts';
import { selectSwitcherRows } from '../../state/search/switcher.ts';
import { parseQuery } from '../../state/search/switcher-row.ts';
import { literal } from '../../text/safe-text.ts';
import { type Choice, markColumns } from '../../view/choices.ts';
import { dialogColumns } from '../../view/dialog.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';
import { namePromptEmpty, namePromptNote, namePromptTitle, switcherRow } from '../../view/switcher.ts';
import { commandChoices } from './command-choices.ts';

const width = 84;
const height = 20;

export function switcherPicker(overlay: NamePrompt, state: AppState, context: DialogContext): Picker {
  const { size } = state.screen;
  const reason = selectPalette(state)[overlay.selected]?.reason ?? null;
  const isCommand = parseQuery(overlay.typed).scope === 'commands';
  return {
    title: namePromptTitle(overlay),
    width,
    height: Math.min(height, size.rows - 2),
    label: isCommand ? literal('Run:') : literal('To:'),
    placeholder: literal('name'),
    rows: choices(overlay, state, dialogColumns(width, size) - markColumns, context),
    empty: namePromptEmpty(overlay),
    note: namePromptNote(overlay, reason),
  };
}

function choices(
  { typed }: NamePrompt,
  state: AppState,
  room: number,
  { look, now }: DialogContext,
): readonly Choice[] {
  const query = parseQuery(typed);
  if (query.scope === 'commands') return commandChoices(selectPalette(state), room, query, look);
  return selectSwitcherRows(state).map((place) => ({
    id: place.key,
    row: () => switcherRow(place, room, query, now, look.signs),
  }));
}
