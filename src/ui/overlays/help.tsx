/** All commands with their keys: searched by typing, run by Enter. */
import { selectPalette } from '../../commands/table.ts';
import type { Overlay } from '../../state/model/app-state.ts';
import { helpQuery } from '../../state/search/command-query.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { commandNote } from '../../view/command-row.ts';
import { useApp, useUi } from '../store-context.ts';
import { markColumns } from '../widgets/choices.tsx';
import { innerColumns } from '../widgets/dialog.tsx';
import { Picker } from '../widgets/picker.tsx';
import { commandChoices, textOf } from './command-choices.ts';

interface HelpProps {
  readonly overlay: Extract<Overlay, { kind: 'help' }>;
  readonly isTop: boolean;
}

const width = 92;

export function HelpOverlay({ overlay, isTop }: HelpProps) {
  const { panes } = useUi();
  const { typed, selected } = overlay;
  const size = useApp((state) => state.screen.size);
  const rows = useApp(selectPalette);
  const columns = innerColumns(width, size) - markColumns;
  const row = rows[selected];
  return (
    <Picker
      title={typed.trim() === '' ? safe`Help · ${rows.length} commands` : safe`Help · ${rows.length} found`}
      width={width}
      height={size.rows - 2}
      label={literal('Find')}
      placeholder={literal('what it does, a key, an id or a /name')}
      rows={commandChoices(rows, columns, helpQuery(typed), panes().look)}
      empty={literal('No command has this name or key.')}
      note={commandNote(row === undefined ? undefined : textOf(row), columns)}
      overlay={overlay}
      isTop={isTop}
    />
  );
}
