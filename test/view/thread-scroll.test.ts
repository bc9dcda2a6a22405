/** The virtual thread against a plain one that lays out everything: the same rows, at the cost of a screenful. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ScrollPlace } from '../../src/state/model/app-state.ts';
import { span } from '../../src/text/layout/row.ts';
import { safe } from '../../src/text/safe-text.ts';
import {
  type Blocks,
  placeFrom,
  reveal,
  rowsBeyond,
  scrollBy,
  topPlace,
  visibleThread,
} from '../../src/view/thread-scroll.ts';

interface Counted extends Blocks {
  readonly asked: () => number;
}

/** One item for each number: that many rows, the first of them decoration. */
function blocksOf(heights: readonly number[], from = 0): Counted {
  let asked = 0;
  const blocks = heights.map((height, i) => ({
    lead: height > 1 ? 1 : 0,
    rows: Array.from({ length: height }, (_, line) => [span(safe`${from + i}.${line}`)]),
  }));
  return {
    items: heights.map((_, i) => ({ id: `m${from + i}` })),
    blockOf(index) {
      asked++;
      return blocks[index] ?? { rows: [], lead: 0 };
    },
    asked: () => asked,
  };
}

const shown = (blocks: Blocks, place: ScrollPlace, height: number): string[] =>
  visibleThread(blocks, place, height).map(({ row }) => row[0]?.text ?? '');

const everything = (blocks: Blocks): string[] => shown(blocks, { at: 'bottom' }, 1e6);
const bottom: ScrollPlace = { at: 'bottom' };

const heights = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 30 });
const height = fc.integer({ min: 1, max: 20 });

describe('scrolling', () => {
  test('by rows moves a window over the whole thread, and stops at its ends', () => {
    fc.assert(
      fc.property(heights, height, fc.array(fc.integer({ min: -30, max: 30 }), { maxLength: 12 }), (hs, h, moves) => {
        const blocks = blocksOf(hs);
        const all = everything(blocks);
        const last = Math.max(0, all.length - h);
        let place: ScrollPlace = { at: 'bottom' };
        let top = last;
        for (const rows of moves) {
          place = scrollBy({ blocks, place, height: h, sticks: true }, rows);
          top = Math.max(0, Math.min(last, top + rows));
          expect(shown(blocks, place, h)).toEqual(all.slice(top, top + h));
          expect(place.at === 'bottom').toBe(top === last);
        }
      }),
    );
  });

  test('is not changed by history that is added above, nor by messages below', () => {
    fc.assert(
      fc.property(heights, heights, heights, height, fc.integer({ min: 1, max: 60 }), (before, hs, after, h, up) => {
        const blocks = blocksOf(hs);
        const place = scrollBy({ blocks, place: bottom, height: h, sticks: true }, -up);
        fc.pre(place.at === 'message');
        const more = blocksOf([...before, ...hs, ...after], -before.length);
        expect(shown(more, place, h)).toEqual(shown(blocks, place, h));
      }),
    );
  });

  test('counts a position from the first row of the body, so that a missing day line moves nothing', () => {
    const withLead = blocksOf([3, 3, 3, 3]);
    const place = scrollBy({ blocks: withLead, place: topPlace(withLead, 4, true), height: 4, sticks: true }, 4);
    expect(shown(withLead, place, 4)).toEqual(['1.1', '1.2', '2.0', '2.1']);
    const without: Blocks = {
      items: withLead.items,
      blockOf: (index) => {
        const { rows } = withLead.blockOf(index);
        return index === 1 ? { rows: rows.slice(1), lead: 0 } : withLead.blockOf(index);
      },
    };
    expect(shown(without, place, 4)).toEqual(['1.1', '1.2', '2.0', '2.1']);
  });

  test('does not stick to an end beyond which more is on the disk', () => {
    const blocks = blocksOf([2, 2, 2]);
    const place = scrollBy({ blocks, place: topPlace(blocks, 3, false), height: 3, sticks: false }, 50);
    expect(place.at).toBe('message');
    expect(shown(blocks, place, 3)).toEqual(['1.1', '2.0', '2.1']);
    expect(shown(blocksOf([2, 2, 2, 2]), place, 3)).toEqual(['1.1', '2.0', '2.1']);
  });

  test('shows an item completely, moving as little as possible', () => {
    fc.assert(
      fc.property(heights, height, fc.nat(), fc.integer({ min: 0, max: 60 }), (hs, h, pick, up) => {
        const blocks = blocksOf(hs);
        const index = pick % hs.length;
        const from = scrollBy({ blocks, place: bottom, height: h, sticks: true }, -up);
        const place = reveal({ blocks, place: from, height: h, sticks: true }, `m${index}`);
        const seen = shown(blocks, place, h);
        const own = everything(blocks).filter((row) => row.startsWith(`${index}.`));
        expect(seen.filter((row) => row.startsWith(`${index}.`))).toEqual(own.slice(0, h));
        const before = shown(blocks, from, h);
        if (own.every((row) => before.includes(row))) expect(seen).toEqual(before);
      }),
    );
  });

  test('to an item shows the end if that fits, else the item after up to three rows of what is before it', () => {
    fc.assert(
      fc.property(heights, height, fc.nat(), (hs, h, pick) => {
        const blocks = blocksOf(hs);
        const index = pick % hs.length;
        const all = everything(blocks);
        const from = all.indexOf(`${index}.0`);
        const place = placeFrom(blocks, index, h, true);
        const fits = all.length - from <= h;
        const top = fits ? Math.max(0, all.length - h) : Math.max(0, from - Math.min(3, Math.floor(h / 4)));
        expect(shown(blocks, place, h)).toEqual(all.slice(top, top + h));
        expect(place.at === 'bottom').toBe(fits);
      }),
    );
  });

  test('to an item never sticks to an end beyond which more is on the disk', () => {
    const place = placeFrom(blocksOf([2, 2, 2]), 2, 6, false);
    expect(place).toEqual({ at: 'message', messageId: 'm0', line: -1 });
  });

  test('keeps the position if the item does not exist', () => {
    expect(reveal({ blocks: blocksOf([1, 1]), place: bottom, height: 1, sticks: true }, 'gone')).toBe(bottom);
  });

  test('says how much is left in each direction', () => {
    const blocks = blocksOf([5, 5, 5, 5]);
    expect(rowsBeyond(blocks, bottom, 6, 100)).toEqual({ above: 14, below: 0 });
    expect(rowsBeyond(blocks, topPlace(blocks, 6, true), 6, 10)).toEqual({ above: 0, below: 10 });
  });

  test('requests only items near the pane, however long the thread', () => {
    const long = Array.from({ length: 20_000 }, () => 2);
    const cost = (place: ScrollPlace, move: number): number => {
      const blocks = blocksOf(long);
      shown(blocks, scrollBy({ blocks, place, height: 40, sticks: true }, move), 40);
      return blocks.asked();
    };
    expect(cost(bottom, -39)).toBeLessThan(200);
    expect(cost({ at: 'message', messageId: 'm10000', line: 0 }, 39)).toBeLessThan(200);
  });
});
