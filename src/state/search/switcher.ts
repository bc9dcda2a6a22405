/** The "go to" overlay: the rows as they are shown. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { memoBy } from '../collections/memo.ts';
import { isBlank } from '../composer/draft.ts';
import type { AppState, LookingUp } from '../model/app-state.ts';
import type { GoToRow } from '../model/search-result.ts';
import { selectContactName, selectConversationName } from '../select/names.ts';
import { selectConversation, selectUnread } from '../select/selectors.ts';
import { selectLookingUp, startLookingUp } from './name-prompt.ts';
import { sourcesOf } from './switcher-row.ts';

export const startGoingTo = startLookingUp('go-to');

export function selectGoingTo(state: AppState): LookingUp | null {
  const top = selectLookingUp(state);
  return top?.kind === 'go-to' ? top : null;
}

/** A row in the words of the screen. */
export interface ShownGoToRow {
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

const none: readonly ShownGoToRow[] = [];

const foundRows = (state: AppState): readonly GoToRow[] => selectGoingTo(state)?.looked.rows ?? [];

const shownRows = memoBy(
  (state: AppState) => [foundRows(state), ...Object.values(sourcesOf(state)), state.local.drafts, state.view.openId],
  (state): readonly ShownGoToRow[] => foundRows(state).map((row) => shownRow(state, row)),
);

/** Of the overlay on top. */
export const selectGoToRows = (state: AppState): readonly ShownGoToRow[] =>
  foundRows(state).length === 0 ? none : shownRows(state);

function shownRow(state: AppState, row: GoToRow): ShownGoToRow {
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
  { conversationId, contactId }: Pick<GoToRow, 'conversationId' | 'contactId'>,
): SafeText {
  if (conversationId !== null) return selectConversationName(state, conversationId);
  return contactId === null ? literal('(unknown)') : selectContactName(state, contactId, null);
}
