/** Asks for the new key of a command, and names what the key means already. */
import { type RebindOverlay, rebindLines } from '../../commands/rebind.ts';
import { keymapOf } from '../../commands/table.ts';
import { span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { type SafeText, safe } from '../../text/safe-text.ts';
import { dialogColumns, mostDialogRows } from '../../view/dialog.ts';
import { ownTextIn } from '../../view/glyph-set.ts';
import { useApp, useUi } from '../store-context.ts';
import { Dialog } from '../widgets/dialog-frame.tsx';
import { KeysLine, Lines } from '../widgets/lines.tsx';

const width = 70;
const titleRows = 2;

export function RebindDialog({ overlay }: { readonly overlay: RebindOverlay }) {
  const { signs, theme } = useUi().panes().look;
  const size = useApp((state) => state.screen.size);
  const keymap = useApp(keymapOf);
  const command = keymap.commands.find(({ id }) => id === overlay.command);
  if (command === undefined) return null;
  const columns = dialogColumns(width, size);
  const title = safe`Press the new key for "${sanitizeLine(command.title)}"`;
  const titleLines = Math.min(titleRows, wrap(ownTextIn(title, signs), columns).length);
  const room = Math.max(1, mostDialogRows(size) - 3 - titleLines);
  const linesWith = (most: number): readonly SafeText[] =>
    rebindLines(overlay, command, keymap.keysOf(command.id), most).flatMap((line) =>
      wrap(ownTextIn(sanitizeLine(line), signs), columns),
    );
  // Where not all other meanings have room, as many as possible are named and the rest counted.
  let most = overlay.pressed?.conflicts.length ?? 0;
  while (most > 0 && linesWith(most).length > room) most -= 1;
  const shown = cutLines(linesWith(most), columns, room, signs.ellipsis);
  return (
    <Dialog title={title} titleRows={titleRows} width={width} height={shown.length + 3 + titleLines}>
      {() => (
        <>
          <Lines rows={shown.map((line) => [span(line, theme.plain)])} height={shown.length} />
          <KeysLine />
        </>
      )}
    </Dialog>
  );
}
