/** Boring records for the storage tests, and the fit of the classes to what sync asks for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Contact, Conversation, Message } from '../../src/protocol/types.ts';
import type { Draft, Op } from '../../src/state/state.ts';

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'msg-tui-storage-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function anOp(fields: Partial<Op> = {}): Omit<Op, 'seq'> {
  const { seq: _, ...rest } = fields;
  return {
    uuid: 'op-1',
    action: { kind: 'message.send', conversationId: 'c1', text: 'Hi Ann' },
    state: 'queued',
    created: 1_700_000_000_000,
    notBefore: 0,
    reason: null,
    attempts: [],
    baseline: null,
    scans: 0,
    lastScan: null,
    ...rest,
  };
}

export function aDraft(text: string, fields: Partial<Draft> = {}): Draft {
  return {
    text,
    cursor: text.length,
    anchor: null,
    goalColumn: null,
    undo: [],
    redo: [],
    kill: '',
    lastChange: 'other',
    editing: null,
    ...fields,
  };
}

export function aContact(fields: Partial<Contact> = {}): Contact {
  return {
    id: 'ann',
    username: 'Ann',
    phoneNumber: null,
    avatarUrl: null,
    lastActiveAt: null,
    createdAt: null,
    ...fields,
  };
}

export function aMessage(fields: Partial<Message> = {}): Message {
  return {
    id: 'm1',
    conversationId: 'c1',
    contact: aContact(),
    text: 'Hello',
    isTruncated: false,
    reactions: [],
    attachments: [],
    readAt: null,
    createdAt: 1_700_000_000_000,
    updatedAt: null,
    rank: 0,
    ...fields,
  };
}

export function aConversation(fields: Partial<Conversation> = {}): Conversation {
  return {
    id: 'c1',
    contactId: 'ann',
    groupId: null,
    pinnedMessageId: null,
    isPinned: false,
    isMuted: false,
    lastActiveAt: null,
    lastOpenedAt: null,
    createdAt: null,
    archivedAt: null,
    timeFormat: null,
    ...fields,
  };
}
