import { beforeEach, describe, expect, test } from 'vitest';
import { applyConversation, setUnread } from '../../../src/state/cache/conversations.ts';
import { addOp } from '../../../src/state/local/outbox.ts';
import { noteUse } from '../../../src/state/local/uses.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { filterList } from '../../../src/state/search/list-search.ts';
import { nameSearch, openNamePrompt, selectNamePrompt } from '../../../src/state/search/name-prompt.ts';
import { openSwitcher, selectSwitcher, selectSwitcherRows } from '../../../src/state/search/switcher.ts';
import { rowLimit } from '../../../src/state/search/switcher-row.ts';
import { selectListOrder } from '../../../src/state/select/listed-conversations.ts';
import { moveChoice } from '../../../src/state/view/overlays.ts';
import { openInView } from '../../../src/state/view/view.ts';
import * as eg from '../../support/builders/eg.ts';
import { searched } from '../../support/searched.ts';

beforeEach(eg.restart);

const people = ['ann', 'bob', 'cyd', 'dora'];
const one = (name: string, fields: Partial<Parameters<typeof eg.conversation>[0]> = {}) =>
  eg.conversation({
    id: `with ${name}`,
    contactId: name,
    lastActiveAt: eg.now - people.indexOf(name) * eg.hour,
    ...fields,
  });

const base = (parts: eg.Parts = {}): AppState =>
  eg.state({
    conversations: [...people.map((name) => one(name)), eg.conversation({ id: 'crew', groupId: 'g', lastActiveAt: 1 })],
    contacts: people.map((id) => eg.contact({ id })),
    ...parts,
    local: { names: new Map([['g', 'Boat crew']]), ...parts.local },
  });

const names = (ann: string, dora: string) =>
  new Map([
    ['ann', ann],
    ['dora', dora],
  ]);

const keys = (state: AppState): readonly string[] => selectSwitcherRows(state).map(({ key }) => key);
const asked = (state: AppState, query: string): readonly string[] => keys(typeText(query)(openSwitcher(state)));

test('a person and a group with the same id are found by their own names', () => {
  const direct = eg.conversation({ id: 'direct', contactId: '1', lastActiveAt: eg.now });
  const group = eg.conversation({ id: 'group', groupId: '1', lastActiveAt: eg.now });
  const state = eg.state({ conversations: [direct, group], contacts: [eg.contact({ id: '1', username: 'ann' })] });
  expect([asked(state, 'ann'), asked(state, 'group')]).toEqual([['direct'], ['group']]);
});

describe('the rows before anything is typed', () => {
  test('are unread conversations first, then recently opened ones, then the others, and last the open one', () => {
    const unread = new Map([
      ['with dora', 2],
      ['with cyd', 1],
    ]);
    const state = base({ cache: { unread } });
    const visited = ['with bob', 'crew', 'with ann'].reduce((now, id) => openInView(id)(now), state);
    expect(keys(openSwitcher(visited))).toEqual(['with cyd', 'with dora', 'crew', 'with bob', 'with ann']);
  });

  test('do not count muted ones as unread, and have archived ones last', () => {
    const state = base({
      conversations: [one('ann', { archivedAt: eg.now }), one('bob'), one('cyd', { isMuted: true })],
      cache: {
        unread: new Map([
          ['with cyd', 3],
          ['with ann', 1],
        ]),
      },
    });
    expect(keys(openSwitcher(state))).toEqual(['with bob', 'with cyd', 'with ann']);
    expect(selectSwitcherRows(openSwitcher(state))).toMatchObject([
      {},
      { isMuted: true, unread: 3 },
      { isArchived: true },
    ]);
  });
});

describe('conversations that are opened often and lately', () => {
  const day = 24 * eg.hour;
  /** Dora is opened most often, Bob as often some weeks ago, Cyd once today. */
  const often: readonly (readonly [string, daysAgo: number])[] = [
    ...[30, 30, 30].map((days) => ['with bob', days] as const),
    ...[2, 1, 1].map((days) => ['with dora', days] as const),
    ['with cyd', 0],
  ];
  const opened = (state: AppState): AppState =>
    often.reduce((now, [id, days]) => noteUse('conversationUses', id, eg.now - days * day)(now), state);

  test.each<readonly [string, AppState, string, readonly string[]]>([
    ['in the order of use', base(), '', ['with dora', 'with cyd', 'with bob', 'with ann', 'crew']],
    ['people as well', base(), '@', ['dora', 'cyd', 'bob', 'ann']],
    [
      'after what is unread',
      base({ cache: { unread: new Map([['with ann', 1]]) } }),
      '',
      ['with ann', 'with dora', 'with cyd', 'with bob', 'crew'],
    ],
    [
      'after those visited in this run',
      ['crew', 'with ann'].reduce((now, id) => openInView(id)(now), base()),
      '',
      ['crew', 'with dora', 'with cyd', 'with bob', 'with ann'],
    ],
    [
      'before archived ones',
      base({ conversations: [one('ann'), one('dora', { archivedAt: eg.now })] }),
      '',
      ['with ann', 'with dora'],
    ],
    [
      'among beginnings of words',
      base({ conversations: [one('ann'), one('dora')], local: { names: names('Boat ann', 'Boat dora') } }),
      'boat',
      ['with dora', 'with ann'],
    ],
    [
      'not before a better match',
      base({ conversations: [one('ann'), one('dora')], local: { names: names('Boat', 'A boat') } }),
      'boat',
      ['with ann', 'with dora'],
    ],
  ])('%s', (_, state, query, expected) => {
    expect(asked(opened(state), query)).toEqual(expected);
  });

  test('a conversation far down in a long list comes first', () => {
    const conversations = Array.from({ length: 600 }, (_, place) =>
      eg.conversation({ id: `c${place}`, lastActiveAt: eg.now - place }),
    );
    const state = noteUse('conversationUses', 'c590', eg.now)(eg.state({ conversations }));
    expect(keys(openSwitcher(state)).slice(0, 2)).toEqual(['c590', 'c0']);
  });
});

test.each(['dory', '@dory'])('a person whom the user has named is found by the username too: %s', (query) => {
  const contacts = [eg.contact({ id: 'ann' }), eg.contact({ id: 'dora', username: 'Dóry' })];
  const named = base({ contacts, local: { names: names('Dory the elder', 'Skipper') } });
  expect(asked(named, query)).toEqual(query === 'dory' ? ['with dora', 'with ann'] : ['dora', 'ann']);
  const stranger = base({ conversations: [], contacts, local: { names: names('Ann', 'Skipper') } });
  expect(asked(stranger, '@dory')).toEqual(['dora']);
  const filtered = filterList('dory')(named);
  expect(selectListOrder(filtered)).toEqual(['with ann', 'with dora']);
});

describe('the rows before anything is typed in a long list', () => {
  const listed = (unread: readonly (readonly [string, number])[], fields: (place: number) => object = () => ({})) =>
    openSwitcher(
      eg.state({
        conversations: Array.from({ length: 600 }, (_, place) =>
          eg.conversation({ id: `c${place}`, lastActiveAt: eg.now - place, ...fields(place) }),
        ),
        cache: { unread: new Map(unread) },
      }),
    );

  test('need no search if the top of the list fills them', () => {
    expect(nameSearch.wanted(listed([['c2', 1]]))).toBe(null);
    expect(keys(listed([['c2', 1]])).slice(0, 3)).toEqual(['c2', 'c0', 'c1']);
  });

  test('need a search for unread ones, and if pinned ones fill the top', () => {
    expect(nameSearch.wanted(listed([['c599', 1]]))).not.toBe(null);
    expect(nameSearch.wanted(listed([], (place) => ({ isPinned: place > 300 && place < 500 })))).not.toBe(null);
    expect(nameSearch.wanted(listed([], (place) => ({ isPinned: place > 300 && place < 400 })))).toBe(null);
  });
});

describe('the typed query', () => {
  test('leaves the selection on its row where it is blank, as Space may be meant to choose that row', () => {
    const forwarding = { content: { text: 'x', attachments: [] }, messages: 1, from: 'crew', chosen: [] };
    const moved = moveChoice(2, 4)(openNamePrompt('forward', forwarding)(base()));
    const blank = typeText(' ')(moved);
    expect(selectNamePrompt(blank)).toMatchObject({ typed: ' ', selected: 2, isMoved: true });
    expect(selectNamePrompt(typeText('a')(blank))).toMatchObject({ selected: 0, isMoved: false });
  });

  test('finds the best matches first, and the newest of those that match as well', () => {
    const names = ['Joanna', 'Ann', 'Annika', 'Mary Ann', 'Anja', 'Bob'];
    const state = eg.state({
      conversations: names.map((name, place) =>
        eg.conversation({ id: name, contactId: name, lastActiveAt: eg.now - place }),
      ),
      contacts: names.map((id) => eg.contact({ id })),
    });
    expect(asked(state, 'ann')).toEqual(['Ann', 'Annika', 'Mary Ann', 'Joanna']);
    expect(asked(state, 'an')).toEqual(['Ann', 'Annika', 'Anja', 'Mary Ann', 'Joanna']);
    expect(asked(state, 'nobody')).toEqual([]);
  });

  test('finds archived ones after those that match as well, and pending changes count', () => {
    const state = base({ conversations: [one('ann'), one('bob', { contactId: 'ann', archivedAt: eg.now })] });
    expect(asked(state, 'ann')).toEqual(['with ann', 'with bob']);
    const archive = addOp(eg.op({ kind: 'conversation.archive', conversationId: 'with ann', at: eg.now }));
    const restore = addOp(eg.op({ kind: 'conversation.archive', conversationId: 'with bob', at: null }));
    expect(asked(restore(archive(state)), 'ann')).toEqual(['with bob', 'with ann']);
    const remove = addOp(eg.op({ kind: 'conversation.delete', conversationId: 'with ann' }));
    expect(asked(remove(state), 'ann')).toEqual(['with bob']);
  });

  test("finds a name of the user's own as soon as it is given", () => {
    const state = base();
    expect(asked(state, 'skipper')).toEqual([]);
    const named = { ...state, local: { ...state.local, names: new Map([['bob', 'The Skipper']]) } };
    expect(asked(named, 'skipper')).toEqual(['with bob']);
    expect(asked(named, 'bob')).toEqual(['with bob']);
  });

  test('costs no more for a paste of megabytes than for a name', () => {
    expect(asked(base(), `ann${' '.repeat(300)}${'x'.repeat(1_000_000)}`)).toEqual(['with ann']);
  });
});

describe('limited to', () => {
  test('people, finds everybody known, with a conversation or without, and not the user', () => {
    const contacts = [...people, 'eve', 'me'].map((id) => eg.contact({ id }));
    const state = base({ contacts, local: { me: { contactId: 'me', username: 'me' } } });
    expect(asked(state, '@')).toEqual(['ann', 'bob', 'cyd', 'dora', 'eve']);
    expect(asked(state, '@ eve')).toEqual(['eve']);
    expect(asked(state, '@me')).toEqual([]);
    expect(selectSwitcherRows(typeText('@e')(openSwitcher(state)))).toMatchObject([
      { name: 'eve', conversationId: null },
    ]);
    const looked = selectSwitcher(typeText('@')(openSwitcher(state)))?.result;
    expect(looked).toMatchObject({ count: 5, isDone: true });
  });

  test('people, shows a person with an archived or open conversation in one row, which opens it', () => {
    const state = base({
      conversations: [one('ann', { archivedAt: eg.now }), one('bob')],
      view: { openId: 'with bob' },
    });
    const rows = selectSwitcherRows(typeText('@')(openSwitcher(state)));
    expect(rows.map(({ key, conversationId }) => [key, conversationId])).toEqual([
      ['bob', 'with bob'],
      ['ann', 'with ann'],
      ['cyd', null],
      ['dora', null],
    ]);
  });

  test('groups, finds only groups', () => {
    expect(asked(base(), '#')).toEqual(['crew']);
    expect(asked(base(), '#bc')).toEqual(['crew']);
    expect(asked(base(), '#ann')).toEqual([]);
  });
});

describe('a match that is found later', () => {
  const long = (count: number): AppState => {
    const ids = Array.from({ length: count }, (_, index) => `n${String(index).padStart(4, '0')}`);
    return eg.state({
      conversations: ids.map((id, place) => eg.conversation({ id, contactId: id, lastActiveAt: eg.now - place })),
      contacts: ids.map((id) => eg.contact({ id, username: `name ${id}` })),
    });
  };
  const finished = (state: AppState): Promise<AppState> => searched(nameSearch, state);

  test('is sorted in, and a choice that was not moved stays with the best match', async () => {
    const state = typeText('0599')(openSwitcher(long(600)));
    expect(keys(state)).toEqual([]);
    expect(nameSearch.wanted(state)).not.toBe(null);
    const found = await finished(state);
    expect(keys(found)).toEqual(['n0599']);
    expect(nameSearch.wanted(found)).toBe(null);
    expect(selectSwitcher(found)).toMatchObject({ selected: 0, result: { count: 1, isDone: true } });
  });

  test('does not come before the first row once all rows were found, so that Enter opens the row that is shown', async () => {
    const state = openSwitcher(base());
    const [first] = keys(state);
    const news = eg.conversation({ id: 'news', contactId: 'news', lastActiveAt: eg.now + 1 });
    const found = await finished(setUnread('news', 1)(applyConversation(news)(state)));
    expect(keys(found).slice(0, 2)).toEqual(['news', first]);
    expect(selectSwitcher(found)?.selected).toBe(1);
  });

  test('does not change a choice that was moved, also if better matches fill all rows', async () => {
    const state = moveChoice(1, 50)(openSwitcher(long(600)));
    const chosen = keys(state)[1];
    const news = Array.from({ length: 3 }, (_, index) =>
      eg.conversation({ id: `new ${index}`, lastActiveAt: eg.now + 1 }),
    );
    const more = news.reduce((now, conversation) => applyConversation(conversation)(now), state);
    expect(nameSearch.wanted(more)).not.toBe(null);
    const found = await finished(more);
    expect([keys(found)[4], selectSwitcher(found)?.selected]).toEqual([chosen, 4]);
    const many = Array.from({ length: 60 }, (_, index) =>
      eg.conversation({ id: `m${index}`, lastActiveAt: eg.now + 2 }),
    );
    const crowded = await finished(many.reduce((now, conversation) => applyConversation(conversation)(now), found));
    expect(keys(crowded)).toHaveLength(rowLimit);
    expect([keys(crowded).at(-1), selectSwitcher(crowded)?.selected]).toEqual([chosen, rowLimit - 1]);
  });

  test('of a conversation that is gone is removed from the rows', async () => {
    const state = openSwitcher(base());
    const gone = {
      ...state,
      cache: { ...state.cache, conversations: new Map([['crew', state.cache.conversations.get('crew')!]]) },
    };
    expect(nameSearch.wanted(gone)).not.toBe(null);
    expect(keys(await finished(gone))).toEqual(['crew']);
  });

  test('where a message is forwarded, no other row is selected in place of one that is gone', async () => {
    const forwarding = { content: { text: 'x', attachments: [] }, messages: 1, from: 'crew', chosen: [] };
    const state = moveChoice(1, 2)(openNamePrompt('forward', forwarding)(base()));
    const chosen = selectNamePrompt(state)?.result.rows[1]?.conversationId ?? '';
    const left = (now: AppState) => {
      const conversations = new Map([...now.cache.conversations].filter(([id]) => id !== chosen));
      return { ...now, cache: { ...now.cache, conversations } };
    };
    const gone = await finished(left(state));
    expect(selectNamePrompt(gone)).toMatchObject({ selected: -1 });
    const news = await finished(applyConversation(eg.conversation({ id: 'new' }))(gone));
    expect(selectNamePrompt(news)).toMatchObject({ selected: -1 });
    expect(selectNamePrompt(moveChoice(1, 2)(news))).toMatchObject({ selected: 0 });
  });
});
