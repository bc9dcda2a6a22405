/** Opens and closes the completion list for the word that is being typed, and has the commands that take a row of it. */
import { completionWord } from '../state/composer/completion-word.ts';
import { replaceRange } from '../state/composer/draft.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import type { AppState, Completion, CompletionWord, Draft } from '../state/model/app-state.ts';
import { emojiRows, likelyPeople } from '../state/search/completion.ts';
import { selectComposer } from '../state/select/selectors.ts';
import {
  heldCompletion,
  patchCompletion,
  selectCompletion,
  setCompletion,
  stepCompletion,
} from '../state/view/composer.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { notify } from './notify.ts';
import { slashRows } from './slash-rows.ts';

/**
 * To be called after each key. Typing and deleting open, narrow and close it; nothing else does, so that no list opens over
 * a draft that somebody only comes back to.
 * @param before the draft that was in the composer before the key
 */
export function followTyping(context: CommandContext, before: Draft, commands: readonly Command[]): void {
  const state = context.get();
  const draft = selectComposer(state);
  if (draft === before) return;
  const held = state.view.completion ?? null;
  const isTyped = draft.lastChange === 'insert' || draft.lastChange === 'delete';
  const word = isTyped && canComplete(state) ? completionWord(draft) : null;
  if (word === null) {
    if (held !== null) context.update(setCompletion(null));
    return;
  }
  const isClosed = held?.isClosed === true && held.kind === word.kind && held.start === word.start;
  if (!isClosed) offer(context, word, commands);
}

const canComplete = ({ screen, view }: AppState): boolean =>
  view.openId !== null && screen.focus === 'composer' && screen.overlays.length === 0;

/** Shows the rows for the word. Returns false where there are none. */
function offer(context: CommandContext, word: CompletionWord | null, commands: readonly Command[]): boolean {
  const state = context.get();
  const { openId } = state.view;
  const isText = word?.kind === 'command' && selectComposer(state).editing !== null;
  if (word === null || openId === null || isText) {
    context.update(setCompletion(null));
    return false;
  }
  const found = rowsFor(state, word, commands);
  const isEmpty = found.rows.length === 0 && found.isDone;
  const completion = { ...word, ...found, conversationId: openId, selected: null, isClosed: false };
  // Nobody with such a name is known, but the name may still come from the network.
  context.update(setCompletion(isEmpty && word.kind !== 'person' ? null : completion));
  return !isEmpty;
}

function rowsFor(
  state: AppState,
  { kind, typed }: CompletionWord,
  commands: readonly Command[],
): Pick<Completion, 'rows' | 'isDone' | 'sources'> {
  if (kind === 'person') {
    const { rows, isDone, sources } = likelyPeople(state, typed);
    return { rows, isDone, sources };
  }
  return { rows: kind === 'emoji' ? emojiRows(state, typed) : slashRows(state, typed, commands), isDone: true };
}

/** Puts the row into the draft, as one undo step. */
export function takeCompletion(context: CommandContext, index: number): void {
  const held = selectCompletion(context.get());
  const row = held?.rows[index];
  if (held === null || row === undefined) return;
  const { conversationId, start, typed } = held;
  const end = start + typed.length;
  const put = (draft: Draft): Draft => {
    const isBlankThere = /^\s/.test(draft.text.slice(end));
    return replaceRange(draft, { start, end }, isBlankThere ? row.text.trimEnd() : row.text, 'other');
  };
  context.update((state) => setCompletion(null)(updateDraft(conversationId, put)(state)));
}

function takeChosen(context: CommandContext): void {
  const held = heldCompletion(context.get());
  if (held?.rows.length === 0) notify(context, 'Still searching; nobody with such a name was found so far');
  else takeCompletion(context, held?.selected ?? 0);
}

function askFor(context: CommandContext, commands: readonly Command[]): void {
  if (!offer(context, completionWord(selectComposer(context.get()), true), commands))
    notify(context, 'Nothing to complete here. Type @ and a name, : and an emoji, or / and a command', {
      isRefusal: true,
    });
}

const inCompletion = { group: 'Composer', where: ['completion'] } as const;

/** @param table asked when it is needed first, as these commands are a part of it */
export const completionCommands = (table: () => readonly Command[]): readonly Command[] => [
  {
    ...inCompletion,
    id: 'completion.take',
    title: 'Complete the word with the chosen or first row',
    hint: 'complete',
    keepsHint: true,
    keys: ['tab'],
    run: takeChosen,
  },
  {
    ...inCompletion,
    id: 'completion.accept',
    where: ['completion-row'],
    title: 'Complete the word with the chosen row',
    hint: 'take',
    keys: ['enter'],
    run: takeChosen,
  },
  {
    ...inCompletion,
    id: 'completion.next',
    title: 'Choose the next row',
    keys: ['down', 'ctrl+n'],
    run: (context) => context.update(stepCompletion(1)),
  },
  {
    ...inCompletion,
    id: 'completion.previous',
    title: 'Choose the previous row',
    keys: ['up', 'ctrl+p'],
    run: (context) => context.update(stepCompletion(-1)),
  },
  {
    ...inCompletion,
    id: 'completion.close',
    title: 'Close the list, for this word',
    hint: 'close',
    keepsHint: true,
    keys: ['escape'],
    run: (context) => context.update(patchCompletion({ isClosed: true })),
  },
  {
    id: 'completion.open',
    group: 'Composer',
    where: ['composer'],
    title: 'Offer names, emoji or commands for the word',
    keys: ['ctrl+space'],
    run: (context) => askFor(context, table()),
  },
];
