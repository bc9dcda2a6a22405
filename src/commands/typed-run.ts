/** Holds the characters that were typed fast one after the other, and puts them into the composer when they are words. */
import { isBlank } from '../state/composer/draft.ts';
import { insert } from '../state/composer/draft-edit.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectConversationName } from '../state/select/names.ts';
import { selectComposer } from '../state/select/selectors.ts';
import { dropNotice } from '../state/view/notices.ts';
import { hasTextField, topOverlay } from '../state/view/overlays.ts';
import { patchView } from '../state/view/view.ts';
import { contextsOf } from './command.ts';
import type { CommandContext } from './context.ts';
import { sendAgain, withKey } from './key-advice.ts';
import { notify } from './notify.ts';
import { vimQuits } from './profiles/vim.ts';
import { type Done, nothingDone } from './take-back.ts';

/** Characters that came fast one after the other, the first of them where letters are commands. */
export interface Run {
  readonly done: Done;
  /** The text that the keys type. */
  words: string;
  /** How many of the characters are the keys of the command that may have opened a field: more than one in a sequence. */
  opening: number;
  /** The different keys that did more than move a selection. */
  readonly acts: Set<string>;
  /** `letters`: each was a command so far, or went to the field that one opened; `asked`: Enter was pressed there. */
  stage: 'letters' | 'asked' | 'words';
}

export const newRun = (state: AppState): Run => ({
  done: nothingDone(state),
  words: '',
  opening: 1,
  acts: new Set(),
  stage: 'letters',
});

/**
 * Adds the text of a key that is a command.
 * @param endsSequence the keys before it belong to the command, too
 */
export function addCommandKey(run: Run, text: string, endsSequence: boolean): void {
  run.words += text;
  if (endsSequence && run.acts.size === 1) run.opening = run.words.length;
}

/** Whether the first letter has put something into the composer, which has the keyboard: a quote, or a message to edit. */
export function hasFilledComposer({ done, stage, words, acts }: Run, state: AppState): boolean {
  const { before, hasText } = done;
  if (stage === 'words' || !acts.has(words.charAt(0)) || hasText || before.view.openId !== state.view.openId)
    return false;
  if (topOverlay(state) !== null || state.screen.focus !== 'composer') return false;
  const [then, now] = [selectComposer(before), selectComposer(state)];
  return then.text !== now.text || then.editing !== now.editing;
}

/**
 * Whether a letter opened the field that has the keyboard, or filled the composer, and another one followed at once. `:q`
 * in the palette is no sentence: vim people type it fast, Enter included.
 */
export const isInOpenedField = (run: Run, state: AppState): boolean =>
  run.stage !== 'words' &&
  run.words.length > run.opening &&
  (hasTextField(state) ? !isVimQuit(run, state) : hasFilledComposer(run, state));

const isVimQuit = ({ words }: Run, state: AppState): boolean =>
  topOverlay(state)?.kind === 'switcher' && words.startsWith(':') && vimQuits.includes(words.slice(1));

/** Whether words that were begun outside of the composer are still being written there. */
export const isWritingOn = ({ stage, done }: Run, state: AppState): boolean =>
  stage === 'words' &&
  contextsOf(state).includes('composer') &&
  done.before.view.openId === state.view.openId &&
  !isBlank(selectComposer(state));

const about = 'enter after letters';

const ask = (context: CommandContext, text: string): void => notify(context, text, { tone: 'warning', about });

/** Takes the question about Enter away. To be called at each key, paste and click: it does not hold for what follows. */
export function forgetAsked(context: CommandContext): void {
  const isAsked = context.get().screen.notices.some((notice) => notice.about === about);
  if (isAsked) context.update(dropNotice(about));
}

/** Says where Enter would send the words that were begun outside of the composer. */
export function askBeforeSending(context: CommandContext): void {
  const { openId } = context.get().view;
  if (openId === null) return;
  const name = selectConversationName(context.get(), openId);
  ask(context, `This was begun outside the composer. ${sendAgain(context)} sends it to ${name}`);
}

/**
 * Asks when Enter follows such characters at once: they are in a field that the first of them opened, or in the composer,
 * after what it put there. Below a dialog there is one row for it.
 */
export function askBeforeUsing(context: CommandContext, { words }: Run): void {
  const state = context.get();
  const back = context.keyOf('layer.back');
  if (hasTextField(state)) {
    ask(context, `Enter again uses this field; ${back} moves what you typed to the composer`);
    return;
  }
  const [does, sends] =
    selectComposer(state).editing === null
      ? ['put text into the composer', 'sends all of it']
      : ['began an edit', 'changes that message'];
  ask(
    context,
    `The first letter, ${words.charAt(0)}, ${does}. Enter again ${sends}; ${back} keeps only what you typed`,
  );
}

/** Writes at the cursor of the composer; without an open conversation the words are kept until there is one. */
export function putIntoComposer(context: CommandContext, text: string): true {
  const { openId, strayWords = '' } = context.get().view;
  if (openId !== null) context.update(updateDraft(openId, (draft) => insert(draft, text)));
  else {
    context.update((state) => patchView(state, { strayWords: strayWords + text }));
    const advice = withKey(context, 'text.yank', (key) => `: ${key} puts it into a composer`);
    notify(context, `No conversation is open. What you typed is kept${advice}`);
  }
  return true;
}
