/** The resources of the API document §2, and our errors, as JSON Schema. */

/** A part of JSON Schema 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

export const schemaOf = (type: string, about?: string): Schema =>
  about === undefined ? { type } : { type, description: about };

const text = (about?: string): Schema => schemaOf('string', about);
const textOrNull = (about: string): Schema => ({ type: ['string', 'null'], description: about });
const time = (about: string): Schema => ({ type: 'integer', description: `${about} Unix seconds.` });
const timeOrNull = (about: string): Schema => ({ type: ['integer', 'null'], description: `${about} Unix seconds.` });
export const referenceTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string): Schema => ({ type: 'array', items: referenceTo(name) });

/** An object that always has all of these fields, and may get others in later versions. */
const objectOf = (about: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  description: about,
  required: Object.keys(properties),
  properties,
});

const contact = objectOf('The contact who sent a message.', {
  id: text(),
  username: text(),
  phone_number: text('Empty when it is not known.'),
  avatar_url: text('The address of a picture; empty when there is none.'),
  last_active_at: timeOrNull('When the contact last wrote.'),
  created_at: time('When the contact was created.'),
});

const reaction: Schema = {
  type: 'object',
  description: 'One reaction name, and the usernames of those who reacted with it.',
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: { type: 'array', items: text() },
};

const attachment = objectOf('A link to a file. The server never fetches it.', {
  id: text(),
  message_id: text(),
  filename: text(),
  file_url: { type: 'string', format: 'uri' },
  file_type: textOrNull('The media type.'),
  file_size: { type: ['integer', 'null'], description: 'The number of bytes.' },
  created_at: time('When the attachment was added.'),
});

/** An attachment as it is sent: only the address is needed, and an id only of one that is there already. */
const newAttachment: Schema = {
  type: 'object',
  description: 'An attachment as it is sent. One with the id of an attachment that the message has is left as it is.',
  additionalProperties: false,
  properties: {
    id: { type: 'string', maxLength: 64 },
    message_id: text('Ignored.'),
    filename: { type: 'string', maxLength: 255 },
    file_url: { type: 'string', format: 'uri', maxLength: 2048 },
    file_type: { type: 'string', maxLength: 127 },
    file_size: { type: 'integer', minimum: 0 },
    created_at: text('Ignored.'),
  },
};

const message = objectOf('A unit of content posted in a conversation.', {
  id: text('Unique identifier of the message.'),
  conversation_id: text('Identifier of the conversation the message belongs to.'),
  contact: referenceTo('Contact'),
  message: text('The message content.'),
  reactions: listOf('Reaction'),
  attachments: listOf('Attachment'),
  read_at: timeOrNull('When the message was read; null when unread.'),
  created_at: time('When the message was created.'),
  updated_at: timeOrNull('When the message was last updated; null on a newly sent message.'),
});

const conversation = objectOf('A container for messages with one contact or one group.', {
  id: text('Unique identifier of the conversation.'),
  contact_id: textOrNull('Identifier of the other contact. Null for a group conversation.'),
  group_id: textOrNull('Identifier of the group. Null for a contact conversation.'),
  pinned_message_id: textOrNull('Identifier of the pinned message; null when none is pinned.'),
  is_pinned: schemaOf('boolean', 'Whether the conversation is pinned.'),
  is_muted: schemaOf('boolean', 'Whether the conversation is muted.'),
  last_active_at: timeOrNull('When the conversation was last active; null on a newly created one.'),
  last_opened_at: timeOrNull('When the user last opened the conversation; null on a newly created one.'),
  created_at: time('When the conversation was created.'),
  archived_at: timeOrNull('When the conversation was archived; null when it is not archived.'),
});

const error = objectOf('What is wrong with a request, or with the server.', {
  type: text('The kind of error; one for each status.'),
  message: text('One sentence for people.'),
  documentation_url: { type: 'string', format: 'uri', description: 'Where the status is defined.' },
  code: text('The error for programs, such as parameter_invalid.'),
  param: textOrNull('The wrong parameter; null when the error concerns none.'),
  request_id: text('The Request-Id of this answer.'),
});

const pageOf = (name: string): Schema =>
  objectOf('One page of a list.', {
    has_more: schemaOf('boolean', 'Whether there are more items in the direction asked.'),
    data: listOf(name),
  });

export const schemas: Readonly<Record<string, Schema>> = {
  Message: message,
  MessageList: pageOf('Message'),
  Conversation: conversation,
  ConversationList: pageOf('Conversation'),
  Contact: contact,
  Reaction: reaction,
  Attachment: attachment,
  NewAttachment: newAttachment,
  Error: error,
};
