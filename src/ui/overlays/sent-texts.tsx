/** Searches in the texts that were sent before; the chosen one goes into the composer. */
import { selectFoundTexts, sentTextId } from '../../commands/sent-texts.ts';
import type { AppState, Overlay } from '../../state/model/app-state.ts';
import type { SentText } from '../../state/model/sent-text.ts';
import { selectConversationName } from '../../state/select/names.ts';
import { type Row, rowWidth, shortenRow, span } from '../../text/layout/row.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { ends, type Look } from '../../view/frame.ts';
import { useApp, useUi } from '../store-context.ts';
import { markColumns } from '../widgets/choices.tsx';
import { innerColumns } from '../widgets/dialog.tsx';
import { Picker } from '../widgets/picker.tsx';

interface SentTextsProps {
  readonly overlay: Extract<Overlay, { kind: 'sent-texts' }>;
  readonly isTop: boolean;
}

const width = 84;
/** No row shows more of a text. */
const shownLength = 200;

export function SentTextsDialog({ overlay, isTop }: SentTextsProps) {
  const { context, panes } = useUi();
  const found = useApp((state) => selectFoundTexts(state, overlay));
  const size = useApp((state) => state.screen.size);
  const columns = innerColumns(width, size) - markColumns;
  const rows = found.map((sent) => ({ id: sentTextId(sent), row: rowOf(sent, context.get(), columns, panes().look) }));
  return (
    <Picker
      title={literal('What you sent before')}
      width={width}
      height={Math.min(18, size.rows - 2)}
      label={literal('Find')}
      placeholder={literal('words; all of them must occur')}
      rows={rows}
      empty={literal('No kept text contains these words')}
      overlay={overlay}
      isTop={isTop}
    />
  );
}

/** The beginning of the text, and at the right where it was sent, unless that was here. */
function rowOf({ text, conversationId }: SentText, state: AppState, columns: number, { theme, signs }: Look): Row {
  const isHere = conversationId === state.view.openId;
  const name = isHere ? [] : [span(safe`  ${selectConversationName(state, conversationId)}`, theme.muted)];
  const right = shortenRow(name, Math.floor(columns / 3), signs.ellipsis);
  const line = sanitizeLine(text.slice(0, shownLength).replaceAll('\n', ' / '));
  return ends(shortenRow([span(line, theme.plain)], columns - rowWidth(right), signs.ellipsis), right, columns);
}
