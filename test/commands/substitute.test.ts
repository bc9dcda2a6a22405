import { expect, test } from 'vitest';
import { createHintSelector } from '../../src/commands/footer.ts';
import { keymapFor } from '../../src/commands/table.ts';
import { changedLines, parseSubstitution, substitute } from '../../src/state/composer/substitution.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

test('the words are matched literally, and a slash is written as \\/', () => {
  const change = (form: string, text: string): string | null => {
    const substitution = parseSubstitution(form);
    return substitution === null ? 'no form' : substitute(text, substitution);
  };
  expect(change('s/teh/the/', 'teh cat, teh dog')).toBe('the cat, teh dog');
  expect(change('s/teh/the/g', 'teh cat, teh dog')).toBe('the cat, the dog');
  expect(change('s/a.c//', 'abc a.c')).toBe('abc ');
  expect(change('s/a\\/b/c\\\\/', 'a/b')).toBe('c\\');
  expect(change('s/$1/$&/', 'cost $1')).toBe('cost $&');
  expect(change('s/x/y/', 'abc')).toBe(null);
  expect(change('s/teh/the', 'teh cat, teh dog')).toBe('the cat, teh dog');
  for (const other of ['s/a/', 's/a', ' s/a/b/', 's//b/', 's/a/b/c', 'see s/a/b/', 's/a\nb/c/'])
    expect(change(other, 'a'), other).toBe('no form');
});

test('only lines that change are shown, with the words marked', () => {
  const substitution = parseSubstitution('s/nine/ten/');
  expect(changedLines('first\nat nine o\nlast', substitution!)).toEqual({
    before: [
      [
        { text: 'at ', isMarked: false },
        { text: 'nine', isMarked: true },
        { text: ' o', isMarked: false },
      ],
    ],
    after: [
      [
        { text: 'at ', isMarked: false },
        { text: 'ten', isMarked: true },
        { text: ' o', isMarked: false },
      ],
    ],
  });
});

test('Enter asks first; yes edits the last own message and empties the composer', () => {
  const w = world(chat());
  w.type('s/Hi/Hello/');
  w.press('enter');
  expect(w.actions).toEqual([]);
  expect(topOverlay(w.state())).toMatchObject({ kind: 'confirm', id: 'message.substitute', messageId: 'm2' });
  w.wait(1_000);
  w.press('enter');
  expect(w.actions).toMatchObject([{ kind: 'message.edit', messageId: 'm2', base: 'Hi Ann', text: 'Hello Ann' }]);
  expect(w.draft().text).toBe('');
});

test('the footer says what Enter does with such a text', () => {
  const w = world(chat());
  const hintsOf = createHintSelector(keymapFor(w.state().settings.keys));
  const enter = () => hintsOf(w.state()).find(({ label }) => label === 'Enter')?.title;
  w.type('s/Hi/');
  expect(enter()).toBe('send');
  w.type('Hello');
  expect(enter()).toBe('edit last message');
  w.press('alt+u');
  w.type('https://x.test');
  w.press('enter');
  expect(enter()).toBe('send');
});

test('the answer no keeps the draft; without a match a notice says so and nothing is sent', () => {
  const w = world(chat());
  w.type('s/Hi/Hello/');
  w.press('enter', 'escape');
  expect([w.actions, w.draft().text]).toEqual([[], 's/Hi/Hello/']);
  const other = world(chat());
  other.type('s/boat/ship/');
  other.press('enter');
  expect(other.actions).toEqual([]);
  expect(other.notice()).toMatch(/Your last message has no "boat"/);
  other.press('ctrl+u');
  expect(other.notice()).toBeUndefined();
  other.type('s/Hi Ann//');
  other.press('enter');
  expect([other.notice(), other.actions]).toEqual([expect.stringMatching(/^Nothing would be left of/), []]);
});
