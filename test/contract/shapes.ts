/** What the API document §2 says about the fields of each resource. */
import { expect } from 'vitest';

const isTime = (value: unknown) => value === null || typeof value === 'number' || typeof value === 'string';
const isText = (value: unknown) => typeof value === 'string';
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isFlag = (value: unknown) => typeof value === 'boolean';

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

const contact: Shape = {
  id: isText,
  username: isText,
  phone_number: isText,
  avatar_url: isText,
  last_active_at: isTime,
  created_at: isTime,
};

const message: Shape = {
  id: isText,
  conversation_id: isText,
  contact: (value) => typeof value === 'object' && value !== null,
  message: isText,
  reactions: Array.isArray,
  attachments: Array.isArray,
  read_at: isTime,
  created_at: isTime,
  updated_at: isTime,
};

const conversation: Shape = {
  id: isText,
  contact_id: isTextOrNull,
  group_id: isTextOrNull,
  pinned_message_id: isTextOrNull,
  is_pinned: isFlag,
  is_muted: isFlag,
  last_active_at: isTime,
  last_opened_at: isTime,
  created_at: isTime,
  archived_at: isTime,
};

function expectShape(value: Record<string, unknown>, shape: Shape): void {
  const wrong = Object.entries(shape).filter(([name, check]) => !(name in value) || !check(value[name]));
  expect(wrong.map(([name]) => `${name}: ${JSON.stringify(value[name])}`)).toEqual([]);
}

export function expectMessage(value: Record<string, unknown>): void {
  expectShape(value, message);
  expectShape(value.contact as Record<string, unknown>, contact);
  for (const reaction of value.reactions as unknown[]) {
    for (const by of Object.values(reaction as object)) expect((by as unknown[]).every(isText)).toBe(true);
  }
}

export function expectConversation(value: Record<string, unknown>): void {
  expectShape(value, conversation);
  expect([value.contact_id, value.group_id].filter((id) => id === null)).toHaveLength(1);
}
