/** A conversation begins where the server says that nothing comes before a message; that is not asked again. The "new" line. */
import { expect, test } from 'vitest';
import { setReadLine } from '../../../../src/state/local/read-lines.ts';
import { type SyncWorld, syncWorld, type WorldOptions } from '../../../support/worlds/sync-world.ts';

const asked = ({ service }: SyncWorld): number =>
  service.requests.filter((request) => request.startsWith('olderMessages')).length;

async function worldWith(count: number, options: WorldOptions = {}): Promise<SyncWorld> {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  for (let number = 1; number <= count; number += 1) world.service.say('c1', `m${number}`);
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

test('a server that says falsely that nothing comes before is believed, also after a restart; new messages come in', async () => {
  const world = await worldWith(120);
  world.service.denials = 1;
  world.engine.needOlder('c1');
  await world.clock.advance(100);
  world.restart();
  world.open('c1');
  await world.clock.advance(1_000);
  expect(world.store.getState().cache.threads.get('c1')?.older).toBe('end');
  world.service.requests.length = 0;
  world.engine.needOlder('c1');
  world.engine.pollNow();
  await world.clock.advance(30_000);
  expect([asked(world), world.texts().length, world.texts()[0]]).toEqual([0, 50, 'm71']);
  world.service.say('c1', 'm121');
  world.engine.pollNow();
  await world.clock.advance(5_000);
  expect(world.texts().at(-1)).toBe('m121');
  expect(world.store.getState().view.connection.failures.size).toBe(0);
  await world.engine.stop();
});

test('a gap before which everything has gone is given up', async () => {
  const world = await worldWith(30);
  const { service, clock } = world;
  service.messages.clear();
  for (let number = 31; number <= 85; number += 1) service.say('c1', `m${number}`);
  service.denials = 1_000;
  world.engine.pollNow();
  await clock.advance(20_000);
  expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([]);
  expect(asked(world)).toBe(1);
  await world.engine.stop();
});

test('the "new" line comes with older messages, where everything was unread that the newest page held', async () => {
  const world = await worldWith(120, { openingPlace: () => ({ at: 'message', messageId: 'm71', line: 0 }) });
  const threadOf = () => world.store.getState().cache.threads.get('c1');
  const read = [...world.service.messages.values()].find(({ text }) => text === 'm40');
  world.store.setState(setReadLine('c1', { messageId: read?.id ?? null, at: read?.createdAt ?? 0 }));
  expect([world.texts()[0], threadOf()?.newLineAfter]).toEqual(['m71', null]);
  world.engine.needOlder('c1');
  await world.clock.advance(100);
  expect([world.texts()[0], threadOf()?.newLineAfter]).toEqual(['m21', read?.id]);
  await world.engine.stop();
});
