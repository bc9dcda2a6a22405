/** Lines that come at once in a terminal that marks no pastes. */
import { expect, test } from 'vitest';
import { Decoder } from '../../src/terminal/decoder.ts';
import { fakeTimers } from '../support/clocks/fake-timers.ts';

const attributes = '\x1b[?1;2c';

/** What the chunks are decoded to in a terminal that answers only DA1; a number is a pause in milliseconds. */
const decoded = (...chunks: readonly (string | number)[]): string[] => decodedAfter(attributes, ...chunks);

/** What the chunks are decoded to after the answers of the terminal. */
const decodedAfter = (answers: string, ...chunks: readonly (string | number)[]): string[] =>
  decodedIn({ isTmux: false }, answers, ...chunks);

function decodedIn(
  { isTmux }: { isTmux: boolean },
  answers: string,
  ...chunks: readonly (string | number)[]
): string[] {
  const events: string[] = [];
  const clock = fakeTimers();
  const decoder = new Decoder({
    onEvent: (event) => {
      if (event.type === 'key') events.push(event.key);
      if (event.type === 'paste') events.push(`${event.isGuessed ? 'guessed' : 'paste'}:${event.text}`);
    },
    isTmux,
    timers: clock,
  });
  decoder.push(Buffer.from(answers));
  for (const chunk of chunks) {
    if (typeof chunk === 'number') clock.advance(chunk);
    else decoder.push(Buffer.from(chunk));
  }
  clock.advance(10_000);
  return events;
}

test('Enter between two texts of one chunk is a line end, at the end of a word it is the key', () => {
  expect(decoded('one\rtwo\r')).toEqual(['guessed:one\ntwo\n']);
  expect(decoded('one\r\n\r\n  two')).toEqual(['guessed:one\n\n  two']);
  expect(decoded('ok\r')).toEqual(['o', 'k', 'enter']);
  expect(decoded('\rok')).toEqual(['enter', 'o', 'k']);
  expect(decoded('\r\r')).toEqual(['enter', 'enter']);
  expect(decoded('ok\r', 'so\r')).toEqual(['o', 'k', 'enter', 's', 'o', 'enter']);
});

test('what follows at once belongs to the lines, also a single character and half of one', () => {
  expect(decoded('one\rtwo\r', 't', 'hr\u00e9e\r', 30, 'x')).toEqual(['guessed:one\ntwo\nthr\u00e9e\n', 'x']);
});

test('a chunk with other keys is typed, and ends the lines before it', () => {
  expect(decoded('ab\x7f\rc')).toEqual(['a', 'b', 'backspace', 'enter', 'c']);
  expect(decoded('a\rb', '\x1b[A')).toEqual(['guessed:a\nb', 'up']);
  expect(decoded('a\x1b\rb')).toEqual(['a', 'alt+enter', 'b']);
});

test('Escape before the lines changes nothing', () => {
  expect(decoded('\x1b', 100, 'a\rb')).toEqual(['escape', 'guessed:a\nb']);
  expect(decoded('\x1b', 100, '[200~a\rb\x1b[201~')).toEqual(['escape', 'paste:a\nb']);
});

test('a marked paste shows that nothing has to be guessed from then on', () => {
  expect(decoded('\x1b[200~a\rb\x1b[201~', 100, 'c\rd')).toEqual(['paste:a\nb', 'c', 'enter', 'd']);
});

test('a terminal that answers more than DA1 marks its pastes, and GNU screen does not', () => {
  const typed = ['a', 'enter', 'b'];
  expect(decodedAfter('', 'a\rb')).toEqual(typed);
  expect(decodedAfter(`\x1bP>|foot(1.20.2)\x1b\\${attributes}`, 'a\rb')).toEqual(typed);
  expect(decodedAfter(`\x1b]11;rgb:0000/0000/0000\x1b\\${attributes}`, 'a\rb')).toEqual(typed);
  expect(decodedAfter(`\x1bP>|screen 5.0\x1b\\${attributes}`, 'a\rb')).toEqual(['guessed:a\nb']);
});

test('in tmux, whose answers tell nothing of the terminal around it, several lines are a paste until a mark has come', () => {
  const answers = `\x1bP>|tmux 3.3a\x1b\\${attributes}`;
  const inTmux = (...chunks: readonly (string | number)[]) => decodedIn({ isTmux: true }, answers, ...chunks);
  expect(inTmux('a\rb\rc\rd\r')).toEqual(['guessed:a\nb\nc\nd\n']);
  expect(inTmux('a\rb\rc\r')).toEqual(['a', 'enter', 'b', 'enter', 'c', 'enter']);
  expect(inTmux('\r\r\r\ra')).toEqual(['enter', 'enter', 'enter', 'enter', 'a']);
  expect(inTmux('\x1b[200~x\ry\x1b[201~', 100, 'a\rb\rc\rd')).toEqual([
    'paste:x\ny',
    ...['a', 'enter', 'b', 'enter', 'c', 'enter', 'd'],
  ]);
});
