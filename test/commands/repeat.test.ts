/** `.` and the user's macros. */
import { describe, expect, test } from 'vitest';
import { settingsOf } from '../../src/cli/config/chat-settings.ts';
import { keyProblems } from '../../src/cli/config/key-problems.ts';
import { profileNames } from '../../src/commands/profiles/profiles.ts';
import { parseConfig } from '../../src/config/file.ts';
import { settingsTable } from '../../src/config/settings-table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { standardKeys } from '../../src/state/model/key-settings.ts';
import { selectInList } from '../../src/state/view/list-place.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

const onMessage = (id: string): AppState =>
  chat({ focus: 'messages', places: new Map([['with ann', { scroll: { at: 'bottom' } as const, selectedId: id }]]) });
const onList = (id: string): AppState => selectInList(id)(chat({ focus: 'list' }));

describe('repeating the last action', () => {
  test('says so if there is none', () => {
    const { press, notice } = world(onList('crew'));
    press('.');
    expect(notice()).toBe('There is no action to repeat yet');
  });

  test.each([
    ['p', 'conversation.pin'],
    ['x', 'conversation.archive'],
  ])('%s on another conversation', (key, kind) => {
    const { press, update, actions } = world(onList('with ann'));
    press(key);
    update(selectInList('with bob'));
    press('.');
    expect(actions).toMatchObject([
      { kind, conversationId: 'with ann' },
      { kind, conversationId: 'with bob' },
    ]);
  });

  test('mutes for the same time', () => {
    const { press, update, actions, state } = world(onList('with ann'));
    press('m', '8');
    update(selectInList('with bob'));
    press('.');
    expect(actions.map((action) => action.kind)).toEqual(['conversation.mute', 'conversation.mute']);
    const [one, other] = [...state().local.mutedUntil.values()];
    expect((other ?? 0) - (one ?? 0)).toBeLessThan(10_000);
    expect(topOverlay(state())).toBe(null);
  });

  test('gives the reaction that was chosen in the picker', () => {
    const { press, type, wait, actions } = world(onMessage('m2'));
    press('a');
    type('heart', 120);
    wait(1_000);
    press('enter', 'k', '.');
    expect(actions).toMatchObject([
      { kind: 'message.react', messageId: 'm2', name: 'heart', present: true },
      { kind: 'message.react', messageId: 'm1', name: 'heart', present: true },
    ]);
  });

  test('asks again before a deletion', () => {
    const { press, wait, state } = world(onList('with ann'));
    press('d');
    wait(1_000);
    press('n');
    wait(1_000);
    press('.');
    expect(topOverlay(state())).toMatchObject({ kind: 'confirm', id: 'conversation.delete' });
  });

  test('says which pane it belongs to if the focus is in another one', () => {
    const { press, update, notice, actions } = world(onList('with ann'));
    press('p');
    update(() => ({ ...onMessage('m2') }));
    update((state) => ({ ...state, view: { ...state.view, lastAction: { id: 'conversation.pin', words: [] } } }));
    press('.');
    expect([notice(), actions.length]).toEqual(['"Pin or unpin" is for the list', 1]);
  });
});

describe('a macro', () => {
  const withMacro =
    (run: readonly string[]) =>
    (state: AppState): AppState => ({
      ...state,
      settings: { ...state.settings, keys: { ...standardKeys, macros: { tidy: { keys: ['g t', 'X'], run } } } },
    });

  test('runs its commands one after the other', () => {
    const { press, update, actions } = world(onList('with ann'));
    update((state) => ({
      ...state,
      settings: {
        ...state.settings,
        keys: { ...standardKeys, macros: { tidy: { keys: ['X'], run: ['conversation.pin', 'conversation.archive'] } } },
      },
    }));
    press('X');
    expect(actions.map(({ kind }) => kind)).toEqual(['conversation.pin', 'conversation.archive']);
  });

  test('from the documentation runs in every profile, and takes no key from another command', async () => {
    const { example } = settingsTable['keys.macros'];
    const { keys } = settingsOf(await parseConfig('config.toml', `keys.macros = ${example}\n`));
    for (const profile of profileNames) {
      expect([profile, keyProblems({ ...keys, profile })]).toEqual([profile, []]);
      const { press, update, actions } = world(onList('with ann'));
      update((state) => ({ ...state, settings: { ...state.settings, keys: { ...keys, profile } } }));
      press(...(keys.macros.away?.keys ?? []).flatMap((sequence) => sequence.split(' ')));
      expect([profile, actions.map(({ kind }) => kind)]).toEqual([
        profile,
        ['conversation.pin', 'conversation.archive'],
      ]);
    }
  });

  test('is repeated as a whole', () => {
    const { press, update, actions } = world(
      withMacro(['conversation.pin', 'conversation.archive'])(onList('with ann')),
    );
    press('X');
    update(selectInList('with bob'));
    press('.');
    expect(actions.map((action) => [action.kind, 'conversationId' in action && action.conversationId])).toEqual([
      ['conversation.pin', 'with ann'],
      ['conversation.archive', 'with ann'],
      ['conversation.pin', 'with bob'],
      ['conversation.archive', 'with bob'],
    ]);
  });

  test('that repeats the last action is itself not repeated', () => {
    const { press, actions } = world(withMacro(['conversation.pin', 'action.repeat'])(onList('with ann')));
    press('X', 'X');
    expect(actions.every(({ kind }) => kind === 'conversation.pin')).toBe(true);
  });

  test('stops at the first command that cannot run, and says so', () => {
    const { press, actions, notice } = world(
      withMacro(['conversation.pin', 'conversation.other', 'conversation.archive'])(onList('with ann')),
    );
    press('X');
    expect(actions.map(({ kind }) => kind)).toEqual(['conversation.pin']);
    expect(notice()).toBe('Macro tidy stopped at conversation.other: No other conversation has been open yet');
  });

  test('with an unknown name is left out', () => {
    const { press, actions, state } = world(withMacro(['conversation.dance'])(onList('with ann')));
    press('X');
    expect([actions, state().screen.focus]).toEqual([[], 'composer']);
  });
});
