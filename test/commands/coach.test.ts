/** The coach: the key of a command is named once, after it was run three times by a longer way. */
import { describe, expect, test } from 'vitest';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { changedRecords } from '../../src/state/local/records.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import type { Settings } from '../../src/state/model/settings.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { emptyLocal } from '../../src/state/store.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { temporaryDirectory } from '../storage/builders.ts';
import { chat, type World, world } from './world.ts';

const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm2' } as const]]);

const palette =
  (words: string, key = 'ctrl+k') =>
  (here: World) => {
    here.press(key);
    here.update(typeText(key === 'f1' ? words : `>${words}`));
    here.press('enter');
  };
const slash = (text: string) => (here: World) => {
  here.type(text);
  here.press('enter');
};
const click = (id: string) => (here: World) => here.click({ kind: 'command', id });
const menu = (id: string) => (here: World) => {
  here.press('enter');
  const index = selectMenuRows(here.state()).findIndex((row) => row.id === id);
  here.press(...Array<string>(index).fill('down'), 'enter');
};

const pinByMenu = (here: World): void => {
  here.rightClick({ kind: 'conversation', conversationId: 'crew' });
  here.press('p');
};

const set =
  (settings: Partial<Settings>) =>
  (here: World): World => {
    here.update((state) => ({ ...state, settings: { ...state.settings, ...settings } }));
    return here;
  };

/** The tip that each time brought; null for none. */
function tips(here: World, way: (here: World) => void, times: number): readonly (string | null)[] {
  return Array.from({ length: times }, () => {
    way(here);
    const tip = /Tip: .*/.exec(here.notice() ?? '')?.[0] ?? null;
    here.update((state) => ({ ...state, screen: { ...state.screen, notices: [] } }));
    return tip;
  });
}

const poll = palette('ask the server');
const pollTip = 'Tip: F5 is "Ask the server now"';

describe('after the third detour a tip names the key, once', () => {
  test.each([
    ['the palette', 'composer', poll, pollTip],
    ['the help', 'composer', palette('ask the server', 'f1'), pollTip],
    ['a slash command', 'composer', slash('/poll'), pollTip],
    ['a click', 'list', click('server.poll'), pollTip],
    ['a click in the pane of the key', 'list', click('list.view'), 'Tip: f is "Next view" in the list'],
    [
      'a menu',
      'messages',
      menu('message.copyWithAuthor'),
      'Tip: Y is "Copy the text with author and time" in the messages',
    ],
    ['a menu by the right button, from another pane', 'composer', pinByMenu, 'Tip: p is "Pin or unpin" in the list'],
    ['the palette, to a pane', 'composer', palette('pin or unpin'), 'Tip: p is "Pin or unpin" in the list'],
  ] as const)('%s', (_, focus, way, tip) => {
    expect(tips(world(chat({ focus, places })), way, 5)).toEqual([null, null, tip, null, null]);
  });

  test('different ways to one command are counted together', () => {
    const here = world(chat());
    expect([poll, slash('/poll'), click('server.poll')].flatMap((way) => tips(here, way, 1))).toEqual([
      null,
      null,
      pollTip,
    ]);
  });

  test('the notice of the command stays, and the tip follows it', () => {
    const here = world(chat());
    const archive = palette('archive or bring');
    archive(here);
    archive(here);
    archive(here);
    expect(here.notice()).toMatch(/^Archived.*z undoes it.* Tip: x is "Archive or bring back" in the list$/);
    const { notices, noticeLog } = here.state().screen;
    expect(noticeLog.at(-1)).toBe(notices.at(-1));
  });

  test('the tip names the key of the profile, or the one that the user has set', () => {
    const bound = set({ keys: { ...standardKeys, bind: { 'server.poll': ['ctrl+g'] } } })(world(chat()));
    expect(tips(bound, poll, 3).at(-1)).toBe('Tip: Ctrl-G is "Ask the server now"');
    const vim = set({ keys: { ...standardKeys, profile: 'vim' } })(world(chat()));
    expect(tips(vim, palette('mark read or unread'), 3).at(-1)).toBe('Tip: U is "Mark read or unread" in the list');
  });
});

describe('no tip is shown', () => {
  const pressed = (...keys: string[]): World => {
    const here = world(chat());
    here.press(...keys);
    return here;
  };

  test.each([
    ['with coach = false', set({ coach: false })(world(chat())), poll],
    ['for a user who has pressed the key', pressed('f5'), poll],
    ['for a command without a key', world(chat()), palette('to the composer')],
    [
      'for keys as long as the way',
      set({ keys: { ...standardKeys, bind: { 'server.poll': ['g g'] } } })(world(chat({ focus: 'list' }))),
      click('server.poll'),
    ],
    ['for a click that saves going to another pane', world(chat()), click('list.views')],
    [
      'for a click on a message',
      world(chat()),
      (here: World) => here.click({ kind: 'message-command', messageId: 'm2', id: 'message.raw' }),
    ],
    ['for a command that cannot run', world(chat({ focus: 'list' })), click('message.nextTrouble')],
    ['for the keys of dialogs', world(chat()), click('choice.accept')],
  ])('%s', (_, here, way) => {
    expect(tips(here, way, 5).filter((tip) => tip !== null)).toEqual([]);
  });

  test('for a user who presses the key between two detours', () => {
    const here = world(chat());
    tips(here, poll, 2);
    here.press('f5');
    expect(tips(here, poll, 4)).toEqual([null, null, null, null]);
  });
});

test('letters of a sentence do not count as uses of their keys', () => {
  const here = world(chat({ focus: 'list' }));
  tips(here, palette('pin or unpin'), 2);
  here.update((state) => ({ ...state, screen: { ...state.screen, focus: 'list' } }));
  here.type('perhaps');
  expect(here.draft().text).toBe('perhaps');
  expect(tips(here, palette('pin or unpin'), 1)).toEqual(['Tip: p is "Pin or unpin" in the list']);
});

test('what was counted and which tips were shown is known after a restart', () => {
  const directory = temporaryDirectory();
  const restarted = (before: World): World => {
    const outbox = openOutbox(directory);
    outbox.saveRecords(changedRecords(emptyLocal, before.state().local, 'detours'));
    outbox.close();
    const again = openOutbox(directory);
    const { detours } = again.load();
    again.close();
    return world(chat({}, { detours }));
  };
  const first = world(chat());
  expect(tips(first, poll, 2)).toEqual([null, null]);
  const second = restarted(first);
  expect(tips(second, poll, 1)).toEqual([pollTip]);
  expect(tips(restarted(second), poll, 3)).toEqual([null, null, null]);
});
