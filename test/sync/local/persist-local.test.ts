/** When records are written; a disk that takes no draft for a while is offered it again. */
import { beforeEach, expect, test } from 'vitest';
import { setText } from '../../../src/state/composer/draft.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { noteDetour } from '../../../src/state/local/detours.ts';
import { noteUse } from '../../../src/state/local/uses.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

let world: SyncWorld;

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  await world.clock.advance(1_000);
  world.outbox.failing = true;
  world.store.setState(updateDraft('c1', (draft) => setText(draft, 'half a thought')));
  await world.clock.advance(10_000);
});

const saved = (): string | undefined => world.outbox.load().drafts.get('c1')?.text;
const notices = () => world.store.getState().screen.notices.filter(({ about }) => about === 'local');

test('a draft that the disk has refused is saved by itself once the disk takes it', async () => {
  expect(notices()).toHaveLength(1);
  world.outbox.failing = false;
  await world.clock.advance(10_000);
  expect(saved()).toBe('half a thought');
  expect(notices()).toEqual([]);
});

test('a draft that the disk has refused is offered again at the end of the program, and not after it', async () => {
  world.outbox.failing = false;
  await world.engine.stop();
  expect(saved()).toBe('half a thought');
  world.outbox.failing = true;
  await world.clock.advance(60_000);
  expect(notices()).toEqual([]);
});

test('what was opened and what the coach counted is written after the frame, and at the end', async () => {
  world.outbox.failing = false;
  const { store, clock, outbox } = world;
  store.setState(noteUse('conversationUses', 'c1', clock.now()));
  store.setState(noteDetour('server.poll'));
  expect(outbox.load().detours.size).toBe(0);
  await clock.advance(1_000);
  expect([outbox.load().conversationUses.get('c1')?.weight, outbox.load().detours.get('server.poll')]).toEqual([1, 1]);
  store.setState(noteDetour('server.poll'));
  await world.engine.stop();
  expect(outbox.load().detours.get('server.poll')).toBe(2);
});
