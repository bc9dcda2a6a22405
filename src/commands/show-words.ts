/** Shows the words of a search in a message that is too long to be shown whole. */
import type { ConversationId, MessageId } from '../protocol/types.ts';
import { placeInText } from '../state/search/place-in-text.ts';
import { foldedRows, isLong, selectBodyColumns } from '../state/select/folded-messages.ts';
import { selectPlace } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { isInParts, partStart, setFolded, setScroll, turnPart } from '../state/view/thread-place.ts';
import type { CommandContext } from './context.ts';
import { itemOf } from './selection.ts';

/** To be called when the message is shown. Does nothing where the words are among its first rows, which are in sight. */
export function showWords(
  context: CommandContext,
  id: ConversationId,
  messageId: MessageId,
  words: readonly string[],
): void {
  const state = context.get();
  const columns = selectBodyColumns(state);
  const item = itemOf(state, id, messageId);
  if (item === null || !(isLong(item, columns) || isInParts(textOf(item)))) return;
  const { part, row } = placeInText(textOf(item), words, columns);
  // An earlier search may have turned to a later part.
  const isAtStart = partStart(selectPlace(state, id), item) === 0;
  if (isAtStart && part === 0 && row < foldedRows - 1) return;
  context.update(setFolded(id, messageId, false));
  for (let turned = 0; turned < part; turned++) context.update(turnPart(id, item, 1));
  context.update(setScroll(id, { at: 'message', messageId, line: row }));
  context.scrollThread({ rows: -Math.floor(state.screen.size.rows / 4) });
}
