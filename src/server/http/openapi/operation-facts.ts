/** What the ten operations take and answer, as data: the OpenAPI document, the log and the metrics are made from it. */
import type { Method } from '../operations.ts';
import { type Schema, schemaOf } from './schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly isRequired?: true;
  readonly schema: Schema;
}

export interface OperationFacts {
  /** Unique; also the label of the operation in the metrics. */
  readonly id: string;
  readonly method: Method;
  /** As in the table of the routes, such as `/v1/messages/:id`. */
  readonly path: string;
  readonly tag: 'Messages' | 'Conversations';
  readonly summary: string;
  readonly about?: string;
  /** A list, whose answer can be waited for with `Prefer: wait`. */
  readonly canWait?: true;
  /** In the query of a GET, in the form of the others. */
  readonly parameters: readonly Parameter[];
  /** The resource of the answer by status; null for an answer without a body. */
  readonly answers: Readonly<Record<number, 'Message' | 'Conversation' | 'MessageList' | 'ConversationList' | null>>;
}

const text = schemaOf('string');
const flag = schemaOf('boolean');

const limit: Parameter = {
  name: 'limit',
  about: 'Number of items returned.',
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
};
/** Our choice of how the next page is requested, which the API document does not show. */
const cursors: readonly Parameter[] = [
  {
    name: 'starting_after',
    about: 'The id of the item after which the page begins, towards older items.',
    schema: text,
  },
  { name: 'ending_before', about: 'The id of the item before which the page ends, towards newer items.', schema: text },
];
const message: Parameter = {
  name: 'message',
  about: 'The message content. It may be blank only beside attachments.',
  schema: { type: 'string', maxLength: 10_000 },
};
const attachments: Parameter = {
  name: 'attachments',
  about: 'Attachment objects, written as attachments[0][file_url]=https://… or attachments[][file_url]=https://….',
  schema: { type: 'array', maxItems: 10, items: { $ref: '#/components/schemas/NewAttachment' } },
};

const messageOperations: readonly OperationFacts[] = [
  {
    id: 'listMessages',
    method: 'GET',
    path: '/v1/messages',
    tag: 'Messages',
    summary: 'List messages',
    about: 'The newest message comes first.',
    canWait: true,
    parameters: [
      { name: 'conversation_id', about: 'Only messages of this conversation.', schema: text },
      limit,
      ...cursors,
    ],
    answers: { 200: 'MessageList' },
  },
  {
    id: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    tag: 'Messages',
    summary: 'Send a message',
    parameters: [
      { name: 'conversation_id', about: 'Conversation the message is posted in.', isRequired: true, schema: text },
      { ...message, isRequired: true },
      attachments,
    ],
    answers: { 201: 'Message' },
  },
  {
    id: 'retrieveMessage',
    method: 'GET',
    path: '/v1/messages/:id',
    tag: 'Messages',
    summary: 'Retrieve a message',
    parameters: [],
    answers: { 200: 'Message' },
  },
  {
    id: 'updateMessage',
    method: 'PUT',
    path: '/v1/messages/:id',
    tag: 'Messages',
    summary: 'Update a message',
    about: 'Only what is sent changes. The author can change the text and the attachments, everybody can react.',
    parameters: [
      { ...message, about: 'New message content.' },
      {
        name: 'reactions',
        about:
          'Reactions to add, written as reactions[<reaction_name>][]=<username> with one value per entry. An empty value removes the own reaction of that name; an empty parameter removes all own reactions.',
        schema: { type: 'object', additionalProperties: { type: 'array', items: text } },
      },
      attachments,
    ],
    answers: { 200: 'Message' },
  },
  {
    id: 'deleteMessage',
    method: 'DELETE',
    path: '/v1/messages/:id',
    tag: 'Messages',
    summary: 'Delete a message',
    about: 'The message is permanently deleted for everybody. Only its author can delete it.',
    parameters: [],
    answers: { 204: null },
  },
];

const conversationOperations: readonly OperationFacts[] = [
  {
    id: 'listConversations',
    method: 'GET',
    path: '/v1/conversations',
    tag: 'Conversations',
    summary: 'List conversations',
    about: 'The conversation that was active last comes first. Archived ones are included.',
    canWait: true,
    parameters: [
      limit,
      { name: 'muted', about: 'When true, only muted conversations.', schema: flag },
      { name: 'archived', about: 'When true, only archived conversations.', schema: flag },
      { name: 'pinned', about: 'When true, only pinned conversations.', schema: flag },
      { name: 'group_id', about: 'Only conversations of this group.', schema: text },
      ...cursors,
    ],
    answers: { 200: 'ConversationList' },
  },
  {
    id: 'createConversation',
    method: 'POST',
    path: '/v1/conversations',
    tag: 'Conversations',
    summary: 'Create a conversation',
    about: 'Exactly one of contact_id and group_id is given. A conversation that exists is answered with 200.',
    parameters: [
      { name: 'contact_id', about: 'The other contact.', schema: text },
      { name: 'group_id', about: 'The group.', schema: text },
    ],
    answers: { 201: 'Conversation', 200: 'Conversation' },
  },
  {
    id: 'retrieveConversation',
    method: 'GET',
    path: '/v1/conversations/:id',
    tag: 'Conversations',
    summary: 'Retrieve a conversation',
    about: 'Marks the conversation as read, unless the server is configured not to.',
    parameters: [],
    answers: { 200: 'Conversation' },
  },
  {
    id: 'updateConversation',
    method: 'PUT',
    path: '/v1/conversations/:id',
    tag: 'Conversations',
    summary: 'Update a conversation',
    about: 'Only what is sent changes. An empty pinned_message_id or archived_at is stored as null.',
    parameters: [
      { name: 'pinned_message_id', about: 'Message to pin.', schema: text },
      { name: 'is_pinned', about: 'Pin or unpin the conversation.', schema: flag },
      { name: 'is_muted', about: 'Mute or unmute the conversation.', schema: flag },
      {
        name: 'archived_at',
        about: 'Archive time of the conversation, in Unix seconds.',
        schema: { oneOf: [{ type: 'integer', minimum: 1, maximum: 1e11 }, { const: '' }] },
      },
    ],
    answers: { 200: 'Conversation' },
  },
  {
    id: 'deleteConversation',
    method: 'DELETE',
    path: '/v1/conversations/:id',
    tag: 'Conversations',
    summary: 'Delete a conversation',
    about: 'The conversation and its messages are permanently deleted for the caller.',
    parameters: [],
    answers: { 204: null },
  },
];

export const operationFacts: readonly OperationFacts[] = [...messageOperations, ...conversationOperations];
