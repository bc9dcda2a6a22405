/** Finding in what is cached: here, everywhere, and going to what was found. */
import type { ConversationId } from '../protocol/types.ts';
import type { AppState, Finding } from '../state/model/app-state.ts';
import { isAnswer, selectFinding, startFinding, switchFinding } from '../state/search/message-search.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { itemOf, selectedConversationId } from './selection.ts';

/** In the list what is selected there, elsewhere what is open. */
const here = (state: AppState): ConversationId | null =>
  (state.view.focus === 'list' ? selectedConversationId(state) : null) ?? state.view.openId;

export function openFound(context: CommandContext, finding: Finding): void {
  const { found, selected } = finding;
  if (!isAnswer(found, finding)) {
    if (finding.query.trim() !== '') notify(context, 'Still searching for what was typed last');
    return;
  }
  const hit = found.hits[selected];
  if (hit === undefined) return;
  const { conversationId, message } = hit;
  context.update(popOverlay);
  const isShown = context.showMessage(conversationId, message) && itemOf(context.get(), conversationId, message.id);
  if (!isShown) notify(context, 'The message is gone');
}

export const findCommands: readonly Command[] = [
  {
    id: 'find.open',
    title: 'Find in this conversation, as far as it is kept',
    group: 'Anywhere',
    where: ['global'],
    hint: 'find',
    keys: ['ctrl+f'],
    run: (context) => context.update(startFinding(here(context.get()))),
  },
  {
    id: 'find.everywhere',
    title: 'Find in all conversations, and in this one again',
    group: 'Dialogs',
    where: ['find'],
    hint: 'everywhere or here',
    keys: ['ctrl+f'],
    disabled: (state) => (selectFinding(state)?.here == null ? 'This is everywhere: no conversation is open' : null),
    run: (context) => context.update(switchFinding),
  },
];
