/** The rules of the five message operations (API document §4.1; docs/server-differences.md). */
import type { FormMap } from '../../protocol/form-decode.ts';
import type { WireList, WireMessage } from '../../protocol/wire.ts';
import type { ConversationRow } from '../store/conversations.ts';
import type { MessageRow } from '../store/messages.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import {
  type AttachmentInput,
  attachmentInputs,
  maximumAttachments,
  messageText,
  type ReactionChange,
  reactionChanges,
} from './message-parameters.ts';
import { allowOnly, paging, pagingNames, text } from './parameters.ts';
import { presentMessages } from './present.ts';
import type { ServiceContext } from './service-context.ts';
import { badParameter, forbidden, missingParameter, notFound } from './service-error.ts';

const maximumReactionNames = 100;

export function createMessageOperations(context: ServiceContext) {
  return {
    list: (caller: PersonRow, query: FormMap) => listMessages(context, caller, query),
    send: (caller: PersonRow, form: FormMap) => sendMessage(context, caller, form),
    retrieve: (caller: PersonRow, id: string) => present(context, find(context, caller, id)),
    update: (caller: PersonRow, id: string, form: FormMap) => updateMessage(context, caller, id, form),
    delete: (caller: PersonRow, id: string) => deleteMessage(context, caller, id),
  };
}

function listMessages({ store }: ServiceContext, caller: PersonRow, query: FormMap): WireList<WireMessage> {
  allowOnly(query, ['conversation_id', ...pagingNames]);
  const id = text(query, 'conversation_id');
  const seq = id === null ? null : conversationOf(store, caller, id).seq;
  const page = paging(query, (cursor) => store.messages.place(cursor, caller.seq, seq));
  const { rows, hasMore } = store.messages.list(caller.seq, seq, page);
  return { has_more: hasMore, data: presentMessages(rows, store.marks) };
}

function sendMessage(context: ServiceContext, caller: PersonRow, form: FormMap): WireMessage {
  const { store, random } = context;
  allowOnly(form, ['conversation_id', 'message', 'attachments']);
  const conversationId = text(form, 'conversation_id');
  if (conversationId === null || conversationId === '') throw missingParameter('conversation_id');
  const attachments = attachmentInputs(form) ?? [];
  const message = messageText(form, attachments.length > 0);
  if (message === null) throw missingParameter('message');
  const conversation = conversationOf(store, caller, conversationId);
  const id = newId(random);
  store.transaction(() => {
    const seq = post(context, caller, conversation, id, message);
    appendAttachments(context, seq, attachments, new Set());
  });
  context.announce({ by: caller, threadSeq: conversation.thread_seq, messageId: id });
  context.changed(caller);
  return present(context, find(context, caller, id));
}

function updateMessage(context: ServiceContext, caller: PersonRow, id: string, form: FormMap): WireMessage {
  const { store, now } = context;
  allowOnly(form, ['message', 'reactions', 'attachments']);
  const newText = messageText(form, true);
  const reactions = reactionChanges(form);
  const attachments = attachmentInputs(form);
  const row = find(context, caller, id);
  const isOwn = row.author_seq === caller.seq;
  if (!isOwn && newText !== null) throw forbidden('Only your own messages can be edited.', 'message');
  if (!isOwn && attachments !== null) throw forbidden('Only your own messages can get attachments.', 'attachments');
  store.transaction(() => {
    let changed = newText !== null && newText !== row.text;
    if (newText !== null) store.messages.set(row.seq, { text: newText });
    for (const change of reactions) changed = react(context, caller, row.seq, change) || changed;
    if (attachments !== null) changed = attach(context, row.seq, attachments) || changed;
    if (newText !== null || attachments !== null) refuseEmpty(context, row.seq, newText ?? row.text, newText !== null);
    if (changed) store.messages.set(row.seq, { updated_at: now() });
  });
  context.changed(caller);
  return present(context, find(context, caller, id));
}

/** A message has a text or an attachment. Throws inside the transaction, which then changes nothing. */
function refuseEmpty({ store }: ServiceContext, messageSeq: number, message: string, isNewText: boolean): void {
  if (message.trim() !== '' || store.marks.attachments([messageSeq]).length > 0) return;
  const problem = isNewText ? 'must not be blank in a message without attachments' : 'are all that this message has';
  throw badParameter(isNewText ? 'message' : 'attachments', problem);
}

function deleteMessage(context: ServiceContext, caller: PersonRow, id: string): void {
  const row = find(context, caller, id);
  if (row.author_seq !== caller.seq) throw forbidden('Only your own messages can be deleted.');
  context.store.transaction(() => context.store.messages.remove(row.seq));
}

/** Throws 404 for a message that does not exist or that the caller cannot see. */
function find({ store }: ServiceContext, caller: PersonRow, id: string): MessageRow {
  const row = store.messages.byId(id, caller.seq);
  if (row === undefined) throw notFound('message');
  return row;
}

function conversationOf(store: ServiceContext['store'], caller: PersonRow, id: string): ConversationRow {
  const row = store.conversations.byId(id, caller.seq);
  if (row === undefined) throw notFound('conversation', 'conversation_id');
  return row;
}

function present({ store }: ServiceContext, row: MessageRow): WireMessage {
  const [message] = presentMessages([row], store.marks);
  if (message === undefined) throw new Error('a message without a presentation');
  return message;
}

/** Writes the message and delivers it to every user of the thread. A user without a conversation for it gets one. */
function post(
  { store, now, random }: ServiceContext,
  caller: PersonRow,
  conversation: ConversationRow,
  id: string,
  message: string,
): number {
  const at = now();
  const thread = conversation.thread_seq;
  const seq = store.messages.add({ id, thread_seq: thread, author_seq: caller.seq, text: message, created_at: at });
  for (const person of new Set([caller.seq, ...store.conversations.usersOfThread(thread)])) {
    const present = store.conversations.byThread(thread, person)?.seq;
    const target =
      present ?? store.conversations.add({ id: newId(random), thread_seq: thread, person_seq: person, created_at: at });
    const is_own = Number(person === caller.seq);
    store.messages.deliver({ conversation_seq: target, message_seq: seq, person_seq: person, is_own });
    store.conversations.set(target, { last_active_at: at });
  }
  store.people.set(caller.seq, { last_active_at: at });
  return seq;
}

/** Returns whether something changed. */
function react({ store }: ServiceContext, caller: PersonRow, messageSeq: number, change: ReactionChange): boolean {
  if (change.kind === 'removeAllOwn') return store.marks.removeReactions(messageSeq, caller.seq, null);
  if (change.kind === 'removeOwn') return store.marks.removeReactions(messageSeq, caller.seq, change.name);
  const present = store.marks.reactions([messageSeq]);
  const names = new Set(present.map((row) => row.name));
  const param = `reactions[${change.name}][]`;
  if (!names.has(change.name) && names.size >= maximumReactionNames) {
    throw badParameter(param, `a message has at most ${maximumReactionNames} different reactions`);
  }
  const others = new Set(present.filter((row) => row.name === change.name).map((row) => row.username));
  const stranger = change.usernames.find((username) => username !== caller.username && !others.has(username));
  if (stranger !== undefined) throw forbidden('You can only react in your own name.', param);
  if (!change.usernames.includes(caller.username)) return false;
  return store.marks.addReaction(messageSeq, change.name, caller.seq);
}

/** Returns whether something changed. */
function attach(context: ServiceContext, messageSeq: number, inputs: readonly AttachmentInput[]): boolean {
  if (inputs.length === 0) return context.store.marks.removeAttachments(messageSeq);
  const present = new Set(context.store.marks.attachments([messageSeq]).map((row) => row.id));
  return appendAttachments(context, messageSeq, inputs, present) > 0;
}

/** Appends the attachments whose id is not among `present`, and returns how many it appended. */
function appendAttachments(
  { store, now, random }: ServiceContext,
  messageSeq: number,
  inputs: readonly AttachmentInput[],
  present: ReadonlySet<string>,
): number {
  const fresh = inputs.filter((input) => input.id === null || !present.has(input.id));
  if (present.size + fresh.length > maximumAttachments) {
    throw badParameter('attachments', `a message has at most ${maximumAttachments} attachments`);
  }
  for (const input of fresh) {
    if (input.fileUrl === null) throw missingParameter(`attachments[${inputs.indexOf(input)}][file_url]`);
    store.marks.addAttachment({
      id: newId(random),
      message_seq: messageSeq,
      filename: input.filename ?? nameOf(input.fileUrl),
      file_url: input.fileUrl,
      file_type: input.fileType,
      file_size: input.fileSize,
      created_at: now(),
    });
  }
  return fresh.length;
}

function nameOf(address: string): string {
  const { pathname, hostname } = new URL(address);
  return pathname.split('/').findLast((part) => part !== '') ?? hostname;
}
