/** Selects what a thread shows, oldest first: the messages with pending changes applied, then the unsent ones. */
import type { Contact, ContactId, Conversation, ConversationId, MessageId, Millis } from '../../protocol/types.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { RecentMap, sameList } from '../collections/memo.ts';
import { isOwn, ownReactionIds } from '../local/identity.ts';
import { type ShownMessage, shownConversation, shownMessage } from '../local/optimistic-values.ts';
import { isHeldBack, opsOf } from '../local/outbox.ts';
import { isUpdated, reactedOnly } from '../local/reacted-only.ts';
import type { AppState, Me, Op, Thread } from '../model/app-state.ts';
import { authorName } from './names.ts';
import { type ReactionChip, reactionChips } from './reactions.ts';

export type PendingId = `op:${string}`;

interface ItemFacts {
  readonly isOwn: boolean;
  /** The same for all messages of one author; null when the message names nobody. */
  readonly authorId: ContactId | 'me' | null;
  readonly authorName: SafeText;
  readonly createdAt: Millis | null;
  readonly isEdited: boolean;
  /** Pinned to the top of the conversation. */
  readonly isPinned: boolean;
  /** It is sent when an earlier message, of which it is not known whether it arrived, has been decided about. */
  readonly isHeldBack: boolean;
}

export interface MessageItem extends ItemFacts {
  readonly kind: 'message';
  readonly id: MessageId;
  readonly message: ShownMessage;
  /** The write under way on this message, a failed or unsure one first; null when there is none. */
  readonly op: Op | null;
  /** null for what others wrote. */
  readonly state: 'sent' | 'read' | null;
  readonly reactions: readonly ReactionChip[];
}

export interface PendingItem extends ItemFacts {
  readonly kind: 'pending';
  readonly id: PendingId;
  readonly message: null;
  readonly op: Op;
  /** Raw, as it was entered. */
  readonly text: string;
  readonly state: Op['state'];
  readonly reactions: readonly [];
}

export type ThreadItem = MessageItem | PendingItem;

/** The raw text as it was sent or entered. */
export const textOf = (item: ThreadItem): string => (item.kind === 'message' ? item.message.text : item.text);

type TextOp = Op & { readonly action: Extract<Op['action'], { kind: 'message.send' | 'message.edit' }> };

interface Inputs {
  readonly thread: Thread | undefined;
  readonly ops: readonly Op[];
  readonly me: Me | null;
  readonly conversation: Conversation | undefined;
  readonly contacts: ReadonlyMap<ContactId, Contact>;
  readonly names: ReadonlyMap<string, string>;
  readonly capabilities: unknown;
  readonly reactedOnly: readonly MessageId[];
}

interface MemoEntry {
  readonly inputs: Inputs;
  readonly items: readonly ThreadItem[];
}

const none: readonly ThreadItem[] = [];
const memo = new RecentMap<ConversationId, MemoEntry>(8);

/** The same array, and the same item objects, while nothing shown in them changed. */
export function selectThreadItems(state: AppState, id: ConversationId): readonly ThreadItem[] {
  const inputs: Inputs = {
    thread: state.cache.threads.get(id),
    ops: opsOf(state, id),
    me: state.local.me,
    conversation: state.cache.conversations.get(id),
    contacts: state.cache.contacts,
    names: state.local.names,
    capabilities: state.local.capabilities,
    reactedOnly: reactedOnly(state, id),
  };
  const held = memo.get(id);
  if (held !== undefined && sameInputs(held.inputs, inputs)) return held.items;
  const items = keepItems(held?.items ?? none, makeItems(state, id, inputs));
  memo.set(id, { inputs, items });
  return items;
}

function sameInputs(a: Inputs, b: Inputs): boolean {
  return (
    a.thread === b.thread &&
    a.me === b.me &&
    a.conversation === b.conversation &&
    a.contacts === b.contacts &&
    a.names === b.names &&
    a.capabilities === b.capabilities &&
    a.reactedOnly === b.reactedOnly &&
    sameList(a.ops, b.ops)
  );
}

function makeItems(
  state: AppState,
  id: ConversationId,
  { thread, ops, conversation, reactedOnly }: Inputs,
): readonly ThreadItem[] {
  const items: ThreadItem[] = [];
  const shown = conversation === undefined ? null : shownConversation(conversation, ops);
  const mine = ownReactionIds(state, id);
  const evidence = { edited: new Set(thread?.edited), reactedOnly: new Set(reactedOnly) };
  // Thousands of messages may be queued, and none of them changes another one.
  const changes = ops.filter(({ action }) => action.kind !== 'message.send');
  for (const message of thread?.messages ?? []) {
    const over = changes.length === 0 ? message : shownMessage(message, changes, mine);
    if (isHidden(over)) continue;
    const isPinned = shown?.pinnedMessageId === message.id;
    items.push(messageItem(state, over, mine, isPinned, wasEdited(over, evidence)));
  }
  for (const op of ops) {
    if (hasOwnPlace(op, thread)) items.push(pendingItem(op, op.action.text, isHeldBack(op, ops)));
  }
  return items;
}

/** Whether an op is shown as a separate item: unsent messages, and refused edits of a missing message (R-PUT-1). */
function hasOwnPlace(op: Op, thread: Thread | undefined): op is TextOp {
  const { action } = op;
  if (action.kind === 'message.send') return true;
  if (action.kind !== 'message.edit' || op.state !== 'failed') return false;
  return thread?.messages.some(({ id }) => id === action.messageId) !== true;
}

const isHidden = (message: ShownMessage): boolean => message.marks?.isHidden === true;

function messageItem(
  state: AppState,
  message: ShownMessage,
  mine: readonly string[],
  isPinned: boolean,
  isEdited: boolean,
): MessageItem {
  const own = isOwn(message, state);
  const sent = message.readAt === null ? 'sent' : 'read';
  return {
    kind: 'message',
    id: message.id,
    message,
    op: opOn(message),
    isOwn: own,
    authorId: own ? 'me' : (message.contact?.id ?? null),
    authorName: own ? literal('You') : authorName(state, message.contact),
    createdAt: message.createdAt,
    state: own ? sent : null,
    isEdited,
    isPinned,
    isHeldBack: false,
    reactions: reactionChips(message, mine),
  };
}

const pendingItem = (op: Op, text: string, heldBack: boolean): PendingItem => ({
  kind: 'pending',
  id: `op:${op.uuid}`,
  message: null,
  op,
  text,
  isOwn: true,
  authorId: 'me',
  authorName: literal('You'),
  createdAt: op.created,
  state: op.state,
  isEdited: false,
  isPinned: false,
  isHeldBack: heldBack,
  reactions: [],
});

const urgency: Readonly<Record<Op['state'], number>> = { failed: 3, unsure: 2, sending: 1, queued: 0 };

function opOn({ marks }: ShownMessage): Op | null {
  if (marks === undefined) return null;
  let found: Op | null = null;
  for (const op of [marks.deletion, marks.edit, ...marks.reactions]) {
    if (op !== null && (found === null || urgency[op.state] > urgency[found.state])) found = op;
  }
  return found;
}

interface Evidence {
  /** Messages whose text was seen to change. */
  readonly edited: ReadonlySet<MessageId>;
  readonly reactedOnly: ReadonlySet<MessageId>;
}

/**
 * Whether the message was edited. Some servers change `updated_at` with a reaction: where the message has reactions, or was
 * seen updated with the same text, it proves an edit only if another text was seen too. Another text alone proves nothing
 * either, as some servers rewrite texts by themselves.
 */
function wasEdited(message: ShownMessage, { edited, reactedOnly }: Evidence): boolean {
  const { id, reactions, marks } = message;
  if (marks?.edit && marks.edit.state !== 'failed') return true;
  return isUpdated(message) && (edited.has(id) || (reactions.length === 0 && !reactedOnly.has(id)));
}

/** Reuses the earlier item objects that are equal. */
function keepItems(before: readonly ThreadItem[], now: readonly ThreadItem[]): readonly ThreadItem[] {
  if (before.length === 0) return now;
  const known = new Map(before.map((item) => [item.id, item]));
  const items = now.map((item) => {
    const held = known.get(item.id);
    return held !== undefined && sameItem(held, item) ? held : item;
  });
  return sameList(items, before) ? before : items;
}

function sameItem(a: ThreadItem, b: ThreadItem): boolean {
  return (
    a.message === b.message &&
    a.op === b.op &&
    a.state === b.state &&
    a.isOwn === b.isOwn &&
    a.authorId === b.authorId &&
    a.authorName === b.authorName &&
    a.isPinned === b.isPinned &&
    a.isEdited === b.isEdited &&
    a.isHeldBack === b.isHeldBack &&
    a.reactions.length === b.reactions.length &&
    a.reactions.every((chip, i) => chip.isMine === b.reactions[i]?.isMine)
  );
}
