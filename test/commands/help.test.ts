/** The help as a list: its order, searching it, running what is chosen, and giving a command another key. */
import { beforeEach, describe, expect, test } from 'vitest';
import { knownSettings } from '../../src/cli/config/setting-entries.ts';
import { createHintSelector } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { selectRebind } from '../../src/commands/rebind.ts';
import { commands, selectPalette } from '../../src/commands/table.ts';
import type { SettingsOverlay } from '../../src/state/model/overlay.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { selectedSetting } from '../../src/state/search/setting-rows.ts';
import { replaceOverlay, topOverlay } from '../../src/state/view/overlays.ts';
import * as eg from '../support/builders/eg.ts';
import { entry } from './settings-page.ts';
import { chat, world } from './world.ts';

beforeEach(eg.restart);

/** With the help open, and words typed into it. */
function helping(words: string, ...args: Parameters<typeof chat>) {
  const here = world(chat(...args));
  here.press('f1');
  here.update(typeText(words));
  return here;
}

type Here = ReturnType<typeof world>;
const rows = (here: Here) => selectPalette(here.state());
const ids = (here: Here) => rows(here).map(({ command }) => command.id);
const row = (here: Here, id: string) => rows(here).find(({ command }) => command.id === id);

describe('over a dialog', () => {
  test('opens, and Esc goes back to the dialog', () => {
    const here = world(chat({ focus: 'messages' }));
    here.press('k', 'enter', 'f1');
    expect(topOverlay(here.state())?.kind).toBe('help');
    here.press('escape');
    expect(topOverlay(here.state())?.kind).toBe('menu');
  });

  test('runs the keys of the dialog in it, and leaves it for other commands', () => {
    const inDialog = world(chat({ focus: 'messages' }));
    inDialog.press('alt+,', 'f1');
    inDialog.update(typeText('Back to the default'));
    expect(row(inDialog, 'settings.reset')).toMatchObject({ reason: null });
    const elsewhere = world(chat({ focus: 'messages' }));
    elsewhere.press('k', 'enter', 'f1');
    elsewhere.update(typeText('newest message'));
    elsewhere.press(...Array<string>(ids(elsewhere).indexOf('message.last')).fill('down'), 'enter');
    expect(elsewhere.state().screen.overlays).toEqual([]);
  });
});

describe('the rows', () => {
  test('list commands that can run before others that match equally well', () => {
    const here = world(chat({ focus: 'list', openId: null }));
    here.press('f1');
    for (const letter of 'qu') here.press(letter);
    const found = rows(here);
    const levels = [...new Set(found.map(({ level }) => level))];
    for (const level of levels) {
      const canRun = found.filter((one) => one.level === level).map(({ reason }) => reason === null);
      expect(canRun).toEqual([...canRun].sort((a, b) => Number(b) - Number(a)));
    }
    expect(found.some(({ reason }) => reason !== null)).toBe(true);
  });

  test('contain all commands once, those of the pane first', () => {
    for (const [focus, group] of [
      ['composer', 'Composer'],
      ['list', 'Conversations'],
      ['messages', 'Messages'],
    ] as const) {
      const here = helping('', { focus });
      expect(ids(here).toSorted()).toEqual(commands.map(({ id }) => id).toSorted());
      expect(rows(here)[0]?.group).toBe(group);
    }
  });

  test.each([
    ['by a key as it is shown', 'Ctrl-K', 'goto.open'],
    ['by a key as it is written in the file', 'ctrl+k', 'goto.open'],
    ['by its id', 'server.poll', 'server.poll'],
    ['by its slash name', '/poll', 'server.poll'],
    ['by its title', 'ask the server', 'server.poll'],
    ['by words in any order', 'pane previous', 'focus.previous'],
  ])('are found %s', (_, words, id) => {
    expect(ids(helping(words))[0]).toBe(id);
  });

  test('list the command that works where the keyboard was first, of equal matches', () => {
    expect(ids(helping('pin', { focus: 'list' }))[0]).toBe('conversation.pin');
  });

  test('say why a command cannot run, and which keys belong to dialogs only', () => {
    const here = helping('');
    expect(row(here, 'unsure.resend')?.reason).toBe('Only in a dialog');
    expect(row(here, 'conversation.other')?.reason).toBe('No other conversation has been open yet');
    expect(row(here, 'app.quit')?.reason).toBe(null);
  });

  test('show only keys that arrive in this terminal and run the command', () => {
    const here = helping('');
    expect(row(here, 'unread.next')?.keys).toBe('Alt-a / Alt-Shift-↓');
    here.update((state) => ({
      ...state,
      settings: { ...state.settings, keys: { ...state.settings.keys, bind: { 'app.quit': ['ctrl+k'] } } },
      screen: { ...state.screen, lostKeys: new Set(['alt+a']) },
    }));
    expect(row(here, 'unread.next')?.keys).toBe('Alt-Shift-↓');
    expect([row(here, 'app.quit')?.keys, row(here, 'goto.open')?.keys]).toEqual(['Ctrl-K', '']);
  });

  test('are the same array while nothing changes', () => {
    const here = helping('');
    const before = rows(here);
    here.update((state) => ({ ...state, view: { ...state.view, serverLabel: 'other' } }));
    expect(rows(here)).toBe(before);
  });
});

describe('settings', () => {
  const settingsOverlay = { kind: 'settings', selected: 0, tried: {}, before: {}, remark: null } as const;

  const find = (words: string) => {
    const here = helping('');
    here.update((state) => ({ ...state, settings: { ...state.settings, known: knownSettings } }));
    here.update(typeText(words));
    return here;
  };

  test.each([
    ['theme', 'theme'],
    ['dark', 'theme'],
    ['undo send', 'undo_send_seconds'],
    ['quiet_hours', 'notify.quiet_hours'],
    ['polling eager', 'polling'],
  ])('%s finds %s before everything else', (words, id) => {
    expect(rows(find(words))[0]?.command.setting?.id).toBe(id);
  });

  test('come after the commands that match as well', () => {
    expect(ids(find('mouse')).slice(0, 2)).toEqual(['mouse.toggle', 'settings.open mouse']);
    expect(ids(find('settings'))[0]).toBe('settings.open');
    expect(rows(find('')).filter(({ group }) => group === 'Settings')).toHaveLength(knownSettings.length);
  });

  test('open on the settings screen, each as its first row', () => {
    const here = find('theme');
    here.press('enter');
    expect(here.state().screen.overlays).toMatchObject([{ kind: 'settings', typed: 'theme' }]);
    const entries = knownSettings.map((one) => entry(one));
    for (const { id } of knownSettings) {
      here.update(replaceOverlay({ ...settingsOverlay, typed: id, page: { entries, problem: null } }));
      expect(selectedSetting(topOverlay(here.state()) as SettingsOverlay)?.id).toBe(id);
    }
  });

  test('have no key that could be changed', () => {
    const here = find('theme');
    here.press('f2');
    expect(selectRebind(here.state())).toBe(null);
    expect(here.notice()).toBe('A setting has no key');
  });
});

describe('Enter', () => {
  test('runs the command in its pane, and lists it under Recent from then on', () => {
    const here = helping('ask the server');
    here.press('enter');
    expect(here.calls).toEqual(['poll']);
    expect(here.state().screen.overlays).toEqual([]);
    here.press('f1');
    expect(rows(here)[0]).toMatchObject({ group: 'Recent', command: { id: 'server.poll' } });
    expect(ids(here).filter((id) => id === 'server.poll')).toHaveLength(1);
    here.press('escape', 'ctrl+k');
    here.update(typeText('>'));
    expect(rows(here)[0]).toMatchObject({ group: 'Recent', command: { id: 'server.poll' } });
  });

  test('says why a command cannot run, and the help stays open', () => {
    const here = helping('send it again');
    here.press('enter');
    expect(here.notice()).toBe('Only in a dialog');
    expect(here.state().screen.overlays).toHaveLength(1);
    expect(here.state().local.commandUses.size).toBe(0);
  });
});

describe('F2', () => {
  const asked = (words: string) => {
    const here = helping(words, { focus: 'list' });
    here.press('f2');
    return here;
  };

  test('takes a free key at once', () => {
    const here = asked('server.poll');
    here.press('f9');
    expect(here.calls).toEqual(['saveKeys {"server.poll":["f9"]}']);
    expect(here.state().screen.overlays).toHaveLength(1);
    expect(here.notice()).toBe('F9 now runs "Ask the server now"');
    expect(row(here, 'server.poll')?.keys).toBe('F9');
  });

  test.each([
    ['message.send', 'f9', ['f9', 'enter'], /^F9 now runs "Send.*; so does Enter$/],
    ['layer.back', 'f10', ['f10', 'escape'], /^F10 now runs "Go back one step.*; so does Esc$/],
  ])('leaves %s its one meaning', (id, key, keys, said) => {
    const here = asked(id);
    here.press(key);
    expect(here.calls).toEqual([`saveKeys ${JSON.stringify({ [id]: keys })}`]);
    expect(here.notice()).toMatch(said);
  });

  test('shows other meanings first; Enter then takes the key from them, and not at once', () => {
    const here = asked('server.poll');
    here.press('ctrl+k');
    expect(selectRebind(here.state())?.pressed?.conflicts).toEqual([
      { id: 'goto.open', text: expect.stringMatching(/^Ctrl-K is "Go to a conversation.*" in every pane$/) },
    ]);
    here.press('enter');
    expect(here.calls).toEqual([]);
    here.wait(500);
    here.press('enter');
    expect(here.calls).toEqual(['saveKeys {"goto.open":[],"server.poll":["ctrl+k"]}']);
  });

  test('keeps the other keys of a command, and ignores a key of a pane that cannot be active at the same time', () => {
    const here = asked('server.poll');
    here.press('?');
    here.wait(500);
    here.press('enter');
    expect(here.calls).toEqual(['saveKeys {"help.open":["f1"],"server.poll":["?"]}']);
    const inList = asked('conversation.pin');
    inList.press('ctrl+b');
    expect(inList.calls).toEqual(['saveKeys {"conversation.pin":["ctrl+b"]}']);
  });

  test('shows in the footer what Esc does in the dialog', () => {
    const hintsOf = createHintSelector(createKeymap(commands));
    expect(hintsOf(asked('server.poll').state())).toContainEqual(
      expect.objectContaining({ label: 'Esc', title: 'cancel' }),
    );
  });

  test.each([['escape'], ['ctrl+c']])('is cancelled by %s', (key) => {
    const here = asked('server.poll');
    here.press('ctrl+k', key);
    expect(here.calls).toEqual([]);
    expect(selectRebind(here.state())).toBe(null);
    expect(here.state().screen.overlays).toHaveLength(1);
  });

  test('with Delete restores the default key', () => {
    const here = asked('server.poll');
    here.press('delete');
    expect(here.calls).toEqual(['saveKeys {"server.poll":null}']);
  });

  test('with Delete names the command that has the default key by now, and takes it from there after Enter', () => {
    const here = asked('goto.open');
    here.update((state) => ({
      ...state,
      settings: {
        ...state.settings,
        keys: { ...state.settings.keys, bind: { 'goto.open': [], 'server.poll': ['ctrl+k', 'f9'] } },
      },
    }));
    here.press('delete');
    expect(here.calls).toEqual([]);
    expect(selectRebind(here.state())?.pressed?.conflicts).toMatchObject([{ id: 'server.poll' }]);
    here.wait(500);
    here.press('enter');
    expect(here.calls).toEqual(['saveKeys {"server.poll":["f9"],"goto.open":null}']);
  });

  test('gives the reason for keys that cannot be taken', () => {
    const here = asked('message.send');
    here.press('x');
    expect(selectRebind(here.state())?.pressed?.refusal).toMatch(/^x is text where this command works/);
    here.press('tab');
    expect(selectRebind(here.state())?.pressed?.refusal).toBe('Tab keeps its meaning everywhere');
    here.wait(500);
    here.press('enter');
    expect(here.calls).toEqual([]);
    const digits = asked('conversation.nth');
    expect(selectRebind(digits.state())).toBe(null);
    expect(digits.notice()).toContain('config.toml');
  });

  test('takes no key from a command whose keys choose numbers', () => {
    const here = asked('server.poll');
    here.press('alt+1');
    expect(selectRebind(here.state())?.pressed).toMatchObject({
      refusal: expect.stringMatching(/^Alt-1 stays with conversation\.nth, .* in config\.toml$/),
      conflicts: [],
    });
    here.wait(500);
    here.press('enter');
    expect(here.calls).toEqual([]);
  });

  test('reports what the disk refuses', () => {
    const here = asked('server.poll');
    here.breakDisk();
    here.press('f9');
    expect(here.notice()).toBe('No space is left');
  });
});
