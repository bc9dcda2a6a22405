/** A terminal that takes bytes slowly gets the newest screen next, and none of those in between. */
import { expect, test } from 'vitest';
import { LinePace } from '../../src/terminal/line-pace.ts';
import { Screen } from '../../src/terminal/screen.ts';
import type { TtyPort } from '../../src/terminal/tty-port.ts';
import { type Row, span } from '../../src/text/layout/row.ts';
import type { SafeText } from '../../src/text/safe-text.ts';

const columns = 80;
const rows = 24;

function slowTerminal() {
  const written: string[] = [];
  const drains: (() => void)[] = [];
  const port: TtyPort = {
    columns,
    rows,
    write: (bytes: string) => {
      written.push(bytes);
      return false;
    },
    writeSync: (bytes: string) => void written.push(bytes),
    on: ((event: string, run: () => void) => {
      if (event === 'drain') drains.push(run);
      return () => {};
    }) as TtyPort['on'],
  } as TtyPort;
  return { port, written, drain: () => drains.forEach((run) => void run()) };
}

const page = (number: number): Row[] =>
  Array.from({ length: rows - 1 }, (_, y) => [
    span(`page ${number} row ${y} `.padEnd(columns, String(number % 10)) as SafeText),
  ]);

test('after 100 pages and a sentence on a blocked terminal one frame follows, with the last page and the sentence', () => {
  const { port, written, drain } = slowTerminal();
  const screen = new Screen({ tty: port, schedule: (flush) => flush() });
  const thread = screen.addLayer({ rect: { x: 0, y: 0, width: columns, height: rows - 1 }, z: 1 });
  const composer = screen.addLayer({ rect: { x: 0, y: rows - 1, width: columns, height: 1 }, z: 1 });
  screen.enter();
  written.length = 0;
  for (let number = 1; number <= 100; number++) thread.setRows(page(number));
  const sentence = 'the ferry leaves at nine';
  for (let length = 1; length <= sentence.length; length++)
    composer.setRows([[span(sentence.slice(0, length) as SafeText)]]);
  expect(written).toEqual([]);
  drain();
  expect(written).toHaveLength(1);
  expect(written[0]).toContain('page 100 row');
  expect(written[0]).toContain(sentence);
  expect(written[0]).not.toContain('page 99 ');
  expect(Buffer.byteLength(written[0] ?? '')).toBeLessThan(columns * rows + 400);
});

test('while the line carries a page, typed text is sent at once and the newest page after the answer', async () => {
  const { port, written } = slowTerminal();
  const taking = { ...port, write: (bytes: string) => written.push(bytes) > 0 };
  let now = 0;
  const screen = new Screen({ tty: taking, pace: new LinePace(() => now) });
  const thread = screen.addLayer({ rect: { x: 0, y: 0, width: columns, height: rows - 1 }, z: 1 });
  const composer = screen.addLayer({ rect: { x: 0, y: rows - 1, width: columns, height: 1 }, z: 1 });
  const painted = (): Promise<void> => new Promise(setImmediate);
  const answer = (): void => screen.hear(Buffer.from('\x1b[0n'));
  screen.setCursor({ x: 0, y: rows - 1 });
  screen.enter();
  thread.setRows(page(0));
  await painted();
  expect(written.at(-1)).toMatch(/page 0 row[\s\S]*\x1b\[5n$/);
  now = 900;
  answer();
  thread.setRows(page(1));
  await painted();
  written.length = 0;
  for (let number = 2; number <= 9; number++) {
    thread.setRows(page(number));
    await painted();
  }
  composer.setRows([[span('nine' as SafeText)]]);
  screen.setCursor({ x: 4, y: rows - 1 });
  await painted();
  expect(written.join('')).toContain('nine');
  expect(Buffer.byteLength(written.join(''))).toBeLessThan(40);
  written.length = 0;
  answer();
  expect(written).toHaveLength(1);
  expect(written[0]).toContain('9'.repeat(20));
  expect(written[0]).not.toContain('8'.repeat(20));
  expect(written[0]).not.toContain('nine');
  screen.leave();
});
