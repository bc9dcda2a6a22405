/** The switcher (Ctrl-K): goes to the selected conversation or person, or runs the selected command. */
import type { AppState, NamePrompt } from '../state/model/app-state.ts';
import { typeInNamePrompt } from '../state/search/name-prompt.ts';
import { openSwitcher, selectSwitcher } from '../state/search/switcher.ts';
import { parseQuery } from '../state/search/switcher-row.ts';
import { selectConversation } from '../state/select/selectors.ts';
import { rememberPlace } from '../state/view/jumps.ts';
import { popOverlay } from '../state/view/overlays.ts';
import type { CommandContext } from './context.ts';
import { startConversation } from './new-conversation.ts';
import { notify } from './notify.ts';
import { openAndWrite } from './open-conversation.ts';
import { type Palette, runFromPalette } from './palette.ts';

/** Whether the rows are commands. */
export const isPalette = ({ typed }: NamePrompt): boolean => parseQuery(typed).scope === 'commands';

export const switcher = {
  rowIds: (state: AppState, prompt: NamePrompt, palette: Palette): readonly string[] =>
    isPalette(prompt) ? palette(state).map(({ command }) => command.id) : prompt.result.rows.map(({ key }) => key),
  accept(context: CommandContext, prompt: NamePrompt, palette: Palette): void {
    if (isPalette(prompt)) {
      const row = palette(context.get())[prompt.selected];
      if (row !== undefined) runFromPalette(context, row);
    } else goTo(context, prompt);
  },
};

/** Opens the switcher with the words in it, or at once the conversation if only one matches them. */
export function goToNamed(context: CommandContext, words: string | null): void {
  context.update(openSwitcher);
  if (words === null) return;
  context.update(typeInNamePrompt(words));
  const prompt = selectSwitcher(context.get());
  if (prompt !== null && !isPalette(prompt) && prompt.result.isDone && prompt.result.count === 1) goTo(context, prompt);
}

function goTo(context: CommandContext, { result, selected }: NamePrompt): void {
  const row = result.rows[selected];
  if (row === undefined) return;
  const { conversationId, contactId } = row;
  if (conversationId === null) {
    if (contactId !== null) startConversation(context, { kind: 'contact', id: contactId, conversationId });
  } else if (selectConversation(context.get(), conversationId) === null) {
    notify(context, 'The conversation is gone');
  } else {
    context.update(popOverlay);
    if (conversationId !== context.get().view.openId) context.update(rememberPlace);
    openAndWrite(context, conversationId);
  }
}
