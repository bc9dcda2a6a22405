/** API document §4.2 and §5: the five operations on conversations and the token, at any server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { expectConversation } from './shapes.ts';
import { openTarget, type Target } from './target.ts';

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const ids = (reply: { json: { data: { id: string }[] } }) => reply.json.data.map((item) => item.id);

test('every operation needs a token', async () => {
  const anonymous = { url: target.url, token: 'not-a-token' };
  const paths = ['/v1/messages', '/v1/conversations', '/v1/messages/x', '/v1/conversations/x'];
  for (const path of paths) expect((await call(anonymous, 'GET', path)).status).toBe(401);
});

describe('create', () => {
  test('works with a contact and initial values, and the conversation is gone after deletion', async () => {
    const first = await conversationWith(target, { contact_id: target.contactId });
    const gone = await call(target, 'DELETE', `/v1/conversations/${first}`);
    expect(gone.status).toBeGreaterThanOrEqual(200);
    expect(gone.status).toBeLessThan(300);
    expect([404, 410]).toContain((await call(target, 'GET', `/v1/conversations/${first}`)).status);
    const { json, status } = await call(target, 'POST', '/v1/conversations', {
      form: { contact_id: target.contactId },
    });
    expect([200, 201]).toContain(status);
    expectConversation(json);
    expect(json).toMatchObject({
      contact_id: target.contactId,
      group_id: null,
      pinned_message_id: null,
      is_pinned: false,
      is_muted: false,
      archived_at: null,
      last_active_at: null,
      last_opened_at: null,
    });
  });

  test('works with a group', async () => {
    const { json } = await call(target, 'POST', '/v1/conversations', { form: { group_id: target.groupId } });
    expectConversation(json);
    expect(json).toMatchObject({ contact_id: null, group_id: target.groupId });
  });

  test('needs a contact or a group', async () => {
    const { status } = await call(target, 'POST', '/v1/conversations', { form: '' });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe('update', () => {
  test('pins, mutes and archives, and the filters find it', async () => {
    const id = await conversationWith(target, { contact_id: target.contactId });
    const path = `/v1/conversations/${id}`;
    const created = (await call(target, 'GET', path)).json;
    for (const [filter, form, back] of [
      ['pinned', { is_pinned: 'true' }, { is_pinned: 'false' }],
      ['muted', { is_muted: 'true' }, { is_muted: 'false' }],
      ['archived', { archived_at: String(created.created_at) }, { archived_at: '' }],
    ] as const) {
      const reply = await call(target, 'PUT', path, { form });
      expect(reply.status).toBe(200);
      expectConversation(reply.json);
      expect(ids(await call(target, 'GET', `/v1/conversations?${filter}=true&limit=50`))).toContain(id);
      await call(target, 'PUT', path, { form: back });
    }
    const state = (await call(target, 'GET', path)).json;
    expect(state).toMatchObject({ is_pinned: false, is_muted: false });
  });

  test('pins a message', async () => {
    const id = await conversationWith(target, { group_id: target.groupId });
    const sent = await sendTo(target, id, 'pin me');
    const reply = await call(target, 'PUT', `/v1/conversations/${id}`, { form: { pinned_message_id: sent.id } });
    expect(reply.json.pinned_message_id).toBe(sent.id);
  });
});

describe('list', () => {
  test('can be limited to a group', async () => {
    const id = await conversationWith(target, { group_id: target.groupId });
    await conversationWith(target, { contact_id: target.contactId });
    const reply = await call(target, 'GET', `/v1/conversations?group_id=${target.groupId}`);
    expect(typeof reply.json.has_more).toBe('boolean');
    reply.json.data.forEach(expectConversation);
    expect(ids(reply)).toEqual([id]);
  });

  test('returns as many items as limit says', async () => {
    await conversationWith(target, { group_id: target.groupId });
    await conversationWith(target, { contact_id: target.contactId });
    const { json } = await call(target, 'GET', '/v1/conversations?limit=1');
    expect(json.data).toHaveLength(1);
    expect(json.has_more).toBe(true);
  });
});

test('deleting a conversation deletes its messages', async () => {
  const id = await conversationWith(target, { contact_id: target.contactId });
  const sent = await sendTo(target, id, 'goes with it');
  await call(target, 'DELETE', `/v1/conversations/${id}`);
  expect([404, 410]).toContain((await call(target, 'GET', `/v1/messages/${sent.id}`)).status);
});
