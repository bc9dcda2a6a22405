/** Goes to a conversation, a person or a group by name, or runs a command. */
import { selectPalette } from '../../commands/table.ts';
import type { LookingUp } from '../../state/model/app-state.ts';
import { selectGoToRows } from '../../state/search/switcher.ts';
import { parseQuery } from '../../state/search/switcher-row.ts';
import { literal } from '../../text/safe-text.ts';
import { commandRow, goToNote, goToRow, goToTitle, nothingThere } from '../../view/go-to.ts';
import { useApp, useUi } from '../store-context.ts';
import type { Choice } from '../widgets/choices.tsx';
import { Picker } from '../widgets/picker.tsx';

interface GoToOverlayProps {
  readonly overlay: LookingUp;
  readonly isTop: boolean;
}

const columns = 84;
const height = 20;
const frameColumns = 6;

export function GoToOverlay({ overlay, isTop }: GoToOverlayProps) {
  const size = useApp((state) => state.view.size);
  const reason = useApp((state) => selectPalette(state)[overlay.selected]?.reason ?? null);
  const rows = useChoices(overlay, Math.min(columns, size.columns - 2) - frameColumns);
  return (
    <Picker
      title={goToTitle(overlay)}
      width={columns}
      height={Math.min(height, size.rows - 2)}
      label={literal('To')}
      placeholder={literal('name')}
      rows={rows}
      empty={nothingThere(overlay)}
      note={goToNote(overlay, reason)}
      overlay={overlay}
      isTop={isTop}
    />
  );
}

function useChoices({ query }: LookingUp, room: number): readonly Choice[] {
  const { context, help, panes } = useUi();
  const { signs } = panes().look;
  const places = useApp(selectGoToRows);
  const commands = useApp(selectPalette);
  const sought = parseQuery(query);
  if (sought.reach !== 'commands')
    return places.map((place) => ({ id: place.key, row: goToRow(place, room, sought, context.now(), signs) }));
  return commands.map(({ command: { id, title }, reason }) => {
    const row = help.find((one) => one.kind === 'command' && one.id === id);
    const keys = row?.kind === 'command' ? row.keys : '';
    return { id, row: commandRow({ title, keys, reason }, room, sought, signs) };
  });
}
