/** The rules of the five conversation operations (API document §4.2; docs/server-differences.md). */
import type { FormMap } from '../../protocol/form-decode.ts';
import type { WireConversation, WireList } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import { allowOnly, flag, paging, pagingNames, text, time } from './parameters.ts';
import { presentConversation } from './present.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, notFound } from './service-error.ts';

export function createConversationOperations(context: ServiceContext) {
  return {
    list: (caller: PersonRow, query: FormMap) => listConversations(context, caller, query),
    create: (caller: PersonRow, form: FormMap) => createConversation(context, caller, form),
    retrieve: (caller: PersonRow, id: string) => retrieveConversation(context, caller, id),
    /** Returns the conversation without marking it as read. */
    look: (caller: PersonRow, id: string) => presentConversation(find(context, caller, id)),
    update: (caller: PersonRow, id: string, form: FormMap) => updateConversation(context, caller, id, form),
    delete: (caller: PersonRow, id: string) => {
      const row = find(context, caller, id);
      context.store.transaction(() => context.store.conversations.remove(row));
    },
  };
}

/** Throws 404 for a conversation that does not exist or that is not the caller's. */
function find({ store }: ServiceContext, caller: PersonRow, id: string): ConversationRow {
  const row = store.conversations.byId(id, caller.seq);
  if (row === undefined) throw notFound('conversation');
  return row;
}

function listConversations({ store }: ServiceContext, caller: PersonRow, query: FormMap): WireList<WireConversation> {
  allowOnly(query, ['muted', 'archived', 'pinned', 'group_id', ...pagingNames]);
  const filter = {
    muted: flag(query, 'muted') ?? false,
    archived: flag(query, 'archived') ?? false,
    pinned: flag(query, 'pinned') ?? false,
    groupId: text(query, 'group_id'),
  };
  const page = paging(query, (cursor) => store.conversations.place(cursor, caller.seq));
  const { rows, hasMore } = store.conversations.list(caller.seq, filter, page);
  return { has_more: hasMore, data: rows.map(presentConversation) };
}

/** `isNew` is false when the caller already had the conversation, which is then returned. */
function createConversation(
  context: ServiceContext,
  caller: PersonRow,
  form: FormMap,
): { readonly conversation: WireConversation; readonly isNew: boolean } {
  const { store, now, random } = context;
  allowOnly(form, ['contact_id', 'group_id']);
  const contactId = text(form, 'contact_id') || null;
  const groupId = text(form, 'group_id') || null;
  if ((contactId === null) === (groupId === null)) {
    throw badParameter('contact_id', 'exactly one of contact_id and group_id must be given');
  }
  return store.transaction(() => {
    const thread =
      contactId === null ? groupThread(context, caller, groupId ?? '') : pairThread(context, caller, contactId);
    const present = store.conversations.byThread(thread, caller.seq);
    if (present !== undefined) return { conversation: presentConversation(present), isNew: false };
    const id = newId(random);
    store.conversations.add({ id, thread_seq: thread, person_seq: caller.seq, created_at: now() });
    return { conversation: presentConversation(find(context, caller, id)), isNew: true };
  });
}

/** Marks the conversation as read, unless the server is configured not to. */
function retrieveConversation(context: ServiceContext, caller: PersonRow, id: string): WireConversation {
  const { store, now } = context;
  const row = find(context, caller, id);
  if (!context.readOnOpen) return presentConversation(row);
  store.transaction(() => {
    store.conversations.set(row.seq, { last_opened_at: now() });
    store.messages.markRead(row.seq, now());
  });
  return presentConversation(find(context, caller, id));
}

function updateConversation(context: ServiceContext, caller: PersonRow, id: string, form: FormMap): WireConversation {
  const { store } = context;
  allowOnly(form, ['pinned_message_id', 'is_pinned', 'is_muted', 'archived_at']);
  const isPinned = flag(form, 'is_pinned');
  const isMuted = flag(form, 'is_muted');
  const archivedAt = time(form, 'archived_at');
  const pinned = text(form, 'pinned_message_id');
  const row = find(context, caller, id);
  store.transaction(() =>
    store.conversations.set(row.seq, {
      is_pinned: Number(isPinned ?? row.is_pinned === 1),
      is_muted: Number(isMuted ?? row.is_muted === 1),
      archived_at: archivedAt === undefined ? row.archived_at : archivedAt,
      ...(pinned === null ? {} : { pinned_message_seq: pinnable(context, row, pinned) }),
    }),
  );
  context.changed(caller);
  return presentConversation(find(context, caller, id));
}

function pairThread({ store }: ServiceContext, caller: PersonRow, contactId: string): number {
  const contact = store.people.byId(contactId);
  if (contact === undefined) throw notFound('contact', 'contact_id');
  if (contact.seq === caller.seq) throw badParameter('contact_id', 'must be somebody else than yourself');
  return store.conversations.threadOfPair(Math.min(caller.seq, contact.seq), Math.max(caller.seq, contact.seq));
}

/** A group that the caller is not in does not exist for the caller. */
function groupThread({ store }: ServiceContext, caller: PersonRow, groupId: string): number {
  const group = store.people.groupById(groupId);
  if (group === undefined || !store.people.isMember(group.seq, caller.seq)) throw notFound('group', 'group_id');
  return store.conversations.threadOfGroup(group.seq);
}

/** The message to pin; null when the id is empty, which removes the pin. Throws when it is no message of `row`. */
function pinnable({ store }: ServiceContext, row: ConversationRow, messageId: string): number | null {
  if (messageId === '') return null;
  const message = store.messages.byId(messageId, row.person_seq);
  if (message === undefined || message.conversation_id !== row.id) {
    throw badParameter('pinned_message_id', 'is not a message of this conversation');
  }
  return message.seq;
}
