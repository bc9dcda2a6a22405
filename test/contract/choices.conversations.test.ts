/** What our own server does with conversations where the API document is silent (docs/server.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { isForeign, type OwnTarget, openOwnTarget } from './target.ts';

describe.skipIf(isForeign)('conversations', () => {
  let target: OwnTarget;
  let other: { url: string; token: string };

  beforeAll(async () => {
    target = await openOwnTarget();
    other = { url: target.url, token: target.other.token };
  });
  afterAll(() => target.close());

  const create = (form: string) => call(target, 'POST', '/v1/conversations', { form });
  const update = (id: string, form: string) => call(target, 'PUT', `/v1/conversations/${id}`, { form });
  const read = async (id: string, who: { url: string; token: string } = target) =>
    (await call(who, 'GET', `/v1/messages/${id}`)).json;
  const theirs = (who: { url: string; token: string }) => conversationWith(who, { contact_id: ownId });
  let ownId = '';

  test('a new one is 201, an existing one 200 with its own state', async () => {
    const first = await create(`contact_id=${target.silentId}`);
    expect(first.status).toBe(201);
    await update(first.json.id, 'is_pinned=true');
    const again = await create(`contact_id=${target.silentId}`);
    expect({ status: again.status, id: again.json.id, pinned: again.json.is_pinned }).toEqual({
      status: 200,
      id: first.json.id,
      pinned: true,
    });
  });

  test("a request with both parties, none, an empty, an unknown or another user's one is refused", async () => {
    expect((await create(`contact_id=${target.contactId}&group_id=${target.groupId}`)).status).toBe(400);
    expect((await create('contact_id=&group_id=')).status).toBe(400);
    expect((await create('contact_id=nobody')).json).toMatchObject({ type: 'not_found', param: 'contact_id' });
    expect((await create('group_id=nothing')).json).toMatchObject({ type: 'not_found', param: 'group_id' });
    expect((await create(`contact_id=${target.contactId}&name=x`)).json.param).toBe('name');
  });

  test('opening sets last_opened_at and marks messages of others as read; lists do not', async () => {
    const mine = await conversationWith(target, { contact_id: target.contactId });
    const sent = await sendTo(target, mine, 'read me');
    ownId = sent.contact.id;
    const conversation = await theirs(other);
    await call(other, 'GET', `/v1/messages?conversation_id=${conversation}`);
    await call(other, 'GET', '/v1/conversations');
    await call(other, 'GET', `/v1/messages/${sent.id}`);
    expect((await read(sent.id)).read_at).toBeNull();
    const head = await call(other, 'HEAD', `/v1/conversations/${conversation}`);
    expect([head.status, head.text]).toEqual([200, '']);
    await call(target, 'GET', `/v1/conversations/${mine}`);
    expect((await read(sent.id)).read_at).toBeNull();
    const opened = await call(other, 'GET', `/v1/conversations/${conversation}`);
    expect(opened.json.last_opened_at).toEqual(expect.any(Number));
    expect((await read(sent.id)).read_at).toEqual(expect.any(Number));
    expect((await read(sent.id, other)).read_at).toEqual(expect.any(Number));
  });

  test("in a group each user's reading counts for that user", async () => {
    const mine = await conversationWith(target, { group_id: target.groupId });
    const theirGroup = await conversationWith(other, { group_id: target.groupId });
    const sent = await sendTo(other, theirGroup, 'to all');
    expect(await read(sent.id)).toMatchObject({ read_at: null, conversation_id: mine });
    await call(target, 'GET', `/v1/conversations/${mine}`);
    expect((await read(sent.id)).read_at).toEqual(expect.any(Number));
  });

  test('deleting removes only one side; new messages start a new conversation', async () => {
    const mine = await conversationWith(target, { contact_id: target.contactId });
    const sent = await sendTo(target, mine, 'still yours');
    ownId = sent.contact.id;
    await call(target, 'DELETE', `/v1/conversations/${mine}`);
    expect((await call(target, 'DELETE', `/v1/conversations/${mine}`)).status).toBe(404);
    expect((await call(target, 'GET', `/v1/messages/${sent.id}`)).status).toBe(404);
    expect((await read(sent.id, other)).message).toBe('still yours');
    const answer = await sendTo(other, await theirs(other), 'again');
    const received = await read(answer.id);
    expect(received.conversation_id).not.toBe(mine);
    const { json } = await call(target, 'GET', `/v1/messages?conversation_id=${received.conversation_id}`);
    expect(json.data.map((message: { message: string }) => message.message)).toEqual(['again']);
  });

  test.each([
    ['is_pinned=yes', 'is_pinned'],
    ['is_muted=', 'is_muted'],
    ['archived_at=1795225673000', 'archived_at'],
    ['archived_at=2026-11-21', 'archived_at'],
    ['archived_at=0', 'archived_at'],
    ['pinned_message_id=nothing', 'pinned_message_id'],
    ['read_at=1', 'read_at'],
    ['is_muted=true&is_muted=true', 'is_muted'],
  ])('%s is refused', async (form, param) => {
    const id = await conversationWith(target, { contact_id: target.silentId });
    const reply = await update(id, form);
    expect({ status: reply.status, param: reply.json.param }).toEqual({ status: 400, param });
  });

  test('milliseconds are refused, and the error names the unit', async () => {
    const id = await conversationWith(target, { contact_id: target.silentId });
    expect((await update(id, 'archived_at=1795225673000')).json.message).toMatch(/seconds/);
  });

  test('only the fields that are sent change, an empty one clears, and a deleted message is no longer pinned', async () => {
    const id = await conversationWith(target, { contact_id: target.silentId });
    const sent = await sendTo(target, id, 'pin');
    await update(id, 'is_pinned=1&is_muted=1&archived_at=1700000000');
    const set = (await update(id, `pinned_message_id=${sent.id}`)).json;
    expect(set).toMatchObject({
      is_pinned: true,
      is_muted: true,
      archived_at: 1_700_000_000,
      pinned_message_id: sent.id,
    });
    expect((await update(id, 'pinned_message_id=&archived_at=')).json).toMatchObject({
      pinned_message_id: null,
      archived_at: null,
      is_pinned: true,
    });
    await update(id, `pinned_message_id=${sent.id}`);
    await call(target, 'DELETE', `/v1/messages/${sent.id}`);
    const { json } = await call(target, 'GET', `/v1/conversations/${id}`);
    expect(json.pinned_message_id).toBeNull();
  });

  test('a message of another conversation cannot be pinned', async () => {
    const group = await conversationWith(target, { group_id: target.groupId });
    const sent = await sendTo(target, group, 'elsewhere');
    const id = await conversationWith(target, { contact_id: target.silentId });
    expect((await update(id, `pinned_message_id=${sent.id}`)).status).toBe(400);
  });

  test('another user’s conversation is not found', async () => {
    const id = await conversationWith(target, { contact_id: target.silentId });
    for (const method of ['GET', 'DELETE']) {
      expect((await call(other, method, `/v1/conversations/${id}`)).status).toBe(404);
    }
    expect((await call(other, 'PUT', `/v1/conversations/${id}`, { form: 'is_muted=1' })).status).toBe(404);
  });
});

describe.skipIf(isForeign)('--read-on-open=off', () => {
  test('retrieving marks nothing as read', async () => {
    const target = await openOwnTarget({ readOnOpen: false });
    const other = { url: target.url, token: target.other.token };
    const mine = await conversationWith(target, { contact_id: target.contactId });
    const sent = await sendTo(target, mine, 'x');
    const conversation = await conversationWith(other, { contact_id: sent.contact.id });
    const { json } = await call(other, 'GET', `/v1/conversations/${conversation}`);
    expect(json.last_opened_at).toBeNull();
    expect((await call(other, 'GET', `/v1/messages/${sent.id}`)).json.read_at).toBeNull();
    await target.close();
  });
});
