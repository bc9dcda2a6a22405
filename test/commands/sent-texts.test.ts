/** Recalling what was sent before. */
import { expect, test } from 'vitest';
import { rememberSent } from '../../src/state/local/sent-texts.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

function withSent(): World {
  const w = world(chat());
  w.update(rememberSent('with bob', 'to Bob', eg.now - 10));
  for (const [index, text] of ['one', 'two', 'three'].entries())
    w.update(rememberSent('with ann', text, eg.now - 100 + index));
  return w;
}

const text = (w: World): string => w.draft().text;

test('Ctrl-P goes back through the sent texts, this conversation first, and the draft comes back after them', () => {
  const w = withSent();
  w.type('half a sen');
  const seen = ['ctrl+p', 'ctrl+p', 'ctrl+p', 'ctrl+p', 'ctrl+p'].map((key) => {
    w.press(key);
    return text(w);
  });
  expect(seen).toEqual(['three', 'two', 'one', 'to Bob', 'to Bob']);
  expect(w.notice()).toBe('No older text is kept');
  w.press('alt+n');
  expect(w.state().screen.notices).toEqual([]);
  w.press('alt+n', 'alt+n', 'alt+n');
  expect(text(w)).toBe('half a sen');
  expect(w.draft().recalled).toBe(undefined);
});

test('sending a recalled text brings back the draft from before', () => {
  const w = withSent();
  w.type('half');
  w.press('ctrl+p', 'enter');
  expect(w.actions).toMatchObject([{ kind: 'message.send', text: 'three' }]);
  expect(text(w)).toBe('half');
  w.press('ctrl+p');
  expect(text(w)).toBe('three');
});

test('a notice says where the draft is that a recalled text replaces, and again when it is back', () => {
  const w = withSent();
  w.type('half');
  w.press('ctrl+p');
  expect(w.notice()).toBe('Your draft is kept: Alt-n goes back to it');
  w.press('ctrl+p', 'ctrl+c');
  w.type('something new');
  w.press('enter');
  expect(w.actions).toMatchObject([{ kind: 'message.send', text: 'something new' }]);
  expect([text(w), w.notice()]).toEqual(['half', 'What you were writing before is back in the composer']);
});

test('a text that begins with a slash is recalled as it was typed, and does not run as a command', () => {
  const w = world(chat());
  w.update(rememberSent('with ann', '/mute 8h', eg.now));
  for (const keys of [['ctrl+p'], ['ctrl+r', 'enter']]) {
    w.press(...keys);
    expect(text(w)).toBe('//mute 8h');
    w.press('enter');
  }
  const sent = { kind: 'message.send', text: '/mute 8h' };
  expect(w.actions).toMatchObject([sent, sent]);
});

test('a recalled text that was changed is not lost when the next one is recalled', () => {
  const w = withSent();
  w.press('ctrl+p');
  w.type(' more');
  w.press('ctrl+p');
  expect(text(w)).toBe('three');
  w.press('alt+n');
  expect(text(w)).toBe('three more');
});

test('each sent text is remembered once, and forgotten with its message', () => {
  const w = world(chat());
  for (const words of ['a', 'b', 'a']) {
    w.type(words);
    w.press('enter');
    w.wait(1);
  }
  expect([...w.state().local.sentTexts.values()].map((one) => one.text)).toEqual(['b', 'a']);
});

test('Ctrl-R finds a text by its words and puts it into the composer', () => {
  const w = withSent();
  w.type('half');
  w.press('ctrl+r');
  w.type('TW');
  w.press('enter');
  expect([text(w), w.draft().recalled?.stash]).toEqual(['two', 'half']);
  w.press('ctrl+r', 'escape');
  expect(text(w)).toBe('two');
});

test('an edit of a message keeps the draft that a recalled text had replaced', () => {
  const w = withSent();
  w.type('half');
  w.press('ctrl+p', 'ctrl+u');
  expect(text(w)).toBe('');
  w.press('alt+n');
  expect(text(w)).toBe('half');
});

test('at most 200 texts are kept, and no very long one', () => {
  const w = world(chat());
  for (let n = 0; n < 205; n++) w.update(rememberSent('with ann', `text ${n}`, eg.now));
  w.update(rememberSent('with ann', 'x'.repeat(4_001), eg.now));
  expect(w.state().local.sentTexts.size).toBe(200);
  expect([...w.state().local.sentTexts.values()].at(-1)?.text).toBe('text 204');
});
