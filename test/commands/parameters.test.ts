/** The parameters of commands: the same by a key, by the palette and in words. */
import { describe, expect, test } from 'vitest';
import { type Parameter, parseWords, position } from '../../src/commands/parameters.ts';
import { observe } from '../../src/protocol/capabilities.ts';
import { typeText } from '../../src/state/search/edit-field.ts';
import { openSwitcher } from '../../src/state/search/switcher.ts';
import { patchView } from '../../src/state/view/view.ts';
import { chat, keepsTexts, world } from './world.ts';

const capabilities = observe(keepsTexts, 'reactionRule', 'add', 0, 'test');
const places = new Map([['with ann', { scroll: { at: 'bottom' }, selectedId: 'm3' } as const]]);
const inMessages = () => world(chat({ focus: 'messages', places }, { capabilities }));

describe('words', () => {
  const name: Parameter<string> = { expects: 'a name', parse: (word) => word };

  test('become values of the declared types, in the declared order', () => {
    expect(parseWords({ position, name }, ['3', 'tea'])).toEqual({ values: { position: 3, name: 'tea' } });
    expect(parseWords({}, [])).toEqual({ values: {} });
  });

  test('get their defaults when they are left out', () => {
    expect(parseWords({ position }, [])).toEqual({ values: { position: 1 } });
    expect(parseWords({ position, name }, ['3'])).toEqual({ problem: 'The name is missing; give a name' });
  });

  test.each(['0', '-1', '1.5', 'two', '', '1e3', '9999999999'])('%j is not a position', (word) => {
    const said = `${JSON.stringify(word)} is not a position; give a whole number from 1 on`;
    expect(parseWords({ position }, [word])).toEqual({ problem: said });
  });

  test('without a declared parameter are reported', () => {
    expect(parseWords({}, ['now'])).toEqual({ problem: '"now" is one value more than this command takes' });
  });
});

describe('a command', () => {
  test('opens the conversation at a position, by key and in words', () => {
    for (const go of [
      (w: ReturnType<typeof inMessages>) => w.press('alt+2'),
      (w: ReturnType<typeof inMessages>) => w.run('conversation.nth', '2'),
    ]) {
      const w = inMessages();
      go(w);
      expect(w.calls).toEqual(['open "crew"']);
    }
  });

  test('gives a reaction by its name, and opens the picker if none is given', () => {
    const w = inMessages();
    w.run('message.react', 'heart');
    expect(w.actions).toMatchObject([{ kind: 'message.react', messageId: 'm3', name: 'heart' }]);
    w.run('message.react');
    expect(w.state().screen.overlays).toMatchObject([{ kind: 'reaction-picker', messageId: 'm3' }]);
  });

  test('opens the picker with a name that is not an emoji, as it may be mistyped; a name on the message is given', () => {
    const w = inMessages();
    w.run('message.react', 'hart');
    expect([w.actions, w.state().screen.overlays]).toMatchObject([[], [{ kind: 'reaction-picker', typed: 'hart' }]]);
  });

  test('gives a reaction of the user again without the picker, and offers any name that a server may have', () => {
    const w = inMessages();
    w.update((state) => patchView(state, { lastAction: { id: 'message.react', words: ['lgtm'] } }));
    w.run('message.react', 'lgtm');
    expect(w.actions).toMatchObject([{ kind: 'message.react', name: 'lgtm' }]);
    w.run('message.react', 'party.parrot');
    w.press('enter');
    expect(w.actions.at(-1)).toMatchObject({ kind: 'message.react', name: 'party.parrot' });
  });

  test('is not run with an invalid value, nor while it cannot run', () => {
    const w = inMessages();
    w.run('message.react', 'a]');
    expect(w.notice()).toBe('"a]" is not a reaction; give the name of a reaction, such as heart');
    w.run('conversation.nth', '12');
    expect(w.notice()).toBe('The list has no conversation 12');
    w.run('conversation.other');
    expect(w.notice()).toBe('No other conversation has been open yet');
    expect([w.actions, w.calls]).toEqual([[], []]);
  });

  test('of the quick reactions opens the picker in the palette, where no key says which one', () => {
    const w = inMessages();
    w.update((state) => typeText('>then quick ones')(openSwitcher(state)));
    w.press('enter');
    expect(w.actions).toEqual([]);
    expect(w.state().screen.overlays).toMatchObject([{ kind: 'reaction-picker', messageId: 'm3' }]);
  });
});
