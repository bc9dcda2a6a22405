/** The engine on our own server, which answers the poll of the list when there is news: no timer is waited for. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { createAppStore, initialState, until } from '../../../src/state/store.ts';
import { createEngine } from '../../../src/sync/engine/engine.ts';
import { systemClock } from '../../../src/sync/services/clock.ts';
import { conversationWith, sendTo } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';
import { memoryCache, memoryOutbox } from '../../support/worlds/memory-disks.ts';

/** A poll comes two seconds after the last one at the least. On a busy machine one of several messages is this fast. */
const longBeforePollMs = 500;
const messages = 10;

test('a message of somebody else is shown in the open conversation long before the next poll', async () => {
  // Times are whole seconds, and the list does not change within one.
  let second = Math.floor(Date.now() / 1_000) - 3_600;
  const target = await openOwnTarget({ now: () => second });
  const id = await conversationWith(target, { group_id: target.groupId });
  await sendTo(target, id, 'earlier');
  const client = createClient({ baseUrl: target.url, token: target.token });
  const capabilities = { waitsForNews: { value: true, at: 0, from: 'GET /v1/conversations' } };
  const store = createAppStore(initialState({ local: { capabilities }, settings: { revealReading: false } }));
  const ports = { outbox: memoryOutbox(), cache: memoryCache(), clock: systemClock };
  const engine = createEngine({ client, store, ...ports, random: () => 0.5, newUuid: () => 'u1' });
  onTestFinished(async () => {
    await engine.stop();
    await target.close();
  });
  const isShown = (text: string) =>
    until(store, ({ cache }) => cache.threads.get(id)?.messages.some((message) => message.text === text) === true);
  engine.start();
  store.setState((state) => ({ ...state, view: { ...state.view, openId: id } }));
  engine.openConversation(id);
  await isShown('earlier');
  // This reading of the list learns its validator; the next one waits for news.
  engine.pollNow();
  const other = { url: target.url, token: target.other.token };
  const theirs = await conversationWith(other, { group_id: target.groupId });
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < messages && best >= longBeforePollMs; count++) {
    second += 2;
    const text = `news ${count}`;
    const start = performance.now();
    await sendTo(other, theirs, text);
    await isShown(text);
    best = Math.min(best, performance.now() - start);
  }
  expect(best).toBeLessThan(longBeforePollMs);
});
