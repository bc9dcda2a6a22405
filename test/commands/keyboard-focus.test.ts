/** Where the keyboard is after a command, and what is selected there. */
import { describe, expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import type { Target } from '../../src/text/layout/row.ts';
import { chat, type World, world } from './world.ts';

const unreadCrew = (state: AppState): AppState => ({
  ...state,
  cache: { ...state.cache, unread: new Map([['crew', 1]]) },
});

describe('opening a conversation moves the keyboard focus to its composer', () => {
  const ways: readonly (readonly [string, (w: World) => void])[] = [
    ['the next one', (w) => w.press('alt+down')],
    ['the nth one', (w) => w.press('alt+2')],
    ['the next unread one', (w) => w.press('alt+a')],
    ['the switcher', (w) => w.press('ctrl+k', 'enter')],
    ['a click', (w) => w.click({ kind: 'conversation', conversationId: 'crew' })],
  ];
  describe.each(['list', 'messages', 'composer'] as const)('from the %s', (focus) => {
    test.each(ways)('by %s', (_, open) => {
      const w = world(chat({ focus }));
      w.update(unreadCrew);
      open(w);
      // Before anything is typed: words that begin in another pane come into the composer as well.
      expect([w.state().view.openId, w.state().screen.focus]).toEqual(['crew', 'composer']);
      w.type('did you see the ferry');
      expect(w.draft().text).toBe('did you see the ferry');
    });

    test('by the key for the previous conversation', () => {
      const w = world(chat({ focus, previousId: 'crew' }));
      w.press('alt+/');
      expect(w.state().screen.focus).toBe('composer');
      w.type('did you see the ferry');
      expect([w.state().view.openId, w.draft().text]).toEqual(['crew', 'did you see the ferry']);
    });
  });
});

test('after the open conversation was deleted its neighbour is selected, and Enter opens that one', () => {
  const w = world(chat({ focus: 'list', openId: 'crew' }));
  w.update(selectInList('crew'));
  w.press('d');
  w.wait(500);
  w.press('y');
  expect(w.actions).toEqual([{ kind: 'conversation.delete', conversationId: 'crew' }]);
  expect(w.state().view.list.selectedId).toBe('with bob');
  w.press('enter');
  expect(w.state()).toMatchObject({ view: { openId: 'with bob' }, screen: { focus: 'composer' } });
});

test('the notice about a peek goes when a conversation is opened', () => {
  const w = world(chat({ focus: 'list' }));
  w.update(selectInList('crew'));
  w.press('space');
  expect(w.notice()).toBe('Only looking: nothing is marked read');
  w.press('j', 'enter');
  expect([w.state().view.openId, w.notice()]).toEqual(['with bob', undefined]);
});

describe('a click on a part of a message leaves the keyboard in the composer', () => {
  const parts: readonly Target[] = [
    { kind: 'reaction', messageId: 'm3', name: 'heart' },
    { kind: 'link', messageId: 'm3', address: 'https://example.org/' },
    { kind: 'message-command', messageId: 'm3', id: 'message.raw' },
  ];
  test.each(parts)('$kind', (part) => {
    const w = world(chat());
    w.click(part);
    expect([w.state().screen.focus, selectPlace(w.state(), 'with ann').selectedId]).toEqual(['composer', null]);
    const reading = world(chat({ focus: 'messages' }));
    reading.click(part);
    expect([reading.state().screen.focus, selectPlace(reading.state(), 'with ann').selectedId]).toEqual([
      'messages',
      'm3',
    ]);
  });

  test.each<Target>([
    { kind: 'reaction', messageId: 'm3', name: 'heart' },
    { kind: 'jump', messageId: 'm1' },
  ])('also in normal mode of vim: $kind', (part) => {
    const keys = { profile: 'vim', bind: {}, macros: {} } as const;
    const w = world({ ...chat(), settings: { ...chat().settings, keys } });
    w.press('escape');
    const { vim } = w.state().view;
    expect(vim?.mode).toBe('normal');
    w.click(part);
    expect([w.state().screen.focus, w.state().view.vim]).toEqual(['composer', vim]);
  });

  test.each([
    ['composer', 'composer'],
    ['messages', 'messages'],
    ['list', 'messages'],
  ] as const)(
    'a quote or the pinned row shows another message and moves the focus from the %s to the %s',
    (focus, after) => {
      const w = world(chat({ focus }));
      w.click({ kind: 'jump', messageId: 'm1' });
      expect([w.state().screen.focus, selectPlace(w.state(), 'with ann').selectedId]).toEqual([after, 'm1']);
    },
  );

  test('a click on the message itself selects it', () => {
    const w = world(chat());
    w.click({ kind: 'message', messageId: 'm3' });
    expect([w.state().screen.focus, selectPlace(w.state(), 'with ann').selectedId]).toEqual(['messages', 'm3']);
  });
});
