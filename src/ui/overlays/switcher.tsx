/** Goes to a conversation, a person or a group by name, or runs a command. */
import { selectPalette } from '../../commands/table.ts';
import type { NamePrompt } from '../../state/model/app-state.ts';
import { selectSwitcherRows } from '../../state/search/switcher.ts';
import { parseQuery } from '../../state/search/switcher-row.ts';
import { literal } from '../../text/safe-text.ts';
import { namePromptEmpty, namePromptNote, namePromptTitle, switcherRow } from '../../view/switcher.ts';
import { useApp, useUi } from '../store-context.ts';
import type { Choice } from '../widgets/choices.tsx';
import { Picker } from '../widgets/picker.tsx';
import { commandChoices } from './command-choices.ts';

interface SwitcherProps {
  readonly overlay: NamePrompt;
  readonly isTop: boolean;
}

const columns = 84;
const height = 20;
const frameColumns = 6;

export function SwitcherDialog({ overlay, isTop }: SwitcherProps) {
  const size = useApp((state) => state.screen.size);
  const reason = useApp((state) => selectPalette(state)[overlay.selected]?.reason ?? null);
  const rows = useChoices(overlay, Math.min(columns, size.columns - 2) - frameColumns);
  return (
    <Picker
      title={namePromptTitle(overlay)}
      width={columns}
      height={Math.min(height, size.rows - 2)}
      label={literal('To')}
      placeholder={literal('name')}
      rows={rows}
      empty={namePromptEmpty(overlay)}
      note={namePromptNote(overlay, reason)}
      overlay={overlay}
      isTop={isTop}
    />
  );
}

function useChoices({ typed }: NamePrompt, room: number): readonly Choice[] {
  const { context, panes } = useUi();
  const { signs } = panes().look;
  const places = useApp(selectSwitcherRows);
  const commands = useApp(selectPalette);
  const query = parseQuery(typed);
  if (query.scope !== 'commands')
    return places.map((place) => ({ id: place.key, row: switcherRow(place, room, query, context.now(), signs) }));
  return commandChoices(commands, room, query, panes().look);
}
