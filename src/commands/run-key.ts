/** Carries out a key or a paste: runs the command bound to it in the innermost context, or types its text. */

import { withNamedEmoji } from '../state/composer/completion-word.ts';
import { insert, paste } from '../state/composer/draft-edit.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import { pasteLine } from '../state/composer/text-field.ts';
import { noteKeyUse } from '../state/local/detours.ts';
import type { AppState, Draft } from '../state/model/app-state.ts';
import { editField, selectField } from '../state/search/edit-field.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { selectVim } from '../state/select/selectors.ts';
import { rememberClipboard } from '../state/view/clipboard.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { setFocus } from '../state/view/view.ts';
import { type Command, type Context, contextsOf, takesText } from './command.ts';
import type { CommandContext } from './context.ts';
import { invoke } from './invoke.ts';
import type { Keymap } from './keymap.ts';
import { takeMenuKey } from './menus.ts';
import { notify } from './notify.ts';
import { takeNumberedReaction } from './react.ts';
import { stepByBlank } from './settings.ts';
import { isPaletteKey, takeVimKey } from './vim.ts';

export interface KeyPress {
  /** The canonical name of a key, such as `ctrl+k` or `enter`, or a whole sequence of keys: `g g`. */
  readonly key: string;
  /** How often a command that moves the selection runs; absent: once. */
  readonly count?: number;
  /** The text that the key types; '' for none. */
  readonly text: string;
  /** Set for an Alt key: Escape and then this key, typed while the program is busy, come as the same bytes. */
  readonly afterEscape?: KeyPress;
}

/** Returns false when the key means nothing in this state. */
export function runKey(context: CommandContext, keymap: Keymap, press: KeyPress): boolean {
  const contexts = contextsOf(context.get());
  const isPalette = isPaletteKey(context.get(), contexts, press.key, keymap);
  if (!isPalette && takeVimKey(context, contexts, press)) return true;
  const match = keymap.find(isPalette ? ['global'] : contexts, press.key);
  if (match !== null) {
    const { command, nth } = match;
    const word = command.wordOfKey?.(nth) ?? null;
    if (press.count !== undefined) runCounted(context, command, press.count);
    else if (!invoke(context, command, word === null ? [] : [word])) return true;
    context.update(noteKeyUse(command.id));
    return true;
  }
  if (press.afterEscape !== undefined && isEscapeFirst(contexts, press.afterEscape, context.get())) {
    runKey(context, keymap, escapeKey);
    runKey(context, keymap, press.afterEscape);
    return true;
  }
  if (press.text === '') return false;
  // A text that nobody sees is not written.
  if (contexts[0] === 'too-small') return true;
  if (contexts[0] === 'menu') return takeMenuKey(context, press.text);
  if (contexts[0] === 'reaction-picker' && takeNumberedReaction(context, press.text)) return true;
  if (press.text === ' ' && stepByBlank(context)) return true;
  if (contexts.includes('composer')) return typeInto(context, press.text);
  if (selectField(context.get()) === null) return false;
  context.update(editField((draft) => insert(draft, press.text)));
  return true;
}

/** Runs the command `count` times, or with `runNth` once for the place with this number. */
function runCounted(context: CommandContext, command: Command, count: number): void {
  if (command.runNth !== undefined) {
    command.runNth(context, count);
    return;
  }
  for (let i = 0; i < count; i++) invoke(context, command);
}

const escapeKey: KeyPress = { key: 'escape', text: '' };

/** Alt with a character is an editing key of other programs, so it must not cancel what is being typed. */
function isEscapeFirst(contexts: readonly Context[], key: KeyPress, state: AppState): boolean {
  // In insert mode of vim, Esc loses nothing.
  const isInsert = contexts.includes('composer') && selectVim(state)?.mode === 'insert';
  return key.text === '' || !takesText(contexts) || isInsert;
}

/** A second colon may make an emoji of a name. */
const typed = (draft: Draft, text: string): Draft =>
  text === ':' ? withNamedEmoji(insert(draft, text)) : insert(draft, text);

function typeInto(context: CommandContext, text: string): boolean {
  const id = context.get().view.openId;
  if (id === null) return false;
  context.update(updateDraft(id, (draft) => typed(draft, text)));
  return true;
}

/**
 * Puts a paste into the text field that has the focus, else into the composer; it never sends and never runs a command.
 * Under an overlay without a field, and on a screen that is too small to show it, it goes nowhere.
 *
 * @param isMore the text belongs to the paste before
 */
export function pasteInto(context: CommandContext, text: string, isMore: boolean): void {
  const { screen, view } = context.get();
  // A token must not be kept with the other texts of the clipboard.
  if (topOverlay(context.get())?.kind !== 'token') context.update(rememberClipboard(text));
  if (selectIsTooSmall(context.get())) return;
  if (selectField(context.get()) !== null) {
    context.update(editField((draft) => pasteLine(draft, text)));
    return;
  }
  if (screen.overlays.length > 0) return;
  const id = view.openId;
  if (id === null) {
    notify(context, 'Open a conversation first; nothing was pasted');
    return;
  }
  context.update((now) => updateDraft(id, (draft) => paste(draft, text, isMore))(setFocus('composer')(now)));
}
