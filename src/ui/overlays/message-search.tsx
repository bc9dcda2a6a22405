/** Finds messages in what is cached, and says how much that is. */

import type { MessageSearchOverlay } from '../../state/model/app-state.ts';
import { selectHits } from '../../state/search/message-search.ts';
import { selectConversationName } from '../../state/select/selectors.ts';
import { literal } from '../../text/safe-text.ts';
import { coverageLine, hitRow, messageSearchTitle, nothingFound } from '../../view/message-search.ts';
import { useApp, useUi } from '../store-context.ts';
import { Picker } from '../widgets/picker.tsx';

interface MessageSearchProps {
  readonly overlay: MessageSearchOverlay;
  readonly isTop: boolean;
}

const columns = 100;
const frameColumns = 6;

export function MessageSearchDialog({ overlay, isTop }: MessageSearchProps) {
  const { context, panes } = useUi();
  const size = useApp((state) => state.screen.size);
  const hits = useApp(selectHits);
  const { conversationId } = overlay;
  const name = useApp((state) => (conversationId === null ? null : selectConversationName(state, conversationId)));
  const now = context.now();
  const room = Math.min(columns, size.columns - 2) - frameColumns;
  const facts = {
    words: overlay.result?.words ?? [],
    isEverywhere: conversationId === null,
    now,
    signs: panes().look.signs,
  };
  const rows = hits.map((hit) => ({ id: hit.id, row: hitRow(hit, room, facts) }));
  return (
    <Picker
      title={messageSearchTitle(overlay, name)}
      width={columns}
      height={size.rows - 2}
      label={literal('Find')}
      placeholder={literal('words; all of them must occur')}
      rows={rows}
      empty={nothingFound(overlay)}
      note={coverageLine(overlay, now)}
      overlay={overlay}
      isTop={isTop}
    />
  );
}
