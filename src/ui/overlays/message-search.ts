/** Draws the search for messages in what is cached: the hits, and how much was searched. */
import type { AppState, MessageSearchOverlay } from '../../state/model/app-state.ts';
import { searchScope, selectHits } from '../../state/search/message-search.ts';
import { selectConversationName } from '../../state/select/selectors.ts';
import { literal } from '../../text/safe-text.ts';
import { markColumns } from '../../view/choices.ts';
import { dialogColumns } from '../../view/dialog.ts';
import { keysWith } from '../../view/hint-row.ts';
import { coverageLine, hitRow, messageSearchTitle, nothingFound } from '../../view/message-search.ts';
import type { DialogContext, Picker } from '../../view/picker.ts';

const width = 100;
const fetchKey = [['find.fetchOlder', literal('fetches the rest')]] as const;

export function messageSearchPicker(
  overlay: MessageSearchOverlay,
  state: AppState,
  { look, now, hints }: DialogContext,
): Picker {
  const { size } = state.screen;
  const conversationId = searchScope(overlay);
  const name = conversationId === null ? null : selectConversationName(state, conversationId);
  const room = dialogColumns(width, size) - markColumns;
  const facts = {
    words: overlay.result?.words ?? [],
    isEverywhere: conversationId === null,
    now,
    signs: look.signs,
  };
  return {
    title: messageSearchTitle(overlay, name, dialogColumns(width, size), look.signs),
    width,
    height: size.rows - 2,
    label: literal('Find:'),
    placeholder: literal('words, "a phrase", -not, from:ann, has:link, after:monday'),
    rows: selectHits(state).map((hit) => ({ id: hit.id, row: () => hitRow(hit, room, facts) })),
    empty: nothingFound(overlay),
    note: coverageLine(overlay, now, keysWith(hints, fetchKey, literal(''))),
  };
}
