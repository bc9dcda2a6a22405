/** What keys cost in a list of 20,000: no key looks at more of it than a screen or two. */

import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../src/protocol/types.ts';
import { applyContacts, applyConversation } from '../../../src/state/cache/conversations.ts';
import { indexIn } from '../../../src/state/collections/index-hint.ts';
import { withEntries } from '../../../src/state/collections/sharded-map.ts';
import { setName } from '../../../src/state/local/own-names.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { filterList, listSearch, nextListView, showListView } from '../../../src/state/search/list-search.ts';
import { nameSearch, openNamePrompt } from '../../../src/state/search/name-prompt.ts';
import { selectPartnerChoices } from '../../../src/state/search/picker-choices.ts';
import { openSwitcher, selectSwitcherRows } from '../../../src/state/search/switcher.ts';
import { parseQuery } from '../../../src/state/search/switcher-row.ts';
import { searchLikelyNames, searchNames } from '../../../src/state/search/switcher-search.ts';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { selectInList, stepInList } from '../../../src/state/view/list-place.ts';
import { moveChoice } from '../../../src/state/view/overlays.ts';
import * as eg from '../../support/builders/eg.ts';
import { searched, searchedOnePart } from '../../support/searched.ts';

let reads = 0;

/** Counts how often the contact of a conversation is looked up, which its name needs. */
const counted = (index: number): Conversation =>
  Object.defineProperty(eg.conversation({ id: `c${index}`, lastActiveAt: eg.now - index * 1_000 }), 'contactId', {
    enumerable: true,
    get: () => {
      reads += 1;
      return `k${index}`;
    },
  });

const many = Array.from({ length: 20_000 }, (_, index) => counted(index));
const contacts = many.map((_, index) => eg.contact({ id: `k${index}`, username: `name ${index} of many` }));
const state = eg.state({
  contacts,
  cache: {
    conversations: withEntries(
      new Map(),
      many.map((one) => [one.id, one]),
    ),
  },
  screen: { focus: 'list' },
});

const keys = (now: AppState): readonly string[] => selectSwitcherRows(now).map(({ key }) => key);

const finished = (from: AppState): Promise<AppState> => searched(listSearch, from);

describe('the filter', () => {
  test.each([
    ['case', 'MARÍA'],
    ['accents', 'garcia'],
    ['accents that are typed', 'GARCÍA mar'],
  ])('finds a name without regard to %s', (_, filter) => {
    const contact = eg.contact({ id: 'k', username: 'María García' });
    const conversations = [
      eg.conversation({ id: 'c', contactId: 'k' }),
      eg.conversation({ id: 'other', contactId: 'o' }),
    ];
    expect(selectListOrder(filterList(filter)(eg.state({ contacts: [contact], conversations })))).toEqual(['c']);
  });

  test('finds in a short view what that view has, after a search in a long one', async () => {
    const pinned = applyConversation(eg.conversation({ id: 'p', contactId: 'k19990', isPinned: true }))(state);
    const all = await finished(filterList('1999')(pinned));
    expect(selectListOrder(all)).toHaveLength(13);
    expect(selectListOrder(nextListView(nextListView(all)))).toEqual(['p']);
  });

  test('selects the open conversation, or the first, if the view lacks the selected one', () => {
    const pinned = ['p', 'q'].map((id) => eg.conversation({ id, contactId: `k1999${id}`, isPinned: true }));
    const here = pinned.reduce((held, one) => applyConversation(one)(held), eg.state({ view: { openId: 'q' } }));
    const lost = selectInList('gone')(here);
    expect(showListView('pinned')(lost).view.list.selectedId).toBe('q');
    const closed = { ...lost, view: { ...lost.view, openId: null } };
    expect(showListView('pinned')(closed).view.list.selectedId).toBe(selectListOrder(closed)[0]);
    expect(showListView('unread')(closed).view.list.selectedId).toBeNull();
  });

  test('compares a thousand names with a key, and the others a hundred at a time', async () => {
    reads = 0;
    const typed = filterList('1999')(state);
    expect(reads).toBeLessThanOrEqual(1_000);
    expect(selectListOrder(typed)).toEqual([]);
    expect(listSearch.wanted(typed)).toBe('all 1999');
    let parts = 0;
    reads = 0;
    const now = await searched(listSearch, typed, () => {
      parts += 1;
      expect(reads).toBeLessThanOrEqual(100);
      reads = 0;
    });
    expect(parts).toBe(190);
    expect(selectListOrder(now)).toEqual([
      'c1999',
      'c11999',
      ...Array.from({ length: 10 }, (_, index) => `c${19_990 + index}`),
    ]);
    expect(now.view.list.selectedId).toBe('c1999');
    expect(listSearch.wanted(now)).toBe(null);
  });

  test.each<[string, (now: AppState) => AppState]>([
    ['a name of the contact book', applyContacts([eg.contact({ id: 'k15000', username: 'now 1999 too' })])],
    ['a name that the user gives', setName({ kind: 'contact', id: 'k15000' }, 'now 1999 too')],
  ])('finds a conversation by %s that has changed since', async (_, rename) => {
    const found = rename(await finished(filterList('1999')(state)));
    expect(listSearch.wanted(found)).toBe('all 1999');
    expect(selectListOrder(found)).toHaveLength(12);
    expect(selectListOrder(await finished(found))).toContain('c15000');
    expect(selectListOrder(await finished(filterList('1999 too')(found)))).toEqual(['c15000']);
  });

  test('compares only what matched before, as more is typed', async () => {
    const short = await finished(filterList('1999')(state));
    reads = 0;
    const long = filterList('19995')(short);
    expect(reads).toBeLessThan(20);
    expect(listSearch.wanted(long)).toBe(null);
    expect(selectListOrder(long)).toEqual(['c19995']);
    expect(selectListOrder(await finished(filterList('1999')(long)))).toHaveLength(12);
  });

  test('shows earlier matches while a list that has changed is searched', async () => {
    const found = await finished(filterList('1999')(state));
    const changed = applyConversation(eg.conversation({ id: 'new', contactId: 'k1999', lastActiveAt: eg.now }))(found);
    expect(await searchedOnePart(listSearch, changed)).toBe(changed);
    expect(selectListOrder(changed)).toHaveLength(12);
    expect(selectListOrder(await finished(changed))).toHaveLength(13);
    const cleared = filterList('')(found);
    expect(selectListOrder(cleared)).toHaveLength(20_000);
    expect(cleared.view.list.search).toBe(null);
  });
});

describe('going to a name', () => {
  const cost = (act: () => AppState): readonly [AppState, number] => {
    reads = 0;
    return [act(), reads];
  };
  /** For each name: to find the contact of a conversation, and to make the name. */
  const most = 5 * 500;

  test('costs the same for a key however long the list is', () => {
    const [opened, openingReads] = cost(() => openSwitcher(state));
    const [typed, typingReads] = cost(() => typeText('1999')(opened));
    const [again, againReads] = cost(() => typeText('19995')(typed));
    const [, steppingReads] = cost(() => moveChoice(1, 50)(again));
    for (const count of [openingReads, typingReads, againReads]) expect(count).toBeLessThanOrEqual(most);
    expect(steppingReads).toBe(0);
    expect(keys(opened).slice(0, 3)).toEqual(['c0', 'c1', 'c2']);
    expect(keys(typed)).toEqual([]);
  });

  test('searches the others a hundred at a time, and keeps the best', () => {
    const parts = searchNames(typeText('1999')(openSwitcher(state)), parseQuery('1999'), []);
    let part = parts.next();
    for (let count = 0; part.done !== true; count++) {
      const [, partReads] = cost(() => {
        part = parts.next();
        return state;
      });
      expect(partReads).toBeLessThanOrEqual(5 * 120);
      expect(count).toBeLessThan(220);
    }
    expect(part.value.rows.map(({ key }) => key)).toEqual([
      'c1999',
      ...Array.from({ length: 10 }, (_, index) => `c${19_990 + index}`),
      'c11999',
    ]);
    expect(part.value).toMatchObject({ count: 12, isDone: true });
  });

  test('compares names that were made once without making them again', () => {
    searchLikelyNames(state, parseQuery('1998'));
    const [, count] = cost(() => {
      searchLikelyNames(state, parseQuery('1997'));
      return state;
    });
    expect(count).toBeLessThanOrEqual(3 * 500);
  });
});

describe('a new conversation', () => {
  /** As often as a name is made out of it. */
  const cost = (act: () => AppState): readonly [AppState, number] => {
    reads = 0;
    const now = act();
    selectPartnerChoices(now);
    return [now, reads];
  };

  test('costs the same for a key however long the list is, and everybody is found', async () => {
    const [opened, openingReads] = cost(() => openNamePrompt('new-conversation')(state));
    const [typed, typingReads] = cost(() => typeText('1999')(opened));
    const [, againReads] = cost(() => typeText('19995')(typed));
    for (const count of [openingReads, typingReads, againReads]) expect(count).toBeLessThanOrEqual(5 * 500);
    const [, changedReads] = cost(() => applyConversation(eg.conversation({ id: 'new', contactId: 'k1' }))(typed));
    expect(changedReads).toBeLessThanOrEqual(5 * 50);
    const choices = selectPartnerChoices(await searched(nameSearch, typed));
    expect(choices.map(({ id }) => id).slice(0, 3)).toEqual(['k1999', 'k19990', 'k19991']);
    expect(choices).toHaveLength(12 + 2);
  });
});

describe('a move deep in the list', () => {
  /** Counts the places that are read. */
  const watched = (order: readonly string[]) => {
    const seen = { count: 0 };
    const proxy = new Proxy(order, {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) seen.count += 1;
        return Reflect.get(target, key, receiver);
      },
    });
    return { seen, order: proxy };
  };

  test('reads only the neighbours', () => {
    const { seen, order } = watched(selectListOrder(state));
    let now = stepInList(order, 'last')(state);
    now = stepInList(order, 'previous')(now);
    for (let steps = 0; steps < 50; steps++) {
      seen.count = 0;
      now = stepInList(order, 'previous')(now);
      expect(seen.count).toBeLessThan(10);
    }
    expect(now.view.list.selectedId).toBe('c19948');
  });

  test('searches once for a conversation that has moved or is missing', () => {
    const { seen, order } = watched(['a', 'b', 'c']);
    expect([indexIn(order, 'c'), indexIn(order, 'c'), indexIn(['c', 'a', 'b'], 'c')]).toEqual([2, 2, 0]);
    expect(indexIn(order, 'nobody')).toBe(-1);
    seen.count = 0;
    expect(indexIn(order, 'nobody')).toBe(-1);
    expect(seen.count).toBe(0);
  });
});
