/**
 * Draws the prompt for a conversation with a known contact or group, or with an id that the user got by other means.
 */
import { partnerId } from '../../commands/new-conversation.ts';
import type { AppState, NamePrompt } from '../../state/model/app-state.ts';
import { selectPartnerChoices } from '../../state/search/picker-choices.ts';
import { literal, safe } from '../../text/safe-text.ts';
import type { Picker } from '../../view/picker.ts';
import { namePromptEmpty, namePromptNote, namePromptTitle } from '../../view/switcher.ts';

export const newConversationPicker = (overlay: NamePrompt, state: AppState): Picker => ({
  title: namePromptTitle(overlay),
  width: 60,
  height: 16,
  label: literal('With:'),
  placeholder: literal('name, or the id of a contact or group'),
  rows: selectPartnerChoices(state).map((choice) => ({
    id: partnerId(choice),
    text: choice.conversationId === null ? choice.name : safe`${choice.name} - has a conversation`,
  })),
  empty: namePromptEmpty(overlay),
  note: namePromptNote(overlay, null),
});
