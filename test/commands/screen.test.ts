import { expect, test } from 'vitest';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { selectDensity } from '../../src/state/local/list-layout.ts';
import type { Density } from '../../src/state/model/settings.ts';
import { paneColumns } from '../../src/state/select/pane-columns.ts';
import { selectListOrder } from '../../src/state/select/selectors.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import { chat, world } from './world.ts';

test('Alt-m gives the mouse to the terminal and takes it back', () => {
  const { press, state, notice } = world(chat());
  press('alt+m');
  expect([state().settings.mouse, notice()]).toEqual([
    false,
    'The mouse is off: the terminal itself selects text; Alt-m turns it on',
  ]);
  press('alt+m');
  expect(state().settings.mouse).toBe(true);
});

test('keys make the list wider and narrower, within limits, and the width is saved', () => {
  const { press, state } = world(chat());
  const list = () => paneColumns(80, state().local.listWidth).list;
  const before = list();
  press('alt+=');
  expect([list(), state().local.listWidth]).toEqual([before + 4, before + 4]);
  press(...Array<string>(30).fill('alt+='));
  expect(list()).toBe(40);
  press(...Array<string>(30).fill('alt+-'));
  expect(list()).toBe(20);
});

test('a narrow screen shows one pane, whatever the width of the list is', () => {
  expect(paneColumns(79, 30)).toEqual({ list: 0, main: 79 });
});

test('v in the list offers the views', () => {
  const { press, state } = world(chat({ focus: 'list' }));
  press('v');
  expect(selectMenuRows(state()).map(({ key }) => key)).toEqual(['1', '2', '3', '4', '5']);
  press('5');
  expect([state().view.list.view, state().screen.overlays]).toEqual(['archived', []]);
});

test('v on a conversation of a group offers the view of that group alone', () => {
  const { press, state } = world(selectInList('crew')(chat({ focus: 'list' })));
  press('v', '6');
  expect(state().view.list.view).toEqual({ groupId: 'g1' });
  expect(selectListOrder(state())).toEqual(['crew']);
  press('v');
  expect(selectMenuRows(state()).map(({ label }) => label)).toContain('Only Group #g1 (now)');
  press('escape', 'f');
  expect(state().view.list.view).toBe('all');
});

test('Alt-0 goes through the densities of the list, and a density that equals the setting is not saved', () => {
  const { press, state, notice } = world(chat());
  press('alt+0');
  expect([selectDensity(state()), notice()]).toEqual([
    'comfortable',
    'Comfortable list: three rows for each conversation',
  ]);
  press('alt+0');
  expect(selectDensity(state())).toBe('compact');
  press('alt+0');
  expect(state().local.density).toBe(null);
});

test('a density that a command has chosen counts until the setting is another one', () => {
  const { press, state } = world(chat());
  press('alt+0');
  const shownWith = (density: Density) => {
    const { settings, ...rest } = state();
    return selectDensity({ ...rest, settings: { ...settings, density } });
  };
  expect(shownWith('normal')).toBe('comfortable');
  expect(shownWith('compact')).toBe('compact');
});
