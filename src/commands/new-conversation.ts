/** "New conversation" (Ctrl-N): starts one with the selected contact or group. */
import type { AppState, NamePrompt } from '../state/model/app-state.ts';
import { noticeNames } from '../state/model/screen-state.ts';
import { type PartnerChoice, selectPartnerChoices } from '../state/search/picker-choices.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { openAndWrite } from './open-conversation.ts';

/** A contact and a group may have the same id. */
export const partnerId = ({ kind, id }: Pick<PartnerChoice, 'kind' | 'id'>): string => `${kind} ${id}`;

export const newConversation = {
  rowIds: (state: AppState): readonly string[] => selectPartnerChoices(state).map(partnerId),
  accept(context: CommandContext, { selected }: NamePrompt): void {
    const choice = selectPartnerChoices(context.get())[selected];
    if (choice !== undefined) startConversation(context, choice);
  },
};

/** Closes the overlay. An existing conversation is opened: the API would make a second one, or refuse. */
export function startConversation(
  context: CommandContext,
  { kind, id, conversationId }: Omit<PartnerChoice, 'name'>,
): void {
  if (conversationId === null) {
    const contactId = kind === 'contact' ? id : null;
    const groupId = kind === 'group' ? id : null;
    if (!context.enqueue({ kind: 'conversation.create', contactId, groupId })) return;
    context.update(popOverlay);
    notify(context, 'Starting the conversation; it opens when the server has made it', { about: noticeNames.create });
    return;
  }
  context.update(popOverlay);
  openAndWrite(context, conversationId);
}
