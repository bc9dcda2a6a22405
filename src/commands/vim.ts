/** Carries out the keys of vim's modes, which come before all commands in the composer of users of the profile `vim`. */
import { draftOf, updateDraft } from '../state/composer/drafts.ts';
import { pressVim, selectByMouse } from '../state/composer/vim/vim.ts';
import type { AppState } from '../state/model/app-state.ts';
import { copyOf } from '../state/select/message-texts.ts';
import { selectVim } from '../state/select/selectors.ts';
import type { Transition } from '../state/store.ts';
import { patchView } from '../state/view/view.ts';
import type { Context } from './command.ts';
import type { CommandContext } from './context.ts';
import { copy } from './copy-menu.ts';
import { isBareCharacter, type Keymap } from './keymap.ts';
import { takeBackByEscape } from './pending.ts';

interface Typed {
  readonly key: string;
  /** The text that the key types; '' for none. */
  readonly text: string;
}

/**
 * Whether the key opens the palette: a character such as `:` does that outside of insert mode too, as in the list and the
 * messages, unless a command of vim is waiting for it.
 */
export function isPaletteKey(state: AppState, contexts: readonly Context[], key: string, keymap: Keymap): boolean {
  const vim = contexts.includes('composer') ? selectVim(state) : null;
  const isIdle = vim !== null && vim.mode !== 'insert' && vim.pending.keys === '';
  return isIdle && keymap.find(['global'], key)?.command.id === 'palette.open';
}

/** Makes what the mouse has selected in the composer the selection of vim. */
export const selectByMouseInVim =
  (isDrag: boolean): Transition =>
  (state) => {
    const vim = selectVim(state);
    if (vim === null || vim.mode === 'insert') return state;
    const edited = selectByMouse(vim, draftOf(state, vim.conversationId), isDrag);
    return updateDraft(vim.conversationId, () => edited.draft)(patchView(state, { vim: edited.vim }));
  };

/** False where the key means the same as without modes. In normal mode a character is never text nor another command. */
export function takeVimKey(context: CommandContext, contexts: readonly Context[], { key, text }: Typed): boolean {
  const state = context.get();
  const vim = contexts.includes('composer') ? selectVim(state) : null;
  if (vim === null) return false;
  // Esc in insert mode takes back a message that waits before it is sent.
  if (key === 'escape' && vim.mode === 'insert' && takeBackByEscape(context)) return true;
  const isText = text !== '' && isBareCharacter(key);
  const edited = pressVim(vim, draftOf(state, vim.conversationId), isText ? text : key, {
    columns: context.composerColumns(),
    clipboard: state.view.clipboard ?? '',
  });
  if (edited === null) return isText && vim.mode !== 'insert';
  const { draft, copied } = edited;
  // Yank must bring back the text that was cut last, and not a query that was closed before.
  const cut = draft.kill === draftOf(state, vim.conversationId).kill ? {} : { closedQuery: '' };
  context.update((now) => updateDraft(vim.conversationId, () => draft)(patchView(now, { vim: edited.vim, ...cut })));
  if (copied !== undefined) copy(context, copyOf(copied), 'Copied');
  return edited.isPassedOn !== true;
}
