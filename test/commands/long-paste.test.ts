import { expect, test } from 'vitest';
import { questionOf } from '../../src/commands/questions.ts';
import { rememberSent } from '../../src/state/local/sent-texts.ts';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { selectMessage } from '../../src/state/view/thread-place.ts';
import { setFocus } from '../../src/state/view/view.ts';
import * as eg from '../support/builders/eg.ts';
import { chat, type World, world } from './world.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n');

function questionTitle(w: World): string | undefined {
  const asked = topOverlay(w.state());
  const title = asked?.kind === 'confirm' ? questionOf(asked)?.title : undefined;
  return asked?.kind === 'confirm' && typeof title === 'function' ? title(w.state(), asked) : undefined;
}

test('a paste of 50 lines, or of 8,000 characters, is sent only after a question', () => {
  for (const text of [lines(50), 'x'.repeat(8_000)]) {
    const w = world(chat());
    w.paste(text);
    w.press('enter');
    expect(w.actions).toEqual([]);
    expect(topOverlay(w.state())).toMatchObject({ kind: 'confirm', id: 'message.sendLong' });
    w.wait(1_000);
    w.press('y');
    expect(w.actions).toMatchObject([{ kind: 'message.send', text }]);
    expect(w.draft().text).toBe('');
  }
});

test('a long paste that begins with two slashes is asked about, too, and goes without the second one', () => {
  const w = world(chat());
  w.paste(`//note\n${lines(60)}`);
  w.press('enter');
  expect(w.actions).toEqual([]);
  w.wait(1_000);
  w.press('y');
  expect(w.actions).toMatchObject([{ kind: 'message.send', text: `/note\n${lines(60)}` }]);
});

test('a long paste into a message that is edited is asked about, too', () => {
  const w = world(chat());
  w.update((state) => setFocus('messages')(selectMessage('with ann', 'm2')(state)));
  w.press('e');
  w.paste(lines(60));
  w.press('enter');
  expect(w.actions).toEqual([]);
  expect(questionTitle(w)).toBe('Save 60 lines as the new text of the message?');
  w.wait(1_000);
  w.press('y');
  expect(w.actions).toMatchObject([{ kind: 'message.edit' }]);
});

test('the question counts the lines that are sent, without the line break at the end', () => {
  const w = world(chat());
  w.paste(`${lines(60)}\n`);
  w.press('enter');
  expect(questionTitle(w)).toBe('Send 60 lines as one message?');
});

test('the answer no keeps the text in the composer', () => {
  const w = world(chat());
  w.paste(lines(60));
  w.press('enter');
  w.wait(1_000);
  w.press('n');
  expect([w.actions, w.draft().text]).toEqual([[], lines(60)]);
});

test('typed lines, a shorter paste and the rest of a long paste are sent at once', () => {
  const typed = world(chat());
  for (let n = 0; n < 60; n++) {
    typed.type('x');
    typed.press('alt+enter');
  }
  typed.press('enter');
  const short = world(chat());
  short.paste(lines(49));
  short.press('enter');
  const rest = world(chat());
  rest.paste(lines(60));
  rest.press('ctrl+c');
  rest.type('short');
  rest.press('enter');
  for (const w of [typed, short, rest]) expect(w.actions.length).toBe(1);
});

test.each<[string, (w: World) => void]>([
  [
    'an edit that Esc ends',
    (w) => {
      w.update((state) => setFocus('messages')(selectMessage('with ann', 'm2')(state)));
      w.press('e', 'escape');
    },
  ],
  ['a recalled text that is sent', (w) => w.press('ctrl+p', 'enter')],
])('a long paste that comes back after %s is asked about nevertheless', (_, leaveAndComeBack) => {
  const w = world(rememberSent('with bob', 'to Bob', eg.now - 10)(chat()));
  w.paste(lines(60));
  leaveAndComeBack(w);
  const sent = w.actions.length;
  expect(w.draft().text).toBe(lines(60));
  w.press('enter');
  expect([w.actions.length, topOverlay(w.state())]).toMatchObject([sent, { kind: 'confirm', id: 'message.sendLong' }]);
});
