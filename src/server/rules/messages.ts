/** The rules of the five message operations (API document §4.1; docs/server-differences.md). */
import type { FormMap } from '../../protocol/form-decode.ts';
import type { WireList, WireMessage } from '../../protocol/wire.ts';
import type { MessageFacts } from '../store/messages.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import { addAttachments, freshAttachments } from './attachments.ts';
import {
  type AttachmentInput,
  attachmentInputs,
  maximumReactionNames,
  messageText,
  type ReactionChange,
  reactionChanges,
} from './message-parameters.ts';
import { paging, pagingNames } from './paging.ts';
import { allowOnly, text } from './parameters.ts';
import { type PostedMessage, presentPosted } from './present.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, forbidden, missingParameter, notFound } from './service-error.ts';

export function createMessageOperations(context: ServiceContext) {
  const { transaction } = context;
  return {
    list: async (caller: PersonRow, query: FormMap): Promise<WireList<WireMessage>> =>
      JSON.parse((await listMessages(context, caller, query)).json),
    /** The same list as JSON text, which need not be parsed to be sent. */
    listText: (caller: PersonRow, query: FormMap) => listMessages(context, caller, query),
    send: (caller: PersonRow, form: FormMap) => transaction((inside) => sendMessage(inside, caller, form)),
    retrieve: (caller: PersonRow, id: string) => retrieve(context, caller, id),
    update: (caller: PersonRow, id: string, form: FormMap) =>
      transaction((inside) => updateMessage(inside, caller, id, form)),
    delete: (caller: PersonRow, id: string) => transaction((inside) => deleteMessage(inside, caller, id)),
  };
}

/** A list response (API document §4) as JSON text, and when each author was last active, by the id of the author. */
export interface MessageListText {
  readonly json: string;
  readonly lastActive: ReadonlyMap<string, number | null>;
}

async function listMessages({ store }: ServiceContext, caller: PersonRow, query: FormMap): Promise<MessageListText> {
  allowOnly(query, ['conversation_id', ...pagingNames]);
  const id = text(query, 'conversation_id');
  const mustExist = async (): Promise<void> => {
    if (id !== null && (await store.conversations.byId(id, caller.seq)) === undefined) throw noConversation;
  };
  const page = await paging(query, async (cursor) => {
    const place = await store.messages.place(cursor, caller.seq, id);
    if (place === undefined) await mustExist();
    return place;
  });
  const { count, hasMore, json, lastActive } = await store.messages.list(caller.seq, id, page);
  if (count === 0) await mustExist();
  return { json: `{"has_more":${hasMore},"data":[${json}]}`, lastActive };
}

async function sendMessage(context: ServiceContext, caller: PersonRow, form: FormMap): Promise<WireMessage> {
  const { random } = context;
  allowOnly(form, ['conversation_id', 'message', 'attachments']);
  const conversationId = text(form, 'conversation_id');
  if (conversationId === null || conversationId === '') throw missingParameter('conversation_id');
  const attachments = freshAttachments(attachmentInputs(form) ?? [], new Set());
  const message = messageText(form, attachments.length > 0);
  if (message === null) throw missingParameter('message');
  const { seq, sent, threadSeq } = await post(context, caller, { id: newId(random), conversationId, text: message });
  if (attachments.length > 0) await addAttachments(context, await seq, attachments, sent.created_at);
  context.announce({ by: caller, threadSeq, messageId: sent.id });
  context.changed(caller);
  return attachments.length === 0 ? presentPosted(sent) : retrieve(context, caller, sent.id);
}

async function updateMessage(
  context: ServiceContext,
  caller: PersonRow,
  id: string,
  form: FormMap,
): Promise<WireMessage> {
  const { store, now } = context;
  allowOnly(form, ['message', 'reactions', 'attachments']);
  const newText = messageText(form, true);
  const reactions = reactionChanges(form);
  const attachments = attachmentInputs(form);
  const row = await lock(context, caller, id);
  const present = await store.conversations.participantsBy(row.conversation_id, caller.seq);
  if (!present.some((one) => one.seq === caller.seq)) throw notInGroup();
  const isOwn = row.author_seq === caller.seq;
  if (!isOwn && newText !== null) throw forbidden('Only your own messages can be edited.', 'message');
  if (!isOwn && attachments !== null) throw forbidden('Only your own messages can get attachments.', 'attachments');
  let changed = newText !== null && newText !== row.text;
  if (newText !== null) await store.messages.set(row.seq, { text: newText });
  for (const change of reactions) changed = (await react(context, caller, row.seq, change)) || changed;
  if (attachments !== null) changed = (await attach(context, row.seq, attachments)) || changed;
  if (newText !== null || attachments !== null)
    await refuseEmpty(context, row.seq, newText ?? row.text, newText !== null);
  if (changed) await store.messages.set(row.seq, { updated_at: now() });
  context.changed(caller);
  return retrieve(context, caller, id);
}

/** A message has a text or an attachment. Throws inside the transaction, which then changes nothing. */
async function refuseEmpty(
  { store }: ServiceContext,
  messageSeq: number,
  message: string,
  isNewText: boolean,
): Promise<void> {
  if (message.trim() !== '' || (await store.attachments.idsOf(messageSeq)).length > 0) return;
  const problem = isNewText
    ? 'must not be blank in a message without attachments'
    : 'cannot all be removed from a message without text';
  throw badParameter(isNewText ? 'message' : 'attachments', problem);
}

async function deleteMessage(context: ServiceContext, caller: PersonRow, id: string): Promise<void> {
  const row = await lock(context, caller, id);
  if (row.author_seq !== caller.seq) throw forbidden('Only your own messages can be deleted.');
  await context.store.messages.remove(row.seq);
}

/** Throws 404 for a message that does not exist or that the caller cannot see, as `find` does. */
async function retrieve({ store }: ServiceContext, caller: PersonRow, id: string): Promise<WireMessage> {
  const json = await store.messages.byId(id, caller.seq);
  if (json === undefined) throw notFound('message');
  return JSON.parse(json);
}

async function find({ store }: ServiceContext, caller: PersonRow, id: string): Promise<MessageFacts> {
  const facts = await store.messages.facts(id, caller.seq);
  if (facts === undefined) throw notFound('message');
  return facts;
}

/** Finds a message that is about to change. Nobody else changes it before the transaction ends. */
async function lock(context: ServiceContext, caller: PersonRow, id: string): Promise<MessageFacts> {
  const { messages, versions } = context.store;
  const { seq } = await find(context, caller, id);
  await versions.bump(await messages.readers(seq));
  return find(context, caller, id);
}

/** Somebody who was removed from a group keeps its messages and can delete their own, but can neither send nor change any. */
const notInGroup = (param?: string) => forbidden('You are not in this group any more.', param);

const noConversation = notFound('conversation', 'conversation_id');

interface NewMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly text: string;
}

/**
 * Writes the message and delivers it to every user of the thread. A user without a conversation for it gets one. The
 * statements are sent when this resolves; `seq` resolves when the message is written.
 */
async function post(
  context: ServiceContext,
  caller: PersonRow,
  message: NewMessage,
): Promise<{ readonly seq: Promise<number>; readonly sent: PostedMessage; readonly threadSeq: number }> {
  const { store, now, random } = context;
  const { conversations, messages } = store;
  const at = now();
  const { threadSeq, present } = await lockThread(context, caller, message.conversationId);
  const people = present.map((one) => one.seq);
  const without = present.filter((one) => one.conversation_seq === null);
  const ids = without.map(({ seq }) => [seq, newId(random)] as const);
  await conversations.addForEach(threadSeq, ids, at);
  const { id, text } = message;
  const row = { id, thread_seq: threadSeq, author_seq: caller.seq, text, created_at: at };
  const seq = messages.post(row, people);
  const author = { ...caller, last_active_at: at };
  return { seq, sent: { id, conversation_id: message.conversationId, author, text, created_at: at }, threadSeq };
}

/** Finds who is in the thread of a conversation. Nobody else changes what they see before the transaction ends. */
async function lockThread({ store }: ServiceContext, caller: PersonRow, conversationId: string) {
  // The second statement is carried out after the first one, since before the lock another message may give them their
  // conversations. It is sent without waiting.
  const [locked, found] = await Promise.all([
    store.versions.bumpParticipants(conversationId, caller.seq),
    store.conversations.participantsBy(conversationId, caller.seq),
  ]);
  const isLocked = new Set(locked);
  const present = found.filter((one) => isLocked.has(one.seq));
  const [first] = present;
  if (first === undefined || !present.some((one) => one.seq === caller.seq)) {
    if ((await store.conversations.byId(conversationId, caller.seq)) === undefined) throw noConversation;
    throw notInGroup('conversation_id');
  }
  return { threadSeq: first.thread_seq, present };
}

/** Resolves to whether something changed. */
async function react(
  { store }: ServiceContext,
  caller: PersonRow,
  messageSeq: number,
  change: ReactionChange,
): Promise<boolean> {
  if (change.kind === 'removeAllOwn') return store.reactions.remove(messageSeq, caller.seq, null);
  if (change.kind === 'removeOwn') return store.reactions.remove(messageSeq, caller.seq, change.name);
  const present = await store.reactions.of(messageSeq);
  const names = new Set(present.map((row) => row.name));
  const param = `reactions[${change.name}][]`;
  if (!names.has(change.name) && names.size >= maximumReactionNames) {
    throw badParameter(param, `a message has at most ${maximumReactionNames} different reactions`);
  }
  const others = new Set(present.filter((row) => row.name === change.name).map((row) => row.username));
  const stranger = change.usernames.find((username) => username !== caller.username && !others.has(username));
  if (stranger !== undefined) throw forbidden('You can only react in your own name.', param);
  if (!change.usernames.includes(caller.username)) return false;
  return store.reactions.add(messageSeq, change.name, caller.seq);
}

/** Resolves to whether something changed. */
async function attach(
  context: ServiceContext,
  messageSeq: number,
  inputs: readonly AttachmentInput[],
): Promise<boolean> {
  const { store } = context;
  if (inputs.length === 0) return store.attachments.removeAll(messageSeq);
  const present = new Set(await store.attachments.idsOf(messageSeq));
  const fresh = freshAttachments(inputs, present);
  await addAttachments(context, messageSeq, fresh, context.now());
  return fresh.length > 0;
}
