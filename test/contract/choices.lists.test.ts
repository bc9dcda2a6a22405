/** How our own server pages, orders and filters (docs/server.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { isForeign, type OwnTarget, openOwnTarget } from './target.ts';

const ids = (reply: { json: { data: { id: string }[] } }) => reply.json.data.map((item) => item.id);

describe.skipIf(isForeign)('lists', () => {
  let target: OwnTarget;
  let second = 1_800_000_000;

  beforeAll(async () => {
    target = await openOwnTarget({ now: () => second });
  });
  afterAll(() => target.close());

  test('messages come newest first, also within one second, and pages go in both directions', async () => {
    const id = await conversationWith(target, { contact_id: target.contactId });
    const sent: string[] = [];
    for (let n = 0; n < 7; n += 1) sent.unshift((await sendTo(target, id, `m${n}`)).id);
    const page = (query: string) => call(target, 'GET', `/v1/messages?conversation_id=${id}&limit=3${query}`);
    const first = await page('');
    expect({ ids: ids(first), more: first.json.has_more }).toEqual({ ids: sent.slice(0, 3), more: true });
    const next = await page(`&starting_after=${sent[2]}`);
    expect({ ids: ids(next), more: next.json.has_more }).toEqual({ ids: sent.slice(3, 6), more: true });
    const last = await page(`&starting_after=${sent[5]}`);
    expect({ ids: ids(last), more: last.json.has_more }).toEqual({ ids: sent.slice(6), more: false });
    const back = await page(`&ending_before=${sent[6]}`);
    expect({ ids: ids(back), more: back.json.has_more }).toEqual({ ids: sent.slice(3, 6), more: true });
    const top = await page(`&ending_before=${sent[2]}`);
    expect({ ids: ids(top), more: top.json.has_more }).toEqual({ ids: sent.slice(0, 2), more: false });
  });

  test('the id of a deleted message still works as a cursor; an id of another list does not', async () => {
    const id = await conversationWith(target, { contact_id: target.contactId });
    const group = await conversationWith(target, { group_id: target.groupId });
    const a = await sendTo(target, id, 'a');
    const b = await sendTo(target, id, 'b');
    const elsewhere = await sendTo(target, group, 'c');
    await call(target, 'DELETE', `/v1/messages/${b.id}`);
    const path = `/v1/messages?conversation_id=${id}&limit=1&starting_after=`;
    expect(ids(await call(target, 'GET', path + b.id))).toEqual([a.id]);
    expect(ids(await call(target, 'GET', `/v1/messages?limit=1&starting_after=${b.id}`))).toEqual([a.id]);
    for (const wrong of [elsewhere.id, id, 'nothing']) {
      const reply = await call(target, 'GET', path + wrong);
      expect({ status: reply.status, param: reply.json.param }).toEqual({ status: 400, param: 'starting_after' });
    }
  });

  test('the messages of a deleted conversation still work as cursors in the list of all messages', async () => {
    const group = await conversationWith(target, { group_id: target.groupId });
    const kept = await sendTo(target, group, 'kept');
    const silent = await conversationWith(target, { contact_id: target.silentId });
    const gone = await sendTo(target, silent, 'gone');
    await call(target, 'DELETE', `/v1/conversations/${silent}`);
    expect(ids(await call(target, 'GET', `/v1/messages?limit=1&starting_after=${gone.id}`))).toEqual([kept.id]);
  });

  test('conversations are sorted by last activity, else by creation; a deleted one still works as a cursor', async () => {
    const order = async () => ids(await call(target, 'GET', '/v1/conversations'));
    second += 10;
    const contact = await conversationWith(target, { contact_id: target.contactId });
    const group = await conversationWith(target, { group_id: target.groupId });
    await sendTo(target, contact, 'x');
    second += 10;
    const silent = await conversationWith(target, { contact_id: target.silentId });
    expect((await order())[0]).toBe(silent);
    second += 10;
    await sendTo(target, contact, 'x');
    second += 10;
    await sendTo(target, group, 'x');
    expect(await order()).toEqual([group, contact, silent]);
    const page = (query: string) => call(target, 'GET', `/v1/conversations?limit=1${query}`);
    expect(ids(await page(`&starting_after=${group}`))).toEqual([contact]);
    expect(ids(await page(`&ending_before=${silent}`))).toEqual([contact]);
    await call(target, 'DELETE', `/v1/conversations/${contact}`);
    expect(ids(await page(`&starting_after=${contact}`))).toEqual([silent]);
    expect((await page(`&starting_after=${'x'.repeat(16)}`)).status).toBe(400);
  });

  test('a cursor stays valid when its conversation no longer matches the filter', async () => {
    const group = await conversationWith(target, { group_id: target.groupId });
    const silent = await conversationWith(target, { contact_id: target.silentId });
    for (const id of [group, silent]) {
      await call(target, 'PUT', `/v1/conversations/${id}`, { form: { is_muted: '1' } });
    }
    const [first, next] = ids(await call(target, 'GET', '/v1/conversations?muted=true'));
    await call(target, 'PUT', `/v1/conversations/${first}`, { form: { is_muted: '0' } });
    expect(ids(await call(target, 'GET', `/v1/conversations?muted=1&starting_after=${first}`))).toEqual([next]);
  });

  test('the list without filters includes archived conversations; false filters nothing', async () => {
    const id = await conversationWith(target, { contact_id: target.silentId });
    await call(target, 'PUT', `/v1/conversations/${id}`, { form: { archived_at: '1700000000' } });
    for (const query of ['', '?archived=false', '?archived=true', '?muted=0&pinned=false']) {
      expect(ids(await call(target, 'GET', `/v1/conversations${query}`))).toContain(id);
    }
    expect(ids(await call(target, 'GET', '/v1/conversations?archived=1&pinned=true'))).toEqual([]);
  });

  test.each(['limit=0', 'limit=101', 'limit=1.5', 'limit=x', 'limit=', 'starting_after=a&ending_before=b', 'page=2'])(
    '%s is refused',
    async (query) => {
      for (const path of ['/v1/messages', '/v1/conversations']) {
        const reply = await call(target, 'GET', `${path}?${query}`);
        expect(reply.status).toBe(400);
        expect(query).toContain(reply.json.param);
      }
    },
  );

  test.each(['muted=yes', 'pinned=', 'archived=TRUE', 'muted=true&muted=true'])('%s is refused', async (query) => {
    expect((await call(target, 'GET', `/v1/conversations?${query}`)).status).toBe(400);
  });

  test('the messages of a conversation that does not exist are not an empty list', async () => {
    const reply = await call(target, 'GET', '/v1/messages?conversation_id=nothing');
    expect({ status: reply.status, param: reply.json.param }).toEqual({ status: 404, param: 'conversation_id' });
  });
});
