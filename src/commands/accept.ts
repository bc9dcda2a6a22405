/** Enter in a picker or prompt: what was chosen or typed is done. */
import { type PartnerChoice, selectPartnerChoices, selectReactionChoices } from '../state/choices.ts';
import { setName } from '../state/local.ts';
import { popOverlay, topOverlay } from '../state/overlays.ts';
import type { AppState } from '../state/state.ts';
import type { CommandContext } from './context.ts';
import { openFound } from './find.ts';
import { openAndWrite } from './go-to.ts';
import { notify } from './notify.ts';
import { toggleReaction } from './react.ts';

/** Rows of the picker on top. */
export function choiceCount(state: AppState): number {
  const top = topOverlay(state);
  if (top?.kind === 'find') return top.found?.hits.length ?? 0;
  return top?.kind === 'react' ? selectReactionChoices(state).length : selectPartnerChoices(state).length;
}

export function accept(context: CommandContext): void {
  const state = context.get();
  const top = topOverlay(state);
  if (top?.kind === 'react') {
    const choice = selectReactionChoices(state)[top.selected];
    if (choice === undefined) return;
    context.update(popOverlay);
    toggleReaction(context, top.conversationId, top.messageId, choice.name);
  } else if (top?.kind === 'find') {
    openFound(context, top);
  } else if (top?.kind === 'new-conversation') {
    const choice = selectPartnerChoices(state)[top.selected];
    if (choice !== undefined) startConversation(context, choice);
  }
}

/** One that exists already is opened; the API would only make a second one or refuse. */
function startConversation(context: CommandContext, { kind, id, conversationId }: PartnerChoice): void {
  if (conversationId === null) {
    const contactId = kind === 'contact' ? id : null;
    const groupId = kind === 'group' ? id : null;
    if (!context.enqueue({ kind: 'conversation.create', contactId, groupId })) return;
    context.update(popOverlay);
    notify(context, 'Starting the conversation; it opens when the server has made it');
    return;
  }
  context.update(popOverlay);
  openAndWrite(context, conversationId);
}

/** Enter in a prompt without choices. */
export function acceptPrompt(context: CommandContext): void {
  const top = topOverlay(context.get());
  if (top?.kind === 'token') signIn(context, top.value.trim());
  if (top?.kind !== 'name') return;
  const name = top.value.trim();
  context.update((state) => setName(top.of, name === '' ? null : name)(popOverlay(state)));
}

function signIn(context: CommandContext, token: string): void {
  if (token === '') return;
  context.update(popOverlay);
  context.signIn(token);
}
