/** Keys of vim's modes, which the composer takes before any command where the user has chosen vim's keys. */
import { draftOf, updateDraft } from '../state/composer/drafts.ts';
import { pressVim } from '../state/composer/vim/vim.ts';
import { copyOf } from '../state/select/copy-text.ts';
import { selectVim } from '../state/select/vim.ts';
import { patchView } from '../state/view/view.ts';
import type { Context } from './command.ts';
import type { CommandContext } from './context.ts';
import { copy } from './copy-menu.ts';
import { isBareCharacter } from './keymap.ts';
import { takeBackHeld } from './pending.ts';

interface Typed {
  readonly key: string;
  /** The text that the key types; '' for none. */
  readonly text: string;
}

/** False where the key does what it does without modes. In normal mode no character is ever text, or a command of others. */
export function takeVimKey(context: CommandContext, contexts: readonly Context[], { key, text }: Typed): boolean {
  const state = context.get();
  const vim = contexts.includes('composer') ? selectVim(state) : null;
  if (vim === null) return false;
  // Esc takes back a message that waits before it leaves, in all modes.
  if (key === 'escape' && vim.mode === 'insert' && takeBackHeld(context)) return true;
  const isText = text !== '' && isBareCharacter(key);
  const edited = pressVim(vim, draftOf(state, vim.conversationId), isText ? text : key, {
    columns: context.composerColumns(),
    clipboard: state.view.clipboard ?? '',
  });
  if (edited === null) return isText && vim.mode !== 'insert';
  const { draft, copied } = edited;
  // What was cut last is what the user wants back.
  const cut = draft.kill === draftOf(state, vim.conversationId).kill ? {} : { closedQuery: '' };
  context.update((now) => updateDraft(vim.conversationId, () => draft)(patchView(now, { vim: edited.vim, ...cut })));
  if (copied !== undefined) copy(context, copyOf(copied), 'Copied');
  return true;
}
