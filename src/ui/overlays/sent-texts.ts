/** Draws the search in the texts that were sent before; the chosen one goes into the composer. */
import { selectFoundTexts, sentTextId } from '../../commands/sent-texts.ts';
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import type { SentText } from '../../state/model/local-records.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { type Row, rowWidth, shortenRow, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { markColumns } from '../../view/choices.ts';
import { dialogColumns } from '../../view/dialog.ts';
import { ends, type Look } from '../../view/frame.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';

type SentTexts = Extract<Overlay, { kind: 'sent-texts' }>;

const width = 84;
/** The characters of a text to which it is cut before it is drawn; no row shows more. */
const shownLength = 200;

export function sentTextsPicker(overlay: SentTexts, state: AppState, { look }: DialogContext): Picker {
  const { size } = state.screen;
  const columns = dialogColumns(width, size) - markColumns;
  return {
    title: literal('What you sent before'),
    width,
    height: Math.min(18, size.rows - 2),
    label: literal('Find:'),
    placeholder: literal('words; all of them must occur'),
    rows: selectFoundTexts(state, overlay).map((sent) => ({
      id: sentTextId(sent),
      row: () => rowOf(sent, state, columns, look),
    })),
    empty: literal('No kept text contains these words'),
  };
}

/** Draws the beginning of the text, and at the right the conversation it was sent to, unless that is the open one. */
function rowOf({ text, conversationId }: SentText, state: AppState, columns: number, { theme, signs }: Look): Row {
  const isHere = conversationId === state.view.openId;
  const name = isHere ? [] : [span(safe`  ${selectConversationName(state, conversationId)}`, theme.muted)];
  const right = shortenRow(name, Math.floor(columns / 3), signs.ellipsis);
  const line = sanitizeLine(text.slice(0, shownLength).replaceAll('\n', ' / '));
  return ends(shortenRow([span(line, theme.plain)], columns - rowWidth(right), signs.ellipsis), right, columns);
}
