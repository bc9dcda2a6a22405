import { expect, test } from 'vitest';
import { expandSnippet } from '../../src/state/composer/snippet.ts';
import { pushOverlay, topOverlay } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { setFocus } from '../../src/state/view/view.ts';
import { chat, type World, world } from './world.ts';

const facts = { name: 'Ann', now: new Date(2026, 10, 30, 12), clipboard: null };

function using(snippet: string): World {
  const w = world(chat());
  w.snippets.hi = snippet;
  return w;
}

const selected = (w: World): string => {
  const { text, cursor, anchor } = w.draft();
  return anchor === null ? '' : text.slice(Math.min(anchor, cursor), Math.max(anchor, cursor));
};

test('known fields are filled in, and other braces stay', () => {
  const text = (template: string): string => expandSnippet(template, facts).text;
  expect(text('Dear {name}, {date} {date+2d} {date-1w} {date+1m}')).toBe(
    'Dear Ann, 2026-11-30 2026-12-02 2026-11-23 2026-12-30',
  );
  expect(text('{"a": {b}} {date+x} {}')).toBe('{"a": {b}} {date+x} {}');
  expect(expandSnippet('see {clipboard}', facts)).toMatchObject({ text: 'see ', lacksClipboard: true });
});

test('a date some months or years later is the last day of a month that is too short for it', () => {
  const on = (now: Date, template: string): string => expandSnippet(template, { ...facts, now }).text;
  expect(on(new Date(2026, 0, 31, 12), '{date+1m} {date+3m} {date-2m} {date+13m}')).toBe(
    '2026-02-28 2026-04-30 2025-11-30 2027-02-28',
  );
  expect(on(new Date(2028, 1, 29, 12), '{date+1y} {date-4y}')).toBe('2029-02-28 2024-02-29');
});

test(';name and Tab insert the snippet at the cursor, as one undo step', () => {
  const w = using('Hello {name}!');
  w.type('well ;hi');
  w.press('tab');
  expect(w.draft().text).toBe('well Hello ann!');
  expect(w.state().screen.focus).toBe('composer');
  w.press('ctrl+_');
  expect(w.draft().text).toBe('well ;hi');
});

test('Tab goes through the placeholders, typing replaces their text, and after the last one Tab moves the focus again', () => {
  const w = using('{2:what} at {1:when}.{cursor}\nBye');
  w.type(';hi');
  w.press('tab');
  expect(selected(w)).toBe('when');
  w.type('nine o’clock');
  w.press('tab');
  expect(selected(w)).toBe('what');
  w.type('Tea');
  w.press('tab');
  expect(w.draft().text).toBe('Tea at nine o’clock.\nBye');
  expect(w.draft().cursor).toBe('Tea at nine o’clock.'.length);
  w.press('tab');
  expect(w.state().screen.focus).not.toBe('composer');
});

test('a list of names that is open in a placeholder has its keys, and then Tab goes to the next placeholder', () => {
  const w = using('{1:who} and {2:what}');
  w.type(';hi');
  w.press('tab');
  w.type('@an');
  w.press('down', 'enter');
  expect([w.draft().text, w.actions]).toEqual(['@ann and what', []]);
  w.press('tab');
  expect(selected(w)).toBe('what');
  w.type(':thu');
  w.press('escape', 'tab');
  expect([w.draft().text, w.state().view.completion?.isClosed]).toEqual(['@ann and :thu', true]);
  const first = using('{1:who} and {2:what}');
  first.type(';hi');
  first.press('tab');
  first.type('@bo');
  first.press('tab', 'tab');
  expect([first.draft().text, selected(first)]).toEqual(['@bob and what', 'what']);
});

test('an unknown name gives a notice and moves nothing; a word without the semicolon does not use Tab', () => {
  const w = using('x');
  w.type(';no');
  w.press('tab');
  expect([w.draft().text, w.notice(), w.state().screen.focus]).toEqual([';no', 'No no', 'composer']);
  const other = using('x');
  other.type('a;hi');
  other.press('tab');
  expect(other.state().screen.focus).not.toBe('composer');
});

test('{clipboard} is the text that was copied or pasted last in the program, but never a token', () => {
  const w = using('see {clipboard}');
  w.paste('https://x.test');
  w.press('ctrl+u');
  w.update(pushOverlay({ kind: 'token', typed: '' }));
  w.paste('secret');
  w.press('escape');
  w.type(';hi');
  w.press('tab');
  expect(w.draft().text).toBe('see https://x.test');
  w.press('ctrl+u');
  w.update(setFocus('messages'));
  w.update(selectMessage('with ann', 'm3'));
  w.press('y');
  w.update(setFocus('composer'));
  w.type(';hi');
  w.press('tab');
  expect(w.draft().text).toBe('see noon?');
});

test('a message is saved as a snippet under a name', () => {
  const w = world(chat({ focus: 'messages' }));
  w.press('k', 'enter');
  w.press('escape');
  w.run('message.saveSnippet');
  w.type('ferry');
  w.press('enter');
  expect(Object.keys(w.snippets)).toEqual(['ferry']);
  expect(w.notice()).toBe('Saved as ;ferry');
});

test('the prompt opens again after a name that cannot be used', () => {
  const w = world(chat({ focus: 'messages' }));
  w.snippets.ferry = 'at nine';
  w.press('k');
  w.run('message.saveSnippet');
  w.type('ferry');
  w.press('enter');
  expect([w.notice(), w.snippets]).toEqual(['There is a snippet ferry already', { ferry: 'at nine' }]);
  expect(topOverlay(w.state())).toMatchObject({ kind: 'snippet-name', typed: 'ferry' });
});
