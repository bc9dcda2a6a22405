/** The look through a long list between keys: what it shows meanwhile, what ends it, what begins it again. */

import { expect, test, vi } from 'vitest';
import { applyConversation } from '../../../src/state/cache/conversations.ts';
import { withEntries } from '../../../src/state/collections/sharded-map.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { followSearch, type SearchClock } from '../../../src/state/search/incremental-search.ts';
import { filterList, listSearch } from '../../../src/state/search/list-search.ts';
import { nameSearch } from '../../../src/state/search/name-prompt.ts';
import { openSwitcher, selectSwitcher, selectSwitcherRows } from '../../../src/state/search/switcher.ts';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { popOverlay } from '../../../src/state/view/overlays.ts';
import * as eg from '../../support/builders/eg.ts';

const count = 3_000;
const many = Array.from({ length: count }, (_, index) => {
  const id = `n${String(index).padStart(4, '0')}`;
  return eg.conversation({ id, contactId: id, lastActiveAt: eg.now - index });
});

/** @param msPerTurn how far the clock goes with each turn of the loop */
function looking(msPerTurn: number) {
  const contacts = many.map(({ id }) => eg.contact({ id, username: `name ${id}` }));
  const store = createAppStore(
    eg.state({
      contacts,
      cache: {
        conversations: withEntries(
          new Map(),
          many.map((one) => [one.id, one]),
        ),
      },
    }),
  );
  const clock = { time: 0, turns: 0 };
  const turn = async (): Promise<void> => {
    clock.time += msPerTurn;
    clock.turns += 1;
    await Promise.resolve();
  };
  const searchClock: SearchClock = {
    pause: turn,
    // A part of a search takes some time.
    monotonic: () => {
      clock.time += 0.1;
      return clock.time;
    },
    after: (_, callback) => {
      let isCancelled = false;
      void turn().then(() => isCancelled || callback());
      return () => {
        isCancelled = true;
      };
    },
  };
  const stops = [followSearch(store, nameSearch, searchClock), followSearch(store, listSearch, searchClock)];
  const stop = () => {
    for (const one of stops) one();
  };
  let pictures = 0;
  store.subscribe(() => {
    pictures += 1;
  });
  const looked = () => selectSwitcher(store.getState())?.result;
  const done = () => vi.waitFor(() => expect(looked()).toMatchObject({ isDone: true }));
  const keys = () => selectSwitcherRows(store.getState()).map(({ key }) => key);
  return { store, clock, looked, done, keys, pictures: () => pictures, stop };
}

test('an incremental search finds what is far down, with few frames on the way', async () => {
  const { store, done, keys, looked, pictures, clock } = looking(1);
  store.setState(openSwitcher);
  await done();
  const before = { pictures: pictures(), turns: clock.turns };
  store.setState(typeText('n2999'));
  expect(keys()).toEqual([]);
  await done();
  expect(keys()).toEqual(['n2999']);
  expect(looked()?.count).toBe(1);
  expect(pictures() - before.pictures).toBeLessThanOrEqual(2);
  expect(clock.turns - before.turns).toBeLessThanOrEqual(10);
});

test('shows the first results before it has ended', async () => {
  const { store, done, pictures } = looking(100);
  store.setState(openSwitcher);
  await done();
  const before = pictures();
  store.setState(typeText('n29'));
  await done();
  expect(pictures() - before).toBeGreaterThan(2);
});

test('begins again with what is typed next, and ends with the overlay', async () => {
  const { store, done, keys, looked, clock } = looking(1);
  store.setState(openSwitcher);
  store.setState(typeText('n2998'));
  await Promise.resolve();
  store.setState(typeText('n2997'));
  await done();
  expect(keys()).toEqual(['n2997']);
  store.setState(typeText('n2996'));
  store.setState(popOverlay);
  expect(looked()).toBe(undefined);
  await new Promise(setImmediate);
  const { turns } = clock;
  await new Promise(setImmediate);
  expect(clock.turns).toBe(turns);
});

test('sees changes of the state, also while it runs', async () => {
  const { store, done, keys } = looking(1);
  store.setState(openSwitcher);
  await done();
  store.setState(applyConversation(eg.conversation({ id: 'new', lastActiveAt: eg.now + 1 })));
  await vi.waitFor(() => expect(keys()[0]).toBe('new'));
  store.setState(typeText('zed'));
  await Promise.resolve();
  store.setState((state) => ({ ...state, local: { ...state.local, names: new Map([['n2500', 'Zed']]) } }));
  await vi.waitFor(() => expect(keys()).toEqual(['n2500']));
});

test('runs for the filter of the list too: a match far down comes after the key, and is selected', async () => {
  const { store, pictures } = looking(1);
  store.setState(filterList('n2999'));
  expect(selectListOrder(store.getState())).toEqual([]);
  await vi.waitFor(() => expect(selectListOrder(store.getState())).toEqual(['n2999']));
  expect(store.getState().view.list.selectedId).toBe('n2999');
  expect(pictures()).toBe(2);
});

test('ends when it is stopped', async () => {
  const { store, looked, clock, stop } = looking(1);
  store.setState(openSwitcher);
  store.setState(typeText('n2998'));
  await Promise.resolve();
  stop();
  const { turns } = clock;
  await new Promise(setImmediate);
  expect(clock.turns - turns).toBeLessThanOrEqual(1);
  expect(looked()?.isDone).toBe(false);
});
