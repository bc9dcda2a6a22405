/** Boring records for the storage tests, and the fit of the classes to what sync asks for. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Contact, Conversation, ConversationId, Message } from '../../src/protocol/types.ts';
import type { Me, Op, ReadLine } from '../../src/state/model/app-state.ts';
import type { CacheStore } from '../../src/storage/cache/memory-cache.ts';
import * as eg from '../support/builders/eg.ts';

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'msg-tui-storage-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const at = 1_700_000_000_000;

export function anOp(fields: Partial<Op> = {}): Omit<Op, 'seq'> {
  const action = { kind: 'message.send', conversationId: 'c1', text: 'Hi Ann' } as const;
  const { seq: _, ...rest } = eg.op(action, { uuid: 'op-1', created: at, ...fields });
  return rest;
}

export const aDraft = eg.draft;

export const aContact = (fields: Partial<Contact> = {}): Contact =>
  eg.contact({ id: 'ann', username: 'Ann', ...fields });

export const aMessage = (fields: Partial<Message> = {}): Message =>
  eg.message({
    id: 'm1',
    conversationId: 'c1',
    contact: aContact(),
    text: 'Hello',
    createdAt: at,
    rank: 0,
    ...fields,
  });

export const aConversation = (fields: Partial<Conversation> = {}): Conversation =>
  eg.conversation({ id: 'c1', contactId: 'ann', createdAt: null, ...fields });

/** The whole conversation list of a cache, in one part. */
export function listOf(
  cache: Pick<CacheStore, 'listTop'>,
  lines: ReadonlyMap<ConversationId, ReadLine> = new Map(),
  me: Me | null = null,
) {
  const { conversations, lastMessages, unread } = cache.listTop(1_000, lines, me);
  return { conversations, lastMessages: new Map(lastMessages), unread: new Map(unread) };
}
