/** A long sequence in parts: what else is written does not wait for all of it, and it is ended where it must stop. */
import { expect, test } from 'vitest';
import { LinePace, statusQuestion } from '../../../src/terminal/line-pace.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import type { TtyPort } from '../../../src/terminal/tty-port.ts';
import { span } from '../../../src/text/layout/row.ts';
import type { SafeText } from '../../../src/text/safe-text.ts';

const part = `[${'p'.repeat(1_022)}]`;
const parts = Array.from({ length: 100 }, () => part);
const turns = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise(setImmediate);
};

/** A screen on a line whose answers the test gives; `later` waits for the test, too. */
function onLine() {
  const written: string[] = [];
  const timers: (() => void)[] = [];
  let now = 0;
  const tty = {
    columns: 80,
    rows: 24,
    write: (bytes: string) => written.push(bytes) > 0,
    writeSync: (bytes: string) => void written.push(bytes),
    on: () => () => undefined,
  } as TtyPort;
  const screen = new Screen({
    tty,
    pace: new LinePace(() => now),
    later: (_, callback) => {
      timers.push(callback);
      return () => undefined;
    },
  });
  screen.enter();
  screen.flush();
  const rest = async (ms: number): Promise<void> => {
    now += ms;
    for (const timer of timers.splice(0)) timer();
    await turns();
  };
  const answer = async (ms: number): Promise<void> => {
    now += ms;
    screen.hear(Buffer.from('\x1b[0n'));
    await rest(0);
  };
  const partsWritten = () => written.join('').split(part).length - 1;
  return { screen, written, rest, answer, partsWritten };
}

test('no more is under way than a letter may wait for, and the letter comes before the parts that are left', async () => {
  const { screen, written, rest, answer, partsWritten } = onLine();
  const composer = screen.addLayer({ rect: { x: 0, y: 23, width: 80, height: 1 }, z: 1 });
  const isWhole = screen.parts.write(parts, '(end)');
  await turns();
  expect(partsWritten()).toBe(1);
  // A line of 100 bytes a millisecond, on which the way there and back takes 10 ms.
  await answer(20);
  await rest(20);
  const before = partsWritten();
  expect(before).toBeGreaterThan(2);
  expect(before).toBeLessThan(10);
  composer.setRows([[span('nine' as SafeText)]]);
  await turns();
  expect(written.at(-1)).toContain('nine');
  expect(partsWritten()).toBe(before);
  for (let i = 0; i < 200 && partsWritten() < parts.length; i++) await answer(60);
  expect(await isWhole).toBe(true);
  expect(
    written
      .join('')
      .replaceAll(statusQuestion, '')
      .match(/\[p+\]/g),
  ).toEqual(parts);
  expect(written.join('')).not.toContain('(end)');
});

test('when the terminal is given back the sequence is ended first, and the rest is not written', async () => {
  const { screen, written, answer } = onLine();
  const isWhole = screen.parts.write(parts, '(end)');
  await turns();
  written.length = 0;
  screen.leave();
  expect(written.join('')).toMatch(/^\(end\)\x1b/);
  written.length = 0;
  screen.enter();
  screen.flush();
  await answer(1);
  expect(await isWhole).toBe(false);
  expect(written.join('')).not.toContain('p');
});

test('what begins while another program has the terminal waits, and needs no end', async () => {
  const { screen, rest, answer, partsWritten } = onLine();
  screen.leave();
  void screen.parts.write(parts, '(end)');
  await rest(10);
  expect([partsWritten(), screen.parts.end()]).toEqual([0, '']);
  const isWhole = screen.parts.write([part], '(end)');
  screen.enter();
  screen.flush();
  await answer(1);
  expect([await isWhole, partsWritten()]).toEqual([true, 1]);
});
