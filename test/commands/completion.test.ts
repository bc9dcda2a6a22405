/** Names, emoji and commands that the composer offers for the word that is being typed. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createHintSelector } from '../../src/commands/footer.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import { withEntries } from '../../src/state/collections/sharded-map.ts';
import { setName } from '../../src/state/local/own-names.ts';
import { noteUse } from '../../src/state/local/uses.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { likelyPeople, type PeopleFound, peopleSearch, searchPeople } from '../../src/state/search/completion.ts';
import { selectCompletion } from '../../src/state/view/composer.ts';
import * as match from '../../src/text/search/match.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

vi.mock('../../src/text/search/match.ts', { spy: true });

const labels = (w: World) => selectCompletion(w.state())?.rows.map(({ label }) => label) ?? null;

function typed(text: string, w = world(chat())): World {
  w.type(text);
  return w;
}

describe('completion of people', () => {
  test('offers those of the conversation first, and not the user', () => {
    expect(labels(typed('@'))).toEqual(['@ann', '@bob']);
    expect(labels(typed('@b'))).toEqual(['@bob']);
    expect(labels(typed('@me'))).toBe(null);
  });

  test('finds people by the name that the user gave, and inserts the name that others know', () => {
    const w = world(setName({ kind: 'contact', id: 'bob' }, 'Élan Quist')(chat()));
    w.type('hi @elan');
    expect(selectCompletion(w.state())?.rows).toEqual([{ text: '@bob ', label: '@bob', note: 'Élan Quist' }]);
    w.press('tab');
    expect(w.draft().text).toBe('hi @bob ');
    w.type('@qui');
    expect(labels(w)).toEqual(['@bob']);
  });

  test('does not match letters in the middle of a name', () => {
    expect(labels(typed('@ob'))).toBe(null);
    expect(labels(typed('@nn'))).toBe(null);
  });

  describe('in a large contact book', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => eg.contact({ id: `p${i}`, username: `person${i}` }));
    const state = chat();
    const contacts = withEntries(
      state.cache.contacts,
      many.map((one) => [one.id, one] as const),
    );
    const large = { ...state, cache: { ...state.cache, contacts } };

    test('a key searches only the likely people', () => {
      const w = world(large);
      vi.mocked(match.matchLevel).mockClear();
      w.type('well, see @pers');
      expect(vi.mocked(match.matchLevel).mock.calls.length).toBeLessThan(50);
      w.type(' and then some words');
      expect(vi.mocked(match.matchLevel).mock.calls.length).toBeLessThan(50);
    });

    test('the others are searched in parts, and are added to the list', () => {
      const w = world(large);
      w.type('@person9999');
      expect(labels(w)).toBe(null);
      expect(peopleSearch.wanted(w.state())).not.toBe(null);
      w.press('tab', 'down');
      expect(w.state().screen.focus).toBe('composer');
      expect(w.notice()).toContain('Still searching');
      let last: PeopleFound | undefined;
      for (const part of searchPeople(w.state(), '@person9999')) last = part;
      w.update(last === undefined ? (state) => state : peopleSearch.publish(last));
      expect(labels(w)).toContain('@person9999');
    });

    test('a late result changes no chosen row and no other word', () => {
      const w = world(large);
      const { sources } = likelyPeople(w.state(), '@b');
      const late: PeopleFound = { typed: '@b', rows: [{ text: 'x', label: 'x', note: '' }], isDone: true, sources };
      w.type('@b');
      w.press('down');
      expect(peopleSearch.wanted(w.state())).toBe(null);
      w.update(peopleSearch.publish(late));
      expect(labels(w)).toEqual(['@bob']);
      w.type('o');
      w.update(peopleSearch.publish(late));
      expect(labels(w)).toEqual(['@bob']);
    });
  });
});

test('somebody whose username is not known is not offered by the name that the user gave, which nobody else sees', () => {
  const named = setName({ kind: 'contact', id: 'bob' }, 'Nagging Bob')(chat());
  expect(labels(typed('hi @nag', world(named)))).toEqual(['@bob']);
  const contacts = new Map(named.cache.contacts).set('bob', eg.contact({ id: 'bob', username: null }));
  for (const known of [contacts, new Map()]) {
    const w = typed('hi @nag', world({ ...named, cache: { ...named.cache, contacts: known } }));
    expect(labels(w)).toBeNull();
  }
});

describe('a name that is loaded later from the network', () => {
  const eve = eg.contact({ id: 'eve', username: 'eve' });
  const withEve = (state: AppState): AppState => ({
    ...state,
    cache: { ...state.cache, contacts: withEntries(state.cache.contacts, [['eve', eve]]) },
  });
  /** What the search does, which follows the state. */
  function search(w: World): void {
    expect(peopleSearch.wanted(w.state())).not.toBe(null);
    const parts = searchPeople(w.state(), '@e');
    let part = parts.next();
    while (part.done !== true) part = parts.next();
    w.update(peopleSearch.publish(part.value));
    expect(peopleSearch.wanted(w.state())).toBe(null);
  }

  test('comes into the list of a word for which nobody was found', () => {
    const w = typed('see @e');
    expect([labels(w), peopleSearch.wanted(w.state())]).toEqual([null, null]);
    w.update(withEve);
    search(w);
    expect(labels(w)).toEqual(['@eve']);
    w.press('tab');
    expect(w.draft().text).toBe('see @eve ');
  });

  test('comes into a list that is open, and does not open a list that was closed', () => {
    const w = typed('see @e', world(setName({ kind: 'contact', id: 'bob' }, 'Ewan')(chat())));
    expect(labels(w)).toEqual(['@bob']);
    w.update(withEve);
    search(w);
    expect(labels(w)).toEqual(['@bob', '@eve']);
    w.press('escape');
    w.update(setName({ kind: 'contact', id: 'eve' }, 'Eva'));
    expect(peopleSearch.wanted(w.state())).toBe(null);
  });

  test('until it comes, keys do not go to the list', () => {
    const w = typed('see @e');
    w.press('tab');
    expect(w.state().screen.focus).not.toBe('composer');
  });
});

describe('keys', () => {
  test('Tab takes the first row, as one step of undo', () => {
    const w = typed('see :tad');
    w.press('tab');
    expect(w.draft().text).toBe('see 🎉');
    expect(w.state().screen.focus).toBe('composer');
    w.press('ctrl+_');
    expect(w.draft().text).toBe('see :tad');
  });

  test('Enter sends if no row was chosen, and inserts the chosen row otherwise', () => {
    const sent = typed('hello @an');
    sent.press('enter');
    expect(sent.actions).toMatchObject([{ kind: 'message.send', text: 'hello @an' }]);
    const taken = typed('@');
    taken.press('down', 'down', 'enter');
    expect(taken.draft().text).toBe('@bob ');
    expect(taken.actions).toEqual([]);
    taken.press('enter');
    expect(taken.actions).toMatchObject([{ kind: 'message.send' }]);
  });

  test('up and down move within the list; up from the first row chooses none', () => {
    const w = typed('@');
    const selected = () => selectCompletion(w.state())?.selected;
    w.press('down', 'down', 'down');
    expect(selected()).toBe(1);
    w.press('up', 'up');
    expect(selected()).toBe(null);
    w.press('up');
    expect(selected()).toBe(1);
    expect(w.state().screen.focus).toBe('composer');
  });

  test('one more letter resets the choice', () => {
    const w = typed('@');
    w.press('down');
    w.type('b');
    expect(selectCompletion(w.state())?.selected).toBe(null);
  });

  test('Esc closes the list for this word and changes nothing else', () => {
    const w = typed('@a');
    w.press('escape');
    w.type('n');
    w.press('backspace');
    expect(labels(w)).toBe(null);
    w.press('tab');
    expect(w.state().screen.focus).not.toBe('composer');
    const next = typed('@a');
    next.press('escape');
    next.type(' @a');
    expect(labels(next)).toEqual(['@ann']);
  });

  test('Ctrl-Space opens the list again, and lists what can be completed if nothing matches', () => {
    const w = typed('@a');
    w.press('escape', 'ctrl+space');
    expect(labels(w)).toEqual(['@ann']);
    const none = typed('hello');
    none.press('ctrl+space');
    expect(none.notice()).toContain('Nothing to complete here');
  });

  test('after a colon alone, the key offers the emoji that were given as reactions, then the quick ones', () => {
    const w = typed(':');
    expect(labels(w)).toBe(null);
    w.update(noteUse('reactionUses', '🏮', eg.now));
    w.update(noteUse('reactionUses', 'tada', eg.now - eg.hour));
    w.press('ctrl+space');
    expect(labels(w)?.slice(0, 4)).toEqual(['🏮 :izakaya_lantern:', '🎉 :tada:', '👍 :+1:', '❤️ :heart:']);
    expect(labels(w)?.filter((label) => label.includes('tada'))).toHaveLength(1);
    w.press('tab');
    expect(w.draft().text).toMatch(/^🏮/);
  });

  test('moving the cursor, pasting or going to another conversation closes the list', () => {
    const moved = typed('@a');
    moved.press('left');
    expect(labels(moved)).toBe(null);
    moved.press('right');
    expect(labels(moved)).toBe(null);
    const pasted = typed('@a');
    pasted.paste('x');
    expect(labels(pasted)).toBe(null);
    const away = typed('@a');
    away.press('alt+2');
    expect(labels(away)).toBe(null);
  });

  test('neither a draft that is opened again nor pasted words open a list', () => {
    const w = world(chat());
    w.paste('@an');
    expect(labels(w)).toBe(null);
    w.paste(':smile:');
    expect(w.draft().text).toBe('@an:smile:');
  });

  test('a blank that is there already is not inserted again', () => {
    const w = typed('@a and more');
    for (let step = 0; step < 9; step++) w.press('left');
    w.type('n');
    w.press('tab');
    expect(w.draft().text).toBe('@ann and more');
  });

  test('the footer names what the keys do', () => {
    const hints = createHintSelector(createKeymap(commands));
    const titles = (w: World) => hints(w.state()).map(({ label, title }) => `${label} ${title}`);
    const w = typed('@a');
    expect(titles(w).slice(0, 3)).toEqual(['Tab complete', 'Esc close', 'Enter send']);
    w.press('down');
    expect(titles(w).slice(0, 3)).toEqual(['Enter take', 'Tab complete', 'Esc close']);
    expect(titles(w)).not.toContain('Enter send');
    w.press('escape');
    expect(titles(w)[0]).toBe('Enter send');
  });
});

test('Esc, moves in the list and letters leave the typed text as it is', () => {
  const words = fc.string({ unit: fc.constantFrom(...'@:/ab sm\\)D1.🎉') });
  const keys = fc.array(fc.constantFrom('escape', 'down', 'up', 'ctrl+space'), { maxLength: 4 });
  fc.assert(
    fc.property(words, keys, words, (before, pressed, after) => {
      // A named emoji has a test of its own.
      fc.pre(!/:[a-z0-9]+:/.test(before + after));
      const w = typed(before);
      // Up in an empty composer leaves it, and down at the end of a text ends where it is.
      if (before !== '') for (const key of pressed) if (key === 'escape' || labels(w) !== null) w.press(key);
      w.press('ctrl+end');
      w.type(after);
      expect(w.draft().text).toBe(before + after);
    }),
  );
});
