/** Pictures that are printed over their cells. The sequence of a picture here is text, which a terminal draws cell by cell. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Screen } from '../../../src/terminal/screen.ts';
import { type PrintedPicture, padRow, type Row, span, withTarget } from '../../../src/text/layout/row.ts';
import type { SafeText } from '../../../src/text/safe-text.ts';
import { createHeadless } from '../../support/terminals/headless.ts';

const text = (letters: string): Row => [span(letters as SafeText)];

/** Draws `sign` in all of its cells. */
const pictureOf = (sign: string, columns: number, rows: number): PrintedPicture => ({
  columns,
  rows,
  sequence: Array(rows).fill(sign.repeat(columns)).join(`\x1b[${columns}D\x1b[B`),
});

/** The rows of a picture, with a letter in each cell for when it cannot be printed, in spans of two columns. */
const rowsFor = (picture: PrintedPicture, fallback: string): readonly Row[] =>
  Array.from({ length: picture.rows }, (_, row) =>
    Array.from({ length: Math.ceil(picture.columns / 2) }, (_, i) => {
      const width = Math.min(2, picture.columns - i * 2);
      return { ...span(fallback.repeat(width) as SafeText), picture: { picture, row, column: i * 2 } };
    }),
  );

function start(columns = 20, rows = 8) {
  const tty = createHeadless(columns, rows);
  let timers: (() => void)[] = [];
  const screen = new Screen({
    tty,
    schedule: () => {},
    later: (_, callback) => {
      timers.push(callback);
      return () => {
        timers = timers.filter((one) => one !== callback);
      };
    },
  });
  const thread = screen.addLayer({ rect: { x: 2, y: 0, width: columns - 2, height: rows }, z: 1 });
  screen.enter();
  screen.flush();
  const show = async (): Promise<string[]> => {
    screen.flush();
    await tty.settled();
    return tty.text();
  };
  return {
    tty,
    screen,
    thread,
    show,
    /** Nothing moves for a while. */
    rest: () => {
      for (const timer of timers.splice(0)) timer();
      return show();
    },
    timers: () => timers.length,
    printed: (picture: PrintedPicture) => tty.chunks.join('').split(picture.sequence).length - 1,
  };
}

const flag = pictureOf('#', 4, 3);
const cells = rowsFor(flag, 'h');

describe('a picture', () => {
  test('is drawn with the text of its cells at first, and printed when it no longer moves', async () => {
    const s = start();
    s.thread.setRows([text('one'), ...cells, text('two')]);
    expect(await s.show()).toEqual(['  one', '  hhhh', '  hhhh', '  hhhh', '  two', '', '', '']);
    expect(await s.rest()).toEqual(['  one', '  ####', '  ####', '  ####', '  two', '', '', '']);
    expect([s.printed(flag), s.timers()]).toEqual([1, 0]);
  });

  test('stays, and is not sent again, while other rows and other columns change', async () => {
    const s = start();
    const list = s.screen.addLayer({ rect: { x: 0, y: 0, width: 2, height: 8 }, z: 1 });
    s.thread.setRows([text('one'), ...cells]);
    await s.show();
    await s.rest();
    s.thread.setRows([text('two'), ...cells]);
    list.setRows([text('a'), text('b')]);
    expect(await s.show()).toEqual(['a two', 'b ####', '  ####', '  ####', '', '', '', '']);
    s.thread.setRows([text('two'), ...rowsFor(flag, 'h').map((row) => withTarget(row, { kind: 'command', id: 'x' }))]);
    await s.rest();
    expect([s.printed(flag), s.timers()]).toEqual([1, 0]);
  });

  test('is printed again at once if something was drawn over it', async () => {
    const s = start();
    const sides = (left: string, right: string) => cells.map((row): Row => [...text(left), ...row, ...text(right)]);
    s.thread.setRows(sides('a', 'a'));
    await s.show();
    await s.rest();
    s.thread.setRows(sides('b', 'b'));
    expect((await s.show()).slice(0, 3)).toEqual(Array(3).fill('  b####b'));
    expect(s.printed(flag)).toBe(2);
  });

  test('moves with its rows, also if the text of a row stays the same, and is not sent while they move', async () => {
    const s = start();
    s.thread.setRows([text('one'), ...cells]);
    await s.show();
    await s.rest();
    s.thread.setRows(cells);
    expect(await s.show()).toEqual(['  hhhh', '  hhhh', '  hhhh', '', '', '', '', '']);
    s.thread.setRows([text('one'), text('two'), ...cells]);
    expect(await s.show()).toEqual(['  one', '  two', '  hhhh', '  hhhh', '  hhhh', '', '', '']);
    expect([s.printed(flag), s.timers()]).toEqual([1, 1]);
    expect(await s.rest()).toEqual(['  one', '  two', '  ####', '  ####', '  ####', '', '', '']);
  });

  test('is removed as soon as one of its rows is not on the screen, or it reaches the last row', async () => {
    const s = start(20, 5);
    s.thread.setRows([text('one'), ...cells]);
    await s.show();
    await s.rest();
    s.thread.setRows([...cells.slice(1), text('one')]);
    await s.show();
    expect(await s.rest()).toEqual(['  hhhh', '  hhhh', '  one', '', '']);
    s.thread.setRows([text('one'), text('two'), ...cells]);
    await s.show();
    expect(await s.rest()).toEqual(['  one', '  two', '  hhhh', '  hhhh', '  hhhh']);
  });

  test('is not printed while a layer covers any part of it, and is printed again after that', async () => {
    const s = start();
    s.thread.setRows(cells);
    await s.show();
    await s.rest();
    const overlay = s.screen.addLayer({ rect: { x: 5, y: 2, width: 6, height: 2 }, z: 2 });
    overlay.setRows([text('?'), text('!')]);
    await s.show();
    expect(await s.rest()).toEqual(['  hhhh', '  hhhh', '  hhh?', '     !', '', '', '', '']);
    overlay.remove();
    await s.show();
    expect((await s.rest()).slice(0, 4)).toEqual(['  ####', '  ####', '  ####', '']);
  });

  test('is printed again after a redraw, at another size, and after the program was suspended', async () => {
    const s = start();
    s.thread.setRows(cells);
    await s.show();
    await s.rest();
    s.tty.terminal.write('\x1b[2J');
    s.screen.redraw();
    await s.show();
    expect((await s.rest()).slice(0, 3)).toEqual(Array(3).fill('  ####'));
    s.tty.resize(18, 7);
    await s.show();
    expect((await s.rest()).slice(0, 3)).toEqual(Array(3).fill('  ####'));
    s.screen.leave();
    s.screen.enter();
    await s.show();
    expect((await s.rest()).slice(0, 3)).toEqual(Array(3).fill('  ####'));
    expect(s.printed(flag)).toBe(4);
  });
});

test('is shown after any changes as on a screen that is drawn anew', async () => {
  const pictures = [pictureOf('#', 4, 3), pictureOf('%', 3, 2)] as const;
  const parts = [rowsFor(pictures[0], 'h'), rowsFor(pictures[1], 'k'), [text('word')], [text('')]] as const;
  const step = fc.record({
    items: fc.array(fc.constantFrom(...parts), { maxLength: 4 }),
    skipped: fc.nat(3),
    covered: fc.option(
      fc.record({ x: fc.nat(8), y: fc.nat(6), width: fc.integer({ min: 1, max: 4 }), height: fc.constant(1) }),
    ),
    isAtRest: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const s = start(12, 8);
      const play = async (on: typeof s, { items, skipped, covered }: (typeof steps)[number]) => {
        on.thread.setRows(
          items
            .flat()
            .slice(skipped)
            .map((row) => padRow(row, 10)),
        );
        const cover = covered && on.screen.addLayer({ rect: covered, z: 2 });
        cover?.setRows([text('????')]);
        await on.show();
        return cover;
      };
      let cover: Awaited<ReturnType<typeof play>> = null;
      for (const one of steps) {
        cover?.remove();
        cover = await play(s, one);
        if (one.isAtRest) await s.rest();
      }
      const fresh = start(12, 8);
      const last = steps.at(-1);
      if (last !== undefined) await play(fresh, last);
      expect(await s.rest()).toEqual(await fresh.rest());
    }),
    { numRuns: 60 },
  );
});
