/** API document §4.1: the five operations on messages, at any server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { expectMessage } from './shapes.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;
let conversationId: string;

beforeAll(async () => {
  target = await openTarget();
  conversationId = await conversationWith(target, { contact_id: target.contactId });
});
afterAll(() => target.close());

describe('send', () => {
  test('returns the created message', async () => {
    const sent = await sendTo(target, conversationId, 'Grüße 👋 & more = 1+1;\n第二行');
    expectMessage(sent);
    expect(sent).toMatchObject({
      conversation_id: conversationId,
      message: 'Grüße 👋 & more = 1+1;\n第二行',
      reactions: [],
      attachments: [],
      read_at: null,
      updated_at: null,
    });
  });

  test.each(['conversation_id', 'message'])('needs %s', async (missing) => {
    const form = { conversation_id: conversationId, message: 'x' };
    const { [missing as keyof typeof form]: _, ...rest } = form;
    const reply = await call(target, 'POST', '/v1/messages', { form: rest });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
  });
});

describe('list', () => {
  test('is limited to one conversation when its id is given', async () => {
    await sendTo(target, conversationId, 'one');
    const groupConversation = await conversationWith(target, { group_id: target.groupId });
    const sent = await sendTo(target, groupConversation, 'two');
    const { json, status } = await call(target, 'GET', `/v1/messages?conversation_id=${groupConversation}`);
    expect(status).toBe(200);
    expect(typeof json.has_more).toBe('boolean');
    json.data.forEach(expectMessage);
    expect(new Set(json.data.map((message: { conversation_id: string }) => message.conversation_id))).toEqual(
      new Set([groupConversation]),
    );
    const everywhere = await call(target, 'GET', '/v1/messages?limit=50');
    expect(everywhere.json.data.map((message: { id: string }) => message.id)).toContain(sent.id);
  });

  test('returns ten items by default, and limit changes that', async () => {
    for (let n = 0; n < 12; n += 1) await sendTo(target, conversationId, `line ${n}`);
    const path = `/v1/messages?conversation_id=${conversationId}`;
    const page = await call(target, 'GET', path);
    expect(page.json.data).toHaveLength(10);
    expect(page.json.has_more).toBe(true);
    expect((await call(target, 'GET', `${path}&limit=3`)).json.data).toHaveLength(3);
    expect((await call(target, 'GET', `${path}&limit=12`)).json.data).toHaveLength(12);
  });
});

describe('retrieve, update, delete', () => {
  test('retrieve returns the message', async () => {
    const sent = await sendTo(target, conversationId, 'find me');
    const { json, status } = await call(target, 'GET', `/v1/messages/${sent.id}`);
    expect(status).toBe(200);
    expectMessage(json);
    expect(json).toMatchObject({ id: sent.id, message: 'find me' });
  });

  test('update edits the content', async () => {
    const sent = await sendTo(target, conversationId, 'tpyo');
    const reply = await call(target, 'PUT', `/v1/messages/${sent.id}`, { form: { message: 'typo' } });
    expect(reply.status).toBe(200);
    expectMessage(reply.json);
    expect(reply.json).toMatchObject({ id: sent.id, message: 'typo', created_at: sent.created_at });
    expect(reply.json.updated_at).not.toBeNull();
    expect((await call(target, 'GET', `/v1/messages/${sent.id}`)).json.message).toBe('typo');
  });

  test('update adds a reaction in bracket notation', async () => {
    const sent = await sendTo(target, conversationId, 'react to me');
    const form = `reactions[heart][]=${encodeURIComponent(sent.contact.username)}`;
    const reply = await call(target, 'PUT', `/v1/messages/${sent.id}`, { form });
    expect(reply.status).toBe(200);
    expectMessage(reply.json);
    expect(reply.json.reactions.flatMap(Object.keys)).toEqual(['heart']);
    expect(reply.json.message).toBe('react to me');
  });

  test('delete is permanent', async () => {
    const sent = await sendTo(target, conversationId, 'delete me');
    const reply = await call(target, 'DELETE', `/v1/messages/${sent.id}`);
    expect(reply.status).toBeGreaterThanOrEqual(200);
    expect(reply.status).toBeLessThan(300);
    expect([404, 410]).toContain((await call(target, 'GET', `/v1/messages/${sent.id}`)).status);
    const { json } = await call(target, 'GET', `/v1/messages?conversation_id=${conversationId}&limit=50`);
    expect(json.data.map((message: { id: string }) => message.id)).not.toContain(sent.id);
  });
});
