import { expect, test } from 'vitest';
import { initialState } from '../../../src/state/store.ts';
import { mostPlaces, restorePlaces } from '../../../src/state/view/saved-places.ts';
import { selectMessage, setScroll } from '../../../src/state/view/thread-place.ts';
import { syncWorld } from '../../support/worlds/sync-world.ts';

const place = { scroll: { at: 'message', messageId: 'm7', line: 2 }, selectedId: 'm8' } as const;

test('where one reads is saved when moving has paused, and shown by the next start', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  world.store.setState(selectMessage('c1', 'm8'));
  world.store.setState((state) => ({
    ...state,
    view: { ...state.view, list: { ...state.view.list, view: 'unread' } },
  }));
  await world.clock.advance(100);
  expect(world.outbox.load().savedPlaces.size).toBe(0);
  await world.clock.advance(600);
  const saved = world.outbox.load();
  expect(saved.savedPlaces).toEqual(new Map([['c1', place]]));
  const { view } = restorePlaces(initialState({ local: saved }));
  expect([view.places.get('c1'), view.list.view]).toEqual([place, 'unread']);
});

test('nothing is kept of a thread that is read at its end, nor of a message that is not sent', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  await world.clock.advance(600);
  world.store.setState(setScroll('c1', { at: 'bottom' }));
  world.store.setState(selectMessage('c2', 'op:u1'));
  await world.clock.advance(600);
  expect(world.outbox.load().savedPlaces.size).toBe(0);
});

test('what is not saved yet is saved when the engine stops', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState(setScroll('c1', place.scroll));
  await world.engine.stop();
  expect(world.outbox.load().savedPlaces.get('c1')?.scroll).toEqual(place.scroll);
});

test('a thousand places are kept, those that were left last', async () => {
  const world = syncWorld();
  await world.clock.advance(1_000);
  world.store.setState((state) => {
    const places = Array.from({ length: mostPlaces + 10 }, (_, index) => [`c${index}`, place] as const);
    return { ...state, view: { ...state.view, places: new Map(places) } };
  });
  await world.clock.advance(600);
  world.store.setState(setScroll('c10', { ...place.scroll, line: 3 }));
  world.store.setState(setScroll('new', place.scroll));
  await world.clock.advance(600);
  const kept = world.outbox.load().savedPlaces;
  expect(kept.size).toBe(mostPlaces);
  expect(['c9', 'c10', 'c11', 'c12', 'new'].map((id) => kept.has(id))).toEqual([false, true, false, true, true]);
});
