/** Enter in a picker or prompt: what was chosen or typed is done. */
import { tokenProblem } from '../protocol/token.ts';
import { setName } from '../state/local/own-names.ts';
import { countAllUnsent, holdsNothing } from '../state/local/unsent-text.ts';
import type { AppState, NamePrompt } from '../state/model/app-state.ts';
import { type PartnerChoice, selectPartnerChoices, selectReactionChoices } from '../state/search/picker-choices.ts';
import { parseQuery } from '../state/search/switcher-row.ts';
import { selectConversation } from '../state/select/selectors.ts';
import { popOverlay, replaceOverlay, topOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { openHit } from './message-search.ts';
import { notify } from './notify.ts';
import { openAndWrite } from './open-conversation.ts';
import { type Palette, runFromPalette } from './palette.ts';
import { toggleReaction } from './react.ts';

/** Rows of the picker on top. */
export function choiceCount(state: AppState, palette: Palette): number {
  const top = topOverlay(state);
  if (top?.kind === 'message-search') return top.result?.hits.length ?? 0;
  if (top?.kind === 'links') return top.links.targets.length;
  if (top?.kind === 'switcher') return isPalette(top) ? palette(state).length : top.result.rows.length;
  return top?.kind === 'react' ? selectReactionChoices(state).length : selectPartnerChoices(state).length;
}

const isPalette = ({ query }: NamePrompt): boolean => parseQuery(query).scope === 'commands';

export function accept(context: CommandContext, palette: Palette): void {
  const state = context.get();
  const top = topOverlay(state);
  if (top?.kind === 'react') {
    const choice = selectReactionChoices(state)[top.selected];
    if (choice === undefined) return;
    context.update(popOverlay);
    toggleReaction(context, top.conversationId, top.messageId, choice.name);
  } else if (top?.kind === 'message-search') {
    openHit(context, top);
  } else if (top?.kind === 'switcher') {
    goTo(context, top, palette);
  } else if (top?.kind === 'new-conversation') {
    const choice = selectPartnerChoices(state)[top.selected];
    if (choice !== undefined) startConversation(context, choice);
  }
}

function goTo(context: CommandContext, top: NamePrompt, palette: Palette): void {
  if (isPalette(top)) {
    const row = palette(context.get())[top.selected];
    if (row !== undefined) runFromPalette(context, row);
    return;
  }
  const row = top.result.rows[top.selected];
  if (row === undefined) return;
  const { conversationId, contactId } = row;
  if (conversationId === null) {
    if (contactId !== null) startConversation(context, { kind: 'contact', id: contactId, conversationId });
  } else if (selectConversation(context.get(), conversationId) === null) {
    notify(context, 'The conversation is gone');
  } else {
    context.update(popOverlay);
    openAndWrite(context, conversationId);
  }
}

/** One that exists already is opened; the API would only make a second one or refuse. */
function startConversation(context: CommandContext, { kind, id, conversationId }: Omit<PartnerChoice, 'name'>): void {
  if (conversationId === null) {
    const contactId = kind === 'contact' ? id : null;
    const groupId = kind === 'group' ? id : null;
    if (!context.enqueue({ kind: 'conversation.create', contactId, groupId })) return;
    context.update(popOverlay);
    notify(context, 'Starting the conversation; it opens when the server has made it', { about: 'create' });
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
  const problem = tokenProblem(token);
  if (problem !== null) {
    notify(context, problem, { tone: 'warning' });
    return;
  }
  const state = context.get();
  if (holdsNothing(state)) {
    context.update(popOverlay);
    context.signIn(token);
    return;
  }
  // The service does not tell whose a token is: the user does, before anything of one account is another's.
  const question = { kind: 'same-account', token, unsent: countAllUnsent(state), openedAt: context.now() } as const;
  context.update(replaceOverlay(question));
}
