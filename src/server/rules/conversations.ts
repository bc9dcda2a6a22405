/** The rules of the five conversation operations (API document §4.2; docs/server-differences.md). */
import type { FormMap } from '../../protocol/form-decode.ts';
import type { WireConversation, WireList } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import { paging, pagingNames } from './paging.ts';
import { allowOnly, flag, text, time } from './parameters.ts';
import { presentConversation } from './present.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, notFound } from './service-error.ts';

export function createConversationOperations(context: ServiceContext) {
  const { transaction } = context;
  return {
    list: (caller: PersonRow, query: FormMap) => listConversations(context, caller, query),
    create: (caller: PersonRow, form: FormMap) => transaction((inside) => createConversation(inside, caller, form)),
    retrieve: (caller: PersonRow, id: string) => retrieveConversation(context, caller, id),
    /** Resolves to the conversation without marking it as read. */
    peek: async (caller: PersonRow, id: string) => presentConversation(await find(context, caller, id)),
    update: (caller: PersonRow, id: string, form: FormMap) =>
      transaction((inside) => updateConversation(inside, caller, id, form)),
    delete: (caller: PersonRow, id: string) => transaction((inside) => deleteConversation(inside, caller, id)),
  };
}

/** Throws 404 for a conversation that does not exist or that is not the caller's. */
async function find({ store }: ServiceContext, caller: PersonRow, id: string): Promise<ConversationRow> {
  const row = await store.conversations.byId(id, caller.seq);
  if (row === undefined) throw notFound('conversation');
  return row;
}

async function listConversations(
  { store }: ServiceContext,
  caller: PersonRow,
  query: FormMap,
): Promise<WireList<WireConversation>> {
  allowOnly(query, ['muted', 'archived', 'pinned', 'group_id', ...pagingNames]);
  const filter = {
    muted: flag(query, 'muted') ?? false,
    archived: flag(query, 'archived') ?? false,
    pinned: flag(query, 'pinned') ?? false,
    groupId: text(query, 'group_id'),
  };
  const page = await paging(query, (cursor) => store.conversations.place(cursor, caller.seq));
  const { rows, hasMore } = await store.conversations.list(caller.seq, filter, page);
  return { has_more: hasMore, data: rows.map(presentConversation) };
}

/** `isNew` is false when the caller already had the conversation, which is then returned. */
async function createConversation(
  context: ServiceContext,
  caller: PersonRow,
  form: FormMap,
): Promise<{ readonly conversation: WireConversation; readonly isNew: boolean }> {
  const { store, now, random } = context;
  allowOnly(form, ['contact_id', 'group_id']);
  const contactId = text(form, 'contact_id') || null;
  const groupId = text(form, 'group_id') || null;
  if ((contactId === null) === (groupId === null)) {
    throw badParameter('contact_id', 'exactly one of contact_id and group_id must be given');
  }
  // Two requests of the same caller would otherwise both find no conversation and make two.
  await store.versions.bump([caller.seq]);
  const thread =
    contactId === null
      ? await groupThread(context, caller, groupId ?? '')
      : await pairThread(context, caller, contactId);
  const present = await store.conversations.byThread(thread, caller.seq);
  if (present !== undefined) return { conversation: presentConversation(present), isNew: false };
  const id = newId(random);
  await store.conversations.add({ id, thread_seq: thread, person_seq: caller.seq, created_at: now() });
  return { conversation: presentConversation(await find(context, caller, id)), isNew: true };
}

/** Marks the conversation as read, unless the server is configured not to. */
async function retrieveConversation(context: ServiceContext, caller: PersonRow, id: string): Promise<WireConversation> {
  const { seq } = await find(context, caller, id);
  if (context.readOnOpen) {
    await context.transaction(async ({ store, now }) => {
      // A message that comes between the two statements stays unread: its author would not hear of the reading.
      const { last, authors } = await store.messages.unread(seq);
      await store.versions.bump([caller.seq, ...authors]);
      await store.conversations.set(seq, { last_opened_at: now() });
      await store.messages.markRead(seq, now(), last);
    });
  }
  return presentConversation(await find(context, caller, id));
}

async function updateConversation(
  context: ServiceContext,
  caller: PersonRow,
  id: string,
  form: FormMap,
): Promise<WireConversation> {
  const { store } = context;
  allowOnly(form, ['pinned_message_id', 'is_pinned', 'is_muted', 'archived_at']);
  const isPinned = flag(form, 'is_pinned');
  const isMuted = flag(form, 'is_muted');
  const archivedAt = time(form, 'archived_at');
  const pinned = text(form, 'pinned_message_id');
  await store.versions.bump([caller.seq]);
  const row = await find(context, caller, id);
  await store.conversations.set(row.seq, {
    is_pinned: Number(isPinned ?? row.is_pinned === 1),
    is_muted: Number(isMuted ?? row.is_muted === 1),
    archived_at: archivedAt === undefined ? row.archived_at : archivedAt,
    ...(pinned === null ? {} : { pinned_message_seq: await pinnable(context, row, pinned) }),
  });
  context.changed(caller);
  return presentConversation(await find(context, caller, id));
}

async function deleteConversation(context: ServiceContext, caller: PersonRow, id: string): Promise<void> {
  const { store } = context;
  const { thread_seq } = await find(context, caller, id);
  // Which messages are deleted depends on the conversations of the others, so they are locked too: those who may get a
  // conversation by a message, and those who have one and are not in the group any more.
  const others = (await store.conversations.participants(thread_seq)).map((other) => other.seq);
  await store.versions.bump([...others, ...(await store.removal.peopleWithConversation(thread_seq))]);
  await store.conversations.remove((await find(context, caller, id)).seq);
}

async function pairThread({ store }: ServiceContext, caller: PersonRow, contactId: string): Promise<number> {
  const contact = await store.people.byId(contactId);
  if (contact === undefined) throw notFound('contact', 'contact_id');
  if (contact.seq === caller.seq) throw badParameter('contact_id', 'must be somebody else than yourself');
  return store.conversations.threadOfPair(Math.min(caller.seq, contact.seq), Math.max(caller.seq, contact.seq));
}

/** A group that the caller is not in does not exist for the caller. */
async function groupThread({ store }: ServiceContext, caller: PersonRow, groupId: string): Promise<number> {
  const group = await store.people.groupById(groupId);
  if (group === undefined || !(await store.people.isMember(group.seq, caller.seq))) throw notFound('group', 'group_id');
  return store.conversations.threadOfGroup(group.seq);
}

/** The message to pin; null when the id is empty, which removes the pin. Throws when it is no message of `row`. */
async function pinnable({ store }: ServiceContext, row: ConversationRow, messageId: string): Promise<number | null> {
  if (messageId === '') return null;
  const message = await store.messages.facts(messageId, row.person_seq);
  if (message === undefined || message.conversation_id !== row.id) {
    throw badParameter('pinned_message_id', 'is not a message of this conversation');
  }
  return message.seq;
}
