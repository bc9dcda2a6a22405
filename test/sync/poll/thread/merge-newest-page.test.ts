/** Which rows of a newest page are new. */
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Millis } from '../../../../src/protocol/types.ts';
import { DiskCache } from '../../../../src/storage/cache/disk-cache.ts';
import { cacheMigrations } from '../../../../src/storage/cache/schema.ts';
import { openDatabase } from '../../../../src/storage/sqlite/driver.ts';
import { migrate } from '../../../../src/storage/sqlite/migrate.ts';
import { temporaryDirectory } from '../../../storage/builders.ts';
import { contact } from '../../../support/servers/fake-service.ts';
import { syncWorld } from '../../../support/worlds/sync-world.ts';

test('that somebody was active again does not change the messages that they wrote before', async () => {
  const world = syncWorld();
  const { service, clock } = world;
  service.addConversation('c1');
  /** As a server does that shows in each message when its sender was last active. */
  const writes = (text: string, at: Millis): string => {
    const sent = service.say('c1', text, contact('ann'));
    for (const [id, message] of service.messages)
      if (message.contact?.id === 'ann')
        service.messages.set(id, { ...message, contact: { ...contact('ann'), lastActiveAt: at } });
    return sent.id;
  };
  for (const text of ['one', 'two', 'three']) writes(text, clock.now());
  await clock.advance(10_000);
  world.open('c1');
  await clock.advance(30_000);
  const thread = () => world.store.getState().cache.threads.get('c1')?.messages ?? [];
  const before = thread();
  const saved = vi.spyOn(world.cache, 'saveMessages');
  const activeAt = clock.now();
  const id = writes('four', activeAt);
  await clock.advance(30_000);
  expect(thread().map((message) => message.text)).toEqual(['one', 'two', 'three', 'four']);
  expect(thread().slice(0, 3)).toEqual(before);
  expect(
    thread()
      .slice(0, 3)
      .every((message, at) => message === before[at]),
  ).toBe(true);
  expect(saved.mock.calls.flatMap(([, messages]) => messages.map((message) => message.id))).toEqual([id]);
  expect(world.store.getState().cache.contacts.get('ann')?.lastActiveAt).toBe(activeAt);
  // Without a new message, the time is taken from the newest one.
  const later = clock.now();
  for (const [key, message] of service.messages)
    service.messages.set(key, { ...message, contact: { ...contact('ann'), lastActiveAt: later } });
  await clock.advance(30_000);
  expect(world.store.getState().cache.contacts.get('ann')?.lastActiveAt).toBe(later);
  expect(saved.mock.calls.flatMap(([, messages]) => messages.map((message) => message.id))).toEqual([id, id]);
  // A name that has changed is taken over in each of them.
  for (const [key, message] of service.messages)
    service.messages.set(key, { ...message, contact: { ...contact('ann'), username: 'Anna', lastActiveAt: later } });
  await clock.advance(30_000);
  expect(thread().map((message) => message.contact?.username)).toEqual(['Anna', 'Anna', 'Anna', 'Anna']);
  await world.engine.stop();
});

test('a new message and its sender are written to the cache in one transaction', async () => {
  const folder = temporaryDirectory();
  let transactions = 0;
  const world = syncWorld();
  const { service, clock } = world;
  service.addConversation('c1');
  service.say('c1', 'one', { ...contact('ann'), lastActiveAt: 1 });
  await clock.advance(10_000);
  world.open('c1');
  await clock.advance(30_000);
  const database = openDatabase(join(folder, 'cache.db'));
  migrate(database, cacheMigrations, null);
  const exec = database.exec.bind(database);
  vi.spyOn(database, 'exec').mockImplementation((sql) => {
    if (sql.startsWith('BEGIN')) transactions += 1;
    exec(sql);
  });
  const disk = new DiskCache(database);
  vi.spyOn(world.cache, 'saveMessages').mockImplementation((...rows) => disk.saveMessages(...rows));
  service.say('c1', 'two', { ...contact('ann'), lastActiveAt: 2 });
  await clock.advance(30_000);
  expect(disk.history('c1', 'newest', 5).messages.map((message) => message.text)).toEqual(['two']);
  expect(disk.contactsAfter(null, 5).map((one) => one.lastActiveAt)).toEqual([2]);
  expect(transactions).toBe(1);
  await world.engine.stop();
  disk.close();
});
