/** Which of vim's modes the composer is in, where the user has chosen the keys of vim. */
import type { ConversationId } from '../../protocol/types.ts';
import { memoLast } from '../collections/memo.ts';
import type { Range } from '../composer/draft.ts';
import { onCluster } from '../composer/vim/lines.ts';
import { visualRange } from '../composer/vim/selected.ts';
import { newVim } from '../composer/vim/vim.ts';
import type { AppState } from '../model/app-state.ts';
import type { Vim } from '../model/vim.ts';
import { selectComposer } from './selectors.ts';

const fresh = memoLast((id: ConversationId): Vim => newVim(id));

/** Null where no conversation is open, and with the keys of other profiles. */
export function selectVim({ settings, view }: AppState): Vim | null {
  const { openId, vim = null } = view;
  if (openId === null || settings.keys.profile !== 'vim') return null;
  return vim?.conversationId === openId ? vim : fresh(openId);
}

/** Whether characters are commands of vim and not text. */
export function isVimCommanding(state: AppState): boolean {
  const vim = selectVim(state);
  return vim !== null && vim.mode !== 'insert';
}

/** Where the composer's cursor is drawn: in normal mode, on a character. */
export function selectCursor(state: AppState): number {
  const { text, cursor } = selectComposer(state);
  return isVimCommanding(state) ? onCluster(text, cursor) : cursor;
}

/** What is selected in a visual mode; null for nothing. */
export function selectVisualRange(state: AppState): Range | null {
  const vim = selectVim(state);
  return vim === null ? null : visualRange(vim, { text: selectComposer(state).text, cursor: selectCursor(state) });
}
