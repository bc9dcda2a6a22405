import { expect, test } from 'vitest';
import { topOverlay } from '../../src/state/view/overlays.ts';
import { chat, world } from './world.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n');

test('a paste of 50 lines, or of 8,000 characters, is sent after a question only', () => {
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

test('no keeps the text', () => {
  const w = world(chat());
  w.paste(lines(60));
  w.press('enter');
  w.wait(1_000);
  w.press('n');
  expect([w.actions, w.draft().text]).toEqual([[], lines(60)]);
});

test('what was typed line by line, a shorter paste and what is left of a long one go at once', () => {
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
