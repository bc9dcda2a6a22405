/** The switcher (Ctrl-K), the overlay that goes to a conversation or person by name: its rows as they are shown. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { memoBy } from '../collections/memo.ts';
import { isBlank } from '../composer/draft.ts';
import type { AppState, NamePrompt } from '../model/app-state.ts';
import type { SwitcherRow } from '../model/search-results.ts';
import { selectContactName, selectConversationName } from '../select/names.ts';
import { selectConversation, selectUnread } from '../select/selectors.ts';
import { openNamePrompt, selectNamePrompt } from './name-prompt.ts';
import { sourcesOf } from './switcher-row.ts';

export const openSwitcher = openNamePrompt('switcher');

/** The switcher where it is the top overlay, else null. */
export function selectSwitcher(state: AppState): NamePrompt | null {
  const top = selectNamePrompt(state);
  return top?.kind === 'switcher' ? top : null;
}

/** A row with everything that the screen shows of it. */
export interface ShownSwitcherRow {
  readonly key: string;
  readonly name: SafeText;
  readonly conversationId: ConversationId | null;
  readonly unread: number;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  readonly isArchived: boolean;
  readonly isOpen: boolean;
  readonly hasDraft: boolean;
  readonly at: Millis | null;
}

const none: readonly ShownSwitcherRow[] = [];

const foundRows = (state: AppState): readonly SwitcherRow[] => selectSwitcher(state)?.result.rows ?? [];

const shownRows = memoBy(
  (state: AppState) => [foundRows(state), ...Object.values(sourcesOf(state)), state.local.drafts, state.view.openId],
  (state): readonly ShownSwitcherRow[] => foundRows(state).map((row) => shownRow(state, row)),
);

/** The rows of the switcher where it is the top overlay, else none. */
export const selectSwitcherRows = (state: AppState): readonly ShownSwitcherRow[] =>
  foundRows(state).length === 0 ? none : shownRows(state);

function shownRow(state: AppState, row: SwitcherRow): ShownSwitcherRow {
  const { key, conversationId, at } = row;
  const conversation = conversationId === null ? null : selectConversation(state, conversationId);
  const draft = conversationId === null ? undefined : state.local.drafts.get(conversationId);
  return {
    key,
    name: nameOfRow(state, row),
    conversationId,
    unread: conversationId === null ? 0 : selectUnread(state, conversationId),
    isPinned: conversation?.isPinned === true,
    isMuted: conversation?.isMuted === true,
    isArchived: (conversation?.archivedAt ?? null) !== null,
    isOpen: conversationId !== null && conversationId === state.view.openId,
    hasDraft: draft !== undefined && !isBlank(draft),
    at: at > 0 ? at : null,
  };
}

export function nameOfRow(
  state: AppState,
  { conversationId, contactId }: Pick<SwitcherRow, 'conversationId' | 'contactId'>,
): SafeText {
  if (conversationId !== null) return selectConversationName(state, conversationId);
  return contactId === null ? literal('(unknown)') : selectContactName(state, contactId, null);
}
