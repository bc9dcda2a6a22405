/** Collects the facts about one conversation that the list shows, and keeps its rows until one of those facts changes. */
import type { Conversation, ConversationId, Message, Millis } from '../protocol/types.ts';
import { RecentMap } from '../state/collections/memo.ts';
import { isBlank } from '../state/composer/draft.ts';
import { isOwn } from '../state/local/identity.ts';
import { selectDensity } from '../state/local/list-layout.ts';
import { shownMessage } from '../state/local/optimistic-values.ts';
import { opsOf } from '../state/local/outbox.ts';
import type { AppState, Draft, Op } from '../state/model/app-state.ts';
import { authorName } from '../state/select/names.ts';
import {
  selectConversation,
  selectConversationName,
  selectListOrder,
  selectUnread,
} from '../state/select/selectors.ts';
import { selectListSelection } from '../state/view/list-place.ts';
import type { Row } from '../text/layout/row.ts';
import type { SafeText } from '../text/safe-text.ts';
import { dayKey } from '../text/time.ts';
import type { Look, Sides } from './frame.ts';
import { type ListEntry, listRows } from './list-row.ts';

interface EntryPlace {
  readonly columns: number;
  readonly sides: Sides;
  readonly now: Millis;
}

type EntryRows = (state: AppState, id: ConversationId, place: EntryPlace) => readonly Row[];

export function createEntryRows(look: Look): EntryRows {
  const kept = new RecentMap<ConversationId, { readonly entry: ListEntry; readonly rows: readonly Row[] }>(128);
  return (state, id, place) => {
    const conversation = selectConversation(state, id);
    if (conversation === null) return [];
    const entry = entryOf(state, conversation, place);
    const held = kept.get(id);
    if (held !== undefined && sameEntry(held.entry, entry)) return held.rows;
    const rows = listRows(entry, place.now, look);
    kept.set(id, { entry, rows });
    return rows;
  };
}

function sameEntry(a: ListEntry, b: ListEntry): boolean {
  return (Object.keys(a) as (keyof ListEntry)[]).every((key) => Object.is(a[key], b[key]));
}

function entryOf(state: AppState, conversation: Conversation, place: EntryPlace): ListEntry {
  const { id } = conversation;
  const { view, screen } = state;
  const isSelected = id === selectListSelection(state, selectListOrder(state));
  const last = state.cache.lastMessages.get(id);
  const ops = opsOf(state, id);
  const isLastOwn = last !== undefined && isOwn(last, state);
  return {
    conversation,
    name: selectConversationName(state, id),
    last,
    editedText: last === undefined || ops.length === 0 ? null : editedText(last, ops),
    isEmpty: conversation.lastActiveAt === null && state.cache.foundEmpty.has(id),
    isLastOwn,
    author: last === undefined || isLastOwn ? null : speaker(state, conversation, last),
    pending: ops.findLast(({ action }) => action.kind === 'message.send') ?? null,
    trouble: troubleOf(ops),
    unread: selectUnread(state, id),
    draft: id === view.openId ? null : waitingDraft(state, id),
    isSelected,
    isOpen: id === view.openId,
    hasFocus: screen.focus === 'list' && (isSelected || id === view.openId),
    density: selectDensity(state),
    columns: place.columns,
    sides: place.sides,
    today: dayKey(place.now),
  };
}

const speaker = (state: AppState, conversation: Conversation, last: Message): SafeText | null =>
  conversation.contactId === null ? authorName(state, last.contact) : null;

function editedText(last: Message, ops: readonly Op[]): string | null {
  const { text } = shownMessage(last, ops);
  return text === last.text ? null : text;
}

function troubleOf(ops: readonly Op[]): 'failed' | 'unsure' | null {
  if (ops.some((op) => op.state === 'failed')) return 'failed';
  return ops.some((op) => op.state === 'unsure') ? 'unsure' : null;
}

function waitingDraft(state: AppState, id: ConversationId): Draft | null {
  const draft = state.local.drafts.get(id);
  return draft === undefined || isBlank(draft) ? null : draft;
}
