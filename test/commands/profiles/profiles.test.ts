/** The key profiles: no conflict, every command has a key or is in the palette, and menus have distinct letters. */
import { describe, expect, test } from 'vitest';
import { contextsOf } from '../../../src/commands/command.ts';
import { parseKeys } from '../../../src/commands/key-names.ts';
import { selectMenuRows } from '../../../src/commands/menus.ts';
import { profileKeys, profileNames } from '../../../src/commands/profiles/profiles.ts';
import { commands, keymapFor } from '../../../src/commands/table.ts';
import { standardKeys } from '../../../src/state/model/key-settings.ts';
import { selectInList } from '../../../src/state/view/list-place.ts';
import * as eg from '../../support/builders/eg.ts';
import { chat, world } from '../world.ts';

describe.each(profileNames)('the profile %s', (profile) => {
  const keymap = keymapFor({ ...standardKeys, profile });

  test('has no conflict, and no key for a command that does not exist', () => {
    const unknown = Object.keys(profileKeys[profile]).filter((id) => !commands.some((one) => one.id === id));
    expect([keymap.conflicts, unknown]).toEqual([[], []]);
  });

  test('names keys by their canonical names', () => {
    const keys = Object.values(profileKeys[profile]).flat();
    expect(keys.filter((key) => parseKeys(key) !== key)).toEqual([]);
  });

  test('has a key for every command that has one in the standard profile', () => {
    expect(commands.filter(({ id, keys }) => keys.length > 0 && keymap.keysOf(id).length === 0)).toEqual([]);
  });

  test('can reach every command with its keys where the command applies', () => {
    for (const { id, where } of commands)
      for (const context of where)
        for (const key of keymap.keysOf(id)) {
          const contexts = [context, 'global', 'always'] as const;
          const isText = contextsOf(chat({ focus: 'composer' })).includes(context);
          const found = keymap.find(contexts, key)?.command.id ?? (isText ? id : null);
          expect([context, key, found]).toEqual([context, key, id]);
        }
  });

  test.each([
    ['messages', 'enter'],
    ['list', null],
  ] as const)('gives the rows of a menu distinct letters (%s)', (focus, key) => {
    const places = new Map([['with ann', { scroll: { at: 'bottom' } as const, selectedId: 'm2' }]]);
    const { update, press, run, state } = world(selectInList('with ann')(chat({ focus, places })));
    update((now) => ({ ...now, settings: { ...now.settings, keys: { ...standardKeys, profile } } }));
    if (key === null) run('list.views');
    else press(key);
    const letters = selectMenuRows(state())
      .map((row) => row.key)
      .filter((letter) => letter !== '');
    expect(new Set(letters).size).toBe(letters.length);
  });
});

test('in the profile emacs, Alt-y, Alt-t and Alt-c edit, and Ctrl-T, Alt-u and Alt-l keep their other meanings', () => {
  const { update, press, type, draft, state } = world(chat());
  update((now) => ({ ...now, settings: { ...now.settings, keys: { ...standardKeys, profile: 'emacs' } } }));
  type('one two');
  press('ctrl+w', 'left', 'ctrl+w', 'ctrl+y', 'alt+y');
  expect(draft().text).toBe('two ');
  press('end');
  type('one');
  press('alt+t', 'alt+b', 'alt+c');
  expect(draft().text).toBe('one Two');
  press('ctrl+t', 'alt+u');
  expect([draft().text, state().screen.overlays]).toMatchObject(['one Two', [{ kind: 'attach' }]]);
  press('escape', 'alt+l');
  expect(state().screen.overlays).toMatchObject([{ kind: 'notices' }]);
});

test('in the profile emacs Ctrl-G does what Esc does', () => {
  const { update, press, state } = world(chat({ focus: 'messages' }));
  update((now) => ({ ...now, settings: { ...now.settings, keys: { ...standardKeys, profile: 'emacs' } } }));
  press('f1');
  expect(state().screen.overlays).toHaveLength(1);
  press('ctrl+g');
  expect(state().screen.overlays).toEqual([]);
  press('ctrl+g');
  expect(state().screen.focus).toBe('composer');
});

test.each([
  ['compact', 12],
  ['normal', 6],
  ['comfortable', 4],
] as const)('half a screen of a %s list with 24 rows is %i conversations', (density, count) => {
  const ids = Array.from({ length: 40 }, (_, i) => `c${i}`);
  const conversations = new Map(
    ids.map((id, i) => [id, eg.conversation({ id, contactId: id, lastActiveAt: eg.now - i })] as const),
  );
  const list = selectInList('c0')(
    chat({ focus: 'list', size: { columns: 80, rows: 24 } }, { density: { chosen: density, over: 'normal' } }),
  );
  const { press, state } = world({ ...list, cache: { ...list.cache, conversations } });
  press('ctrl+d');
  expect(state().view.list.selectedId).toBe(`c${count}`);
  press('ctrl+u');
  expect(state().view.list.selectedId).toBe('c0');
});
