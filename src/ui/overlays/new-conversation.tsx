/** Starts a conversation with a known contact or group, or with an id that was told by other means. */
import { Text } from 'ink';
import { selectPartnerChoices } from '../../state/choices.ts';
import { setQuery } from '../../state/overlays.ts';
import type { Overlay } from '../../state/state.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { truncate } from '../../text/width.ts';
import { useApp, useUi } from '../store-context.ts';
import { Choices } from '../widgets/choices.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { Prompt } from '../widgets/prompt.tsx';

interface NewConversationProps {
  readonly overlay: Extract<Overlay, { kind: 'new-conversation' }>;
  readonly isTop: boolean;
}

export function NewConversation({ overlay, isTop }: NewConversationProps) {
  const { context } = useUi();
  const choices = useApp(selectPartnerChoices);
  const rows = choices.map(({ kind, id, name, conversationId }) => ({
    id: `${kind} ${id}`,
    text: conversationId === null ? name : safe`${name} - open already`,
  }));
  return (
    <Dialog title={literal('New conversation')} width={60} height={16}>
      {({ width, height }) => (
        <>
          <Prompt
            label={literal('With')}
            value={overlay.query}
            placeholder={literal('name, or the id of a contact or group')}
            hasFocus={isTop}
            onChange={(query) => context.update(setQuery(query))}
          />
          <Choices
            rows={rows}
            selected={overlay.selected}
            width={width}
            height={height - 2}
            empty={literal('Nobody known yet: enter the id of a contact or a group')}
          />
          <Text dimColor>
            {truncate(literal('The service lists no contacts: these are the ones seen in messages.'), width)}
          </Text>
        </>
      )}
    </Dialog>
  );
}
