/** The addresses of a message, one of which may be opened: nothing goes to a browser without this question. */
import { Box } from 'ink';
import type { Overlay } from '../../state/model/app-state.ts';
import type { LinkTarget } from '../../state/model/links.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { markColumns } from '../../view/choices.ts';
import { dialogColumns, mostDialogRows } from '../../view/dialog.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices } from '../widgets/choices.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { KeysLine } from '../widgets/keys-line.tsx';
import { Text } from '../widgets/text.tsx';

const width = 76;
const mostRows = 8;
/** Rows for the selected address; a longer one is cut with an ellipsis. */
const mostAddressRows = 3;
/** Title, frame, the keys. */
const otherRows = 4;

export function LinksDialog({ overlay }: { readonly overlay: Extract<Overlay, { kind: 'links' }> }) {
  const { targets, refused } = overlay.links;
  const { ellipsis } = useUi().panes().look.signs;
  const size = useApp((state) => state.screen.size);
  const columns = dialogColumns(width, size);
  const addressRows = Math.max(...targets.map((target) => addressLines(target, columns, ellipsis).length));
  const noteRows = refused > 0 ? 1 : 0;
  const room = mostDialogRows(size) - addressRows - noteRows - otherRows;
  const rows = Math.max(1, Math.min(targets.length, mostRows, room));
  return (
    <Dialog title={literal('Open in the browser?')} width={width} height={rows + addressRows + noteRows + otherRows}>
      {(inner) => (
        <>
          <Box height={rows} flexShrink={0}>
            <Choices
              rows={targets.map(({ href }, index) => ({ id: href, text: numbered(targets, index) }))}
              selected={overlay.selected}
              x={inner.x}
              y={inner.y}
              width={inner.width}
              height={rows}
              empty={literal('')}
            />
          </Box>
          <Box height={addressRows} flexShrink={0} flexDirection="column">
            {addressLines(targets[overlay.selected], columns, ellipsis).map(({ id, line }) => (
              <Text key={id} dimColor>
                {line}
              </Text>
            ))}
          </Box>
          {refused > 0 && (
            <Text dimColor wrap="truncate">
              {refusedNote(refused)}
            </Text>
          )}
          <KeysLine width={inner.width} />
        </>
      )}
    </Dialog>
  );
}

/** The mark of a choice is followed by the number that chooses it. */
const leadColumns = markColumns + 3;

function numbered(targets: readonly LinkTarget[], index: number): SafeText {
  const shown = targets[index]?.shown ?? literal('');
  return targets.length === 1 ? shown : safe`${index < 9 ? safe`${index + 1}` : literal(' ')} ${shown}`;
}

/** The rows of the full address; none where its choice row already shows all of it. */
function addressLines(
  target: LinkTarget | undefined,
  columns: number,
  ellipsis: SafeText,
): readonly { id: number; line: SafeText }[] {
  if (target === undefined || (target.shown === target.href && target.href.length <= columns - leadColumns)) return [];
  const lines = wrap(sanitizeLine(target.href), columns);
  return cutLines(lines, columns, mostAddressRows, ellipsis).map((line, id) => ({ id, line }));
}

const refusedNote = (count: number): SafeText =>
  count === 1
    ? literal('Left out: one that is not http or https, or has a password in it')
    : safe`Left out: ${count} that are not http or https, or have a password in them`;
