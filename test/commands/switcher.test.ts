/** Ctrl-K: going to what was chosen, and the palette made from the one table. */

import { describe, expect, test } from 'vitest';
import { commands, selectPalette } from '../../src/commands/table.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { selectSwitcher } from '../../src/state/search/switcher.ts';
import { selectPlace } from '../../src/state/select/selectors.ts';
import { setScroll } from '../../src/state/view/thread-place.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, world } from './world.ts';

const reading = { at: 'message', messageId: 'm2', line: 1 } as const;

/** With the overlay open and the query typed. */
function asking(query: string, ...args: Parameters<typeof chat>) {
  const here = world(chat(...args));
  here.press('ctrl+k');
  here.update(typeText(query));
  return here;
}

const palette = (here: ReturnType<typeof world>) => selectPalette(here.state());
const reasonFor = (here: ReturnType<typeof world>, id: string) =>
  palette(here).find(({ command }) => command.id === id)?.reason;

describe('Ctrl-K', () => {
  test('opens in every pane, and Esc leaves everything as it was', () => {
    for (const focus of ['list', 'messages', 'composer'] as const) {
      const here = world(chat({ focus }));
      const { view } = here.state();
      here.press('ctrl+k');
      expect(selectSwitcher(here.state())).toMatchObject({ typed: '', selected: 0 });
      here.press('escape');
      expect(here.state().view).toEqual(view);
    }
  });

  test('goes to the chosen conversation, with the focus in the composer', () => {
    const here = asking('', { focus: 'list' });
    here.press('down', 'up', 'enter');
    expect(here.calls).toEqual(['open "crew"']);
    expect(here.state()).toMatchObject({ view: { openId: 'crew' }, screen: { focus: 'composer', overlays: [] } });
    here.press('ctrl+k', 'enter');
    expect(here.state().view.openId).toBe('with ann');
  });

  test('is a jump, from which Alt-< leads back to where the user read', () => {
    const here = asking('bob');
    here.update(setScroll('with ann', reading));
    here.press('enter');
    expect(here.state().view.openId).toBe('with bob');
    here.press('alt+<');
    expect(here.state().view.openId).toBe('with ann');
    expect(selectPlace(here.state(), 'with ann').scroll).toEqual(reading);
  });

  test('is no jump to the conversation that is open', () => {
    const here = asking('ann');
    here.press('enter', 'alt+<');
    expect([here.state().view.openId, here.notice()]).toEqual(['with ann', 'No jump was made yet']);
  });

  test('counts the chosen conversation as used, and not the next one in the list', () => {
    const here = asking('bob');
    here.press('enter');
    here.press('alt+up', 'alt+a');
    here.click({ kind: 'conversation', conversationId: 'crew' });
    expect([...here.state().local.conversationUses.keys()]).toEqual(['with bob', 'crew']);
  });

  test('says when the conversation is gone', () => {
    const here = asking('bob');
    here.update((state) => ({ ...state, cache: { ...state.cache, conversations: new Map() } }));
    here.press('enter');
    expect(here.notice()).toBe('The conversation is gone');
    expect(here.calls).toEqual([]);
  });

  test('does nothing if nothing is found', () => {
    const here = asking('nobody');
    here.press('enter', 'down');
    expect(here.calls).toEqual([]);
    expect(selectSwitcher(here.state())?.typed).toBe('nobody');
  });
});

describe('choosing a person', () => {
  test('opens the conversation with them', () => {
    const here = asking('@bob');
    here.press('enter');
    expect(here.calls).toEqual(['open "with bob"']);
    expect(here.actions).toEqual([]);
  });

  test('starts a conversation if there is none', () => {
    const here = asking('@eve');
    here.update((state) => ({
      ...state,
      cache: { ...state.cache, contacts: new Map(state.cache.contacts).set('eve', eg.contact({ id: 'eve' })) },
    }));
    here.update(typeText('@ev'));
    here.press('enter');
    expect(here.actions).toEqual([{ kind: 'conversation.create', contactId: 'eve', groupId: null }]);
    expect(here.state().screen.overlays).toEqual([]);
    expect(here.notice()).toContain('Starting the conversation');
  });
});

describe('the palette', () => {
  test('has every command of the table that does not belong to a dialog or the filter', () => {
    const shown = new Set(palette(asking('>')).map(({ command }) => command.id));
    const inPanes = commands.filter(({ where }) =>
      where.some((context) => ['always', 'global', 'list', 'messages', 'composer'].includes(context)),
    );
    expect([...shown].sort()).toEqual(inPanes.map(({ id }) => id).sort());
    expect(shown).not.toContain('choice.accept');
  });

  test('finds by title, the best first', () => {
    expect(palette(asking('> find')).map(({ command }) => command.id)[0]).toBe('find.open');
    expect(palette(asking('>no such command'))).toEqual([]);
  });

  test('gives a command the values that are typed after its slash name', () => {
    const here = asking('>name Ann from Work');
    expect(palette(here).map(({ command }) => command.id)).toEqual(['conversation.name']);
    here.press('enter');
    expect([...here.state().local.names.values()]).toContain('Ann from Work');
    const mute = asking('>/mute 8h');
    mute.press('enter');
    expect(mute.actions).toEqual([{ kind: 'conversation.mute', conversationId: 'with ann', value: true }]);
    expect(mute.notice()).toContain('Muted until');
  });

  test('says what is wrong with a value before the command is run', () => {
    const here = asking('>mute soon');
    const wrong = '"soon" is not a duration; give 30m, 8h, 2d, 1w or always';
    expect(reasonFor(here, 'conversation.mute')).toBe(wrong);
    here.press('enter');
    expect([here.notice(), here.actions]).toEqual([wrong, []]);
  });

  test('lists commands of that name before one with a free text, and none twice', () => {
    const ids = (typed: string) => palette(asking(typed)).map(({ command }) => command.id);
    expect(ids('>search sent')).toEqual(['composer.searchSent', 'find.open']);
    expect(ids('>set theme dark')[0]).toBe('settings.set');
    expect(ids('>set theme').length).toBeGreaterThan(1);
    expect(ids('>mute x')).toEqual(['conversation.mute', 'list.view']);
    expect(ids('>mute for').filter((id) => id === 'conversation.mute')).toHaveLength(1);
  });

  test('runs the chosen command in the pane where it applies', () => {
    const here = asking('>redraw');
    here.update(typeText('>draw the screen'));
    here.press('enter');
    expect(here.calls).toEqual(['redraw']);
    expect(here.state()).toMatchObject({ screen: { overlays: [], focus: 'composer' } });
  });

  test('runs the commands of the list on the open conversation', () => {
    const here = asking('>mute', { openId: 'with bob', list: { ...chat().view.list, selectedId: 'crew' } });
    here.press('enter', 'enter');
    expect(here.actions).toEqual([{ kind: 'conversation.mute', conversationId: 'with bob', value: true }]);
    expect(here.state()).toMatchObject({ screen: { overlays: [], focus: 'list' } });
  });

  test('says why a command is not available, until another one runs, and stays open', () => {
    const here = asking('>reply');
    expect(reasonFor(here, 'message.reply')).toBe('Select a message first');
    here.press('enter');
    expect(here.notice()).toBe('Select a message first');
    expect(selectSwitcher(here.state())?.typed).toBe('>reply');
    here.press('escape', 'alt+2');
    expect(here.notice()).toBeUndefined();
    const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm1' } as const]]);
    expect(reasonFor(asking('>', { places }), 'message.reply')).toBe(null);
    expect(reasonFor(asking('>', { openId: null, focus: 'list' }), 'message.send')).toBe('Open a conversation first');
  });

  test('ignores the text in the filter of the list', () => {
    const list = { ...chat().view.list, isFiltering: true as const, filter: 'bo', selectedId: 'with bob' };
    const here = asking('>pin or unpin', { focus: 'list', list });
    here.press('enter');
    expect(here.actions).toEqual([{ kind: 'conversation.pin', conversationId: 'with bob', value: true }]);
  });
});
