/** "New conversation" (Ctrl-N): starts one with the selected contact or group. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, NamePrompt } from '../state/model/app-state.ts';
import { noticeNames } from '../state/model/screen-state.ts';
import { type PartnerChoice, selectPartnerChoices } from '../state/search/picker-choices.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectComposer, selectConversation } from '../state/select/selectors.ts';
import { dropNotice } from '../state/view/notices.ts';
import { popOverlay } from '../state/view/overlays.ts';
import { markChangedByItself, patchView } from '../state/view/view.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { openAndWrite, openInPassing } from './open-conversation.ts';

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
    context.update((state) => patchView(state, { starting: { contactId, groupId, ...writingIn(state) } }));
    notify(context, 'Starting the conversation; it opens when the server has made it', { about: noticeNames.create });
    return;
  }
  context.update(popOverlay);
  openAndWrite(context, conversationId);
}

const writingIn = (state: AppState) => ({ openId: state.view.openId, draft: selectComposer(state) });

/**
 * To be called when the server has made a conversation. It is opened where it was asked for here, and the user has neither
 * opened another one nor typed since: whoever goes on writing must not write to somebody else.
 */
export function openStarted(context: CommandContext, id: ConversationId): void {
  const state = context.get();
  const { starting = null } = state.view;
  const conversation = selectConversation(state, id);
  if (starting === null || conversation === null) return;
  const { contactId, groupId, openId, draft } = starting;
  const isIt = contactId === null ? conversation.groupId === groupId : conversation.contactId === contactId;
  if (!isIt) return;
  context.update((held) => patchView(dropNotice(noticeNames.create)(held), { starting: null }));
  const now = writingIn(state);
  if (now.openId === openId && now.draft === draft) {
    openInPassing(context, id);
    context.update(markChangedByItself(context.now()));
  } else notify(context, `The conversation with ${selectConversationName(state, id)} is there`);
}
