/** Draws the addresses of a message, one of which may be opened: nothing goes to a browser without this question. */
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import type { LinkAddress } from '../../state/model/links.ts';
import { shortenRow, span } from '../../text/layout/row.ts';
import { cutLines, wrap } from '../../text/layout/wrap.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../../text/safe-text.ts';
import { drawChoiceDialog, emptyRows } from '../../view/choice-dialog.ts';
import { markColumns } from '../../view/choices.ts';
import { type DrawnDialog, dialogColumns, mostDialogRows } from '../../view/dialog.ts';
import type { DialogContext } from '../../view/picker.ts';

type Links = Extract<Overlay, { kind: 'links' }>;

const width = 76;
const mostRows = 8;
/** The most rows for the selected address; a longer one is cut with an ellipsis. */
const mostAddressRows = 3;
/** The rows of title, frame and keys. */
const otherRows = 4;

export function linksDialog(overlay: Links, state: AppState, { look, hints }: DialogContext): DrawnDialog {
  const { links, selected } = overlay;
  const { addresses, refused } = links;
  const { size } = state.screen;
  const { signs, theme } = look;
  const columns = dialogColumns(width, size);
  // The rows stay where they are while another one is selected.
  const addressRows = Math.max(...addresses.map((one) => addressLines(one, columns, signs.ellipsis).length));
  const address = addressLines(addresses[selected], columns, signs.ellipsis).map((line) => [span(line, theme.muted)]);
  const note = refused > 0 ? [shortenRow([span(refusedNote(refused), theme.muted)], columns, signs.ellipsis)] : [];
  const below = [...address, ...emptyRows(addressRows - address.length), ...note];
  const room = mostDialogRows(size) - below.length - otherRows;
  const dialog = {
    title: literal('Open in the browser?'),
    width,
    height: Math.max(1, Math.min(addresses.length, mostRows, room)) + below.length + otherRows,
    rows: addresses.map(({ href }, index) => ({ id: href, text: numbered(addresses, index) })),
    selected,
    empty: literal(''),
    below,
  };
  return drawChoiceDialog(dialog, size, look, hints);
}

/** The mark of a choice is followed by the number that chooses it. */
const leadColumns = markColumns + 3;

function numbered(addresses: readonly LinkAddress[], index: number): SafeText {
  const shown = addresses[index]?.shown ?? literal('');
  return addresses.length === 1 ? shown : safe`${index < 9 ? safe`${index + 1}` : literal(' ')} ${shown}`;
}

/** The rows of the full address; none where its choice row already shows all of it. */
function addressLines(address: LinkAddress | undefined, columns: number, ellipsis: SafeText): readonly SafeText[] {
  if (address === undefined || (address.shown === address.href && address.href.length <= columns - leadColumns))
    return [];
  return cutLines(wrap(sanitizeLine(address.href), columns), columns, mostAddressRows, ellipsis);
}

const refusedNote = (count: number): SafeText =>
  count === 1
    ? literal('Left out: one that is not http or https, or has a password in it')
    : safe`Left out: ${count} that are not http or https, or have a password in them`;
