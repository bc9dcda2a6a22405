/** Starts a conversation with a known contact or group, or with an id that the user got by other means. */

import { partnerId } from '../../commands/new-conversation.ts';
import type { NamePrompt } from '../../state/model/app-state.ts';
import { selectPartnerChoices } from '../../state/search/picker-choices.ts';
import { literal, safe } from '../../text/safe-text.ts';
import { namePromptEmpty, namePromptNote, namePromptTitle } from '../../view/switcher.ts';
import { useApp } from '../store-context.ts';
import { Picker } from '../widgets/picker.tsx';

interface NewConversationProps {
  readonly overlay: NamePrompt;
  readonly isTop: boolean;
}

export function NewConversation({ overlay, isTop }: NewConversationProps) {
  const choices = useApp(selectPartnerChoices);
  const rows = choices.map((choice) => ({
    id: partnerId(choice),
    text: choice.conversationId === null ? choice.name : safe`${choice.name} - open already`,
  }));
  return (
    <Picker
      title={namePromptTitle(overlay)}
      width={60}
      height={16}
      label={literal('With')}
      placeholder={literal('name, or the id of a contact or group')}
      rows={rows}
      empty={namePromptEmpty(overlay)}
      note={namePromptNote(overlay, null)}
      overlay={overlay}
      isTop={isTop}
    />
  );
}
