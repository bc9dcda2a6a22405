/** A start reads of the cached list what the screen shows; the rest comes in slices, and never undoes what is newer. */
import { rmSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../src/protocol/types.ts';
import { applyConversation } from '../../../../src/state/cache/conversations.ts';
import { selectConversationName, selectListOrder } from '../../../../src/state/select/selectors.ts';
import { createAppStore, initialState } from '../../../../src/state/store.ts';
import { stepInList } from '../../../../src/state/view/list-place.ts';
import { openCache } from '../../../../src/storage/cache/open.ts';
import { beginLoading } from '../../../../src/sync/poll/list/load-cached.ts';
import type { ListDisk } from '../../../../src/sync/services/ports.ts';
import * as eg from '../../../support/builders/eg.ts';
import { scratchDirectory } from '../../../support/system/scratch.ts';

const name = (index: number): string => String(index).padStart(5, '0');
const at = (index: number): number => eg.now - index * 1_000;

/** Number 0 is the newest; ids say nothing of that. */
const conversation = (index: number): Conversation =>
  eg.conversation({ id: `c${name((index * 7_919) % 100_000)}`, contactId: `k${name(index)}`, lastActiveAt: at(index) });

function filled(count: number) {
  const directory = scratchDirectory('list');
  const cache = openCache(directory);
  afterAll(() => {
    cache.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const all = Array.from({ length: count }, (_, index) => conversation(index));
  cache.saveConversations(all);
  cache.saveContacts(all.map(({ contactId }) => eg.contact({ id: contactId ?? '', username: `name ${contactId}` })));
  for (const one of all.slice(0, 20)) cache.saveMessages(one.id, [eg.message({ conversationId: one.id })]);
  return { cache, all };
}

let rows = 0;

/** Counts the rows that come from the disk. */
function counted(disk: ListDisk): ListDisk {
  const count = <T extends { readonly conversations: readonly unknown[] }>(part: T): T => {
    rows += part.conversations.length;
    return part;
  };
  return {
    listTop: (...call) => count(disk.listTop(...call)),
    listAfter: (...call) => count(disk.listAfter(...call)),
    listOf: (...call) => count(disk.listOf(...call)),
    contactsAfter: (...call) => {
      const found = disk.contactsAfter(...call);
      rows += found.length;
      return found;
    },
  };
}

beforeEach(() => {
  rows = 0;
});

describe('with 5,000 conversations in the cache', () => {
  const { cache, all } = filled(5_000);
  const opened = all[4_321]?.id ?? '';
  const begin = () => beginLoading(counted(cache), initialState({ local: { opened } }));

  test('the first frame has the top of the list and the open conversation, from few rows', () => {
    const { state } = begin();
    expect(rows).toBeLessThanOrEqual(501);
    const order = selectListOrder(state);
    expect(order.slice(0, 100)).toEqual(all.slice(0, 100).map(({ id }) => id));
    expect(order).toContain(opened);
    expect(selectConversationName(state, opened)).toBe('name k04321');
    expect(state.cache.lastMessages.size).toBe(20);
    expect(state.view.connection.listRest).toBe('coming');
  });

  test('the rest comes in slices of a few hundred, and the top stays where it is', async () => {
    const loading = begin();
    const store = createAppStore(loading.state);
    store.setState(stepInList(selectListOrder(store.getState()), 'next'));
    const steps: number[] = [];
    let before = rows;
    await loading.finish(
      store,
      async () => {
        steps.push(rows - before);
        before = rows;
        expect(selectListOrder(store.getState())[3]).toBe(all[3]?.id);
      },
      () => false,
    );
    expect(Math.max(...steps)).toBeLessThanOrEqual(400);
    const state = store.getState();
    expect(selectListOrder(state)).toEqual(all.map(({ id }) => id));
    expect(state.cache.contacts.size).toBe(5_000);
    expect(state.view.connection.listRest).toBe('none');
    expect(state.view.list.selectedId).toBe(all[1]?.id);
  });

  test('rows that were received meanwhile are newer than those on the disk', async () => {
    const loading = begin();
    const store = createAppStore(loading.state);
    const news = { ...conversation(3_000), isMuted: true };
    store.setState(applyConversation(news));
    await loading.finish(
      store,
      async () => undefined,
      () => false,
    );
    expect(store.getState().cache.conversations.get(news.id)).toBe(news);
  });

  test('nothing more is read once the session is closed', async () => {
    const loading = begin();
    const store = createAppStore(loading.state);
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    await loading.finish(store, pause, () => pauses > 2);
    expect(store.getState().cache.conversations.size).toBeLessThan(1_600);
  });
});

describe('with 90 conversations in the cache', () => {
  const { cache, all } = filled(90);

  test('the list is whole at once', async () => {
    const loading = beginLoading(cache, initialState());
    expect(selectListOrder(loading.state)).toEqual(all.map(({ id }) => id));
    expect(loading.state.view.connection.listRest).toBe('none');
    const store = createAppStore(loading.state);
    await loading.finish(
      store,
      async () => undefined,
      () => false,
    );
    expect(store.getState()).toBe(loading.state);
  });
});
