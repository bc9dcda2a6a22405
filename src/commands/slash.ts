/** Runs a slash command that was typed in the composer, and keeps its text where it cannot run. */
import { setText } from '../state/composer/draft.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectComposer, selectPlace } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { selectMessage } from '../state/view/thread-place.ts';
import { patchView, setFocus } from '../state/view/view.ts';
import { coach } from './coach.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { invoke, problemWith } from './invoke.ts';
import { notify } from './notify.ts';
import { asksAfterChange } from './send.ts';
import { paneOf, slashState, slashTarget } from './slash-rows.ts';

const shownLength = 30;

export const shortened = (text: string): string => {
  const characters = [...text.slice(0, shownLength * 2)];
  return characters.length <= shownLength ? characters.join('') : `${characters.slice(0, shownLength).join('')}…`;
};

/** Runs the command. When it cannot run, the typed text is kept in the composer, so that the user can correct it. */
export function runSlash(context: CommandContext, command: Command, words: readonly string[]): void {
  const before = context.get();
  const { openId } = before.view;
  if (openId === null || asksAfterChange(context, openId)) return;
  const problem = problemWith(slashState(before, command), command, words);
  if (problem !== null) {
    notify(context, problem, { isRefusal: true });
    return;
  }
  context.update((state) => slashState(updateDraft(openId, (draft) => setText(draft, ''))(state), command));
  const isDone = invoke(paneOf(command) === null ? context : forWriting(context, before), command, words);
  if (paneOf(command) !== null) context.update(backToWriting(before));
  sayWhich(context, command, before);
  if (isDone) coach(context, command, 'slash', before);
}

/** The keyboard stays in the composer; list and thread stay as they were. */
const backToWriting =
  (before: AppState) =>
  (state: AppState): AppState => {
    const { openId, list } = before.view;
    if (openId === null || state.view.openId !== openId) return state;
    const selectedId = selectPlace(before, openId).selectedId;
    const there = selectMessage(openId, selectedId)(setFocus('composer')(state));
    return patchView(there, { list });
  };

/** The command runs in its pane, but the keyboard goes back to the composer, where its keys may be letters of the text. */
const forWriting = (context: CommandContext, before: AppState): CommandContext => ({
  ...context,
  keyOf: (id) => context.keyOf(id, before),
});

/** Names the message, where nothing else shows which one was meant. */
function sayWhich(context: CommandContext, command: Command, before: AppState): void {
  const { screen } = context.get();
  const isAnswered = screen.notices !== before.screen.notices || screen.overlays.length > before.screen.overlays.length;
  if (isAnswered || paneOf(command) !== 'messages' || selectComposer(context.get()).text !== '') return;
  const target = slashTarget(before, command);
  if (target === null) return;
  const text = shortened(textOf(target).replace(/\s+/g, ' ').trim());
  notify(context, `/${command.slash}: “${text}” of ${target.isOwn ? 'yours' : target.authorName}`);
}
