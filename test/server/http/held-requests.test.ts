/** `Prefer: wait=N` on the two lists: the answer comes with the change, or 304 after the time. */
import { expect, onTestFinished, test } from 'vitest';
import { createWaiters } from '../../../src/server/http/held-requests.ts';
import { requestedWait } from '../../../src/server/http/prefer.ts';
import { call, conversationWith, sendTo } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';

async function begin() {
  let clock = 1_800_000_000;
  // Times are whole seconds: within one, a second message changes nothing in the list of conversations.
  const now = () => {
    clock += 1;
    return clock;
  };
  const target = await openOwnTarget({ now });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await target.close();
    isOpen = false;
  };
  onTestFinished(close);
  const conversation = await conversationWith(target, { contact_id: target.contactId });
  await sendTo(target, conversation, 'one');
  const tagOf = async (path: string) => (await call(target, 'GET', path)).headers.get('etag') ?? '';
  const wait = async (path: string, seconds: string, tag?: string) => {
    const headers = { 'If-None-Match': tag ?? (await tagOf(path)), Prefer: `wait=${seconds}` };
    const { status, headers: answered, json } = await call(target, 'GET', path, { headers });
    return { status, applied: answered.get('preference-applied'), json };
  };
  const other = { url: target.url, token: target.other.token };
  return { target, conversation, wait, tagOf, other, close };
}

/** Long enough that only a change or an end can be what answered. */
const long = '50';
/** Until the requests before have reached the server, which answers in turn. */
const reached = (target: { readonly url: string; readonly token: string }) => call(target, 'GET', '/v1/conversations');

test.each(['/v1/messages', '/v1/conversations'])('%s is answered with the change, and says so', async (path) => {
  const { target, conversation, wait } = await begin();
  const waiting = wait(path, long);
  await reached(target);
  await sendTo(target, conversation, 'two');
  const { status, applied, json } = await waiting;
  expect([status, applied]).toEqual([200, `wait=${long}`]);
  expect(JSON.stringify(json.data)).toContain(path === '/v1/messages' ? 'two' : conversation);
});

test('a change by somebody else ends the wait too, and an earlier change is answered at once', async () => {
  const { target, wait, tagOf, other } = await begin();
  const tag = await tagOf('/v1/messages');
  const { json } = await call(other, 'GET', '/v1/conversations');
  const waiting = wait('/v1/messages', long);
  await reached(target);
  await sendTo(other, json.data[0].id, 'two');
  expect((await waiting).status).toBe(200);
  expect((await wait('/v1/messages', long, tag)).status).toBe(200);
});

test('a wait without a change ends with 304 after the time, also if something else changed', async () => {
  const { target, conversation, wait } = await begin();
  const waiting = wait('/v1/conversations?pinned=true', '1');
  await reached(target);
  await sendTo(target, conversation, 'two');
  expect(await waiting).toMatchObject({ status: 304, applied: 'wait=1' });
});

test('without If-None-Match, with a time of 0 and for other resources the preference is ignored', async () => {
  const { target, conversation, wait } = await begin();
  const plain = await call(target, 'GET', '/v1/messages', { headers: { Prefer: `wait=${long}` } });
  expect([plain.status, plain.headers.get('preference-applied')]).toEqual([200, null]);
  expect(await wait('/v1/messages', '0')).toMatchObject({ status: 304, applied: null });
  expect(await wait(`/v1/conversations/${conversation}`, long)).toMatchObject({ applied: null });
});

test('a fifth request of one user ends the wait of the first; a stop ends them all', async () => {
  const { target, wait, close } = await begin();
  const first = wait('/v1/messages', long);
  await reached(target);
  const others = Array.from({ length: 4 }, () => wait('/v1/messages', long));
  expect((await first).status).toBe(304);
  await reached(target);
  await close();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([304, 304, 304, 304]);
});

test('the time is read as in RFC 7240', () => {
  const waits = ['wait=10', 'respond-async, Wait = "7"; x=1', 'wait=900', 'wait=0', 'wait', 'wait=soon', 'x=1'];
  expect(waits.map(requestedWait)).toEqual([10, 7, 55, null, null, null, null]);
  expect(requestedWait(null)).toBeNull();
});

test('a change before the wait began is not missed, and other users are not woken', async () => {
  const waiters = createWaiters();
  const [one, other] = [waiters.add(1, 50), waiters.add(2, 50)];
  waiters.wake([1]);
  await one.next();
  expect([one.isOver(), other.isOver()]).toEqual([false, false]);
  waiters.wake(null);
  await Promise.all([one.next(), other.next()]);
  one.remove();
  other.remove();
  expect(waiters.count()).toBe(0);
  waiters.stop();
  const late = waiters.add(1, 50);
  await late.next();
  expect(late.isOver()).toBe(true);
  late.remove();
});
