/** Going to another account: `/profile`, and the menu of the profiles. */
import { expect, test } from 'vitest';
import { selectMenuRows } from '../../src/commands/menus.ts';
import { commands } from '../../src/commands/table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { selectComposer } from '../../src/state/select/selectors.ts';
import { setAccounts, setProfiles } from '../../src/state/view/accounts.ts';
import { chat, world } from './world.ts';

const all = ['work', 'home', 'homework'].map((name) => ({ name, server: `https://${name}.example` }));
const signedIn = (): AppState => setAccounts({ current: 'work', all })(chat());
const reasonIn = (state: AppState): string | null | undefined =>
  commands.find(({ id }) => id === 'account.switch')?.disabled?.(state);

test('the menu lists the profiles, the open one last, and opens the chosen one', () => {
  const { run, press, state, calls } = world(signedIn());
  run('account.switch');
  expect(selectMenuRows(state()).map(({ label, reason }) => [label, reason])).toEqual([
    ['home  https://home.example', null],
    ['homework  https://homework.example', null],
    ['work  https://work.example', 'This account is open'],
  ]);
  press('2');
  expect(calls).toEqual(['switchAccount "home"']);
  expect(state().screen.overlays).toEqual([]);
});

test('a name or its beginning opens that profile at once; any other name is refused with the names', () => {
  const { run, calls, notice, state } = world(signedIn());
  run('account.switch', 'homew');
  run('account.switch', 'home');
  expect(calls).toEqual(['switchAccount "homework"', 'switchAccount "home"']);
  run('account.switch', 'ho');
  expect(notice()).toBe('No profile is called ho; there are work, home, homework');
  expect(selectComposer(state()).text).toBe('/profile ho');
  run('account.switch', 'work');
  expect(notice()).toBe('This account is open');
  expect(calls).toHaveLength(2);
});

test('it is disabled if no other profile can be opened, or unsent text would be lost', () => {
  expect(reasonIn(chat())).toBe('The open account is not one of config.toml');
  const alone = setAccounts({ current: 'work', all: all.slice(0, 1) })(chat());
  expect(reasonIn(alone)).toBe('There is no other account; msg-tui login adds one');
  // A login in another terminal is seen.
  expect(reasonIn(setProfiles(all)(alone))).toBeNull();
  const drafts = new Map([['with ann', { ...signedIn().local.drafts.values().next().value, text: 'unsent' }]]);
  const state = signedIn();
  const volatile = {
    ...state,
    local: { ...state.local, drafts },
    view: { ...state.view, isVolatile: true },
  } as AppState;
  expect(reasonIn(volatile)).toBe('What was not sent would be lost: the disk does not have it');
});
