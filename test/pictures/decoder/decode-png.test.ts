import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodePng } from '../../../src/pictures/decoder/decode-png.ts';
import { chunk, end, header, png, pngOf, signature } from '../../support/builders/png.ts';
import { processorTime } from '../../support/system/processor-time.ts';

const box = { width: 60, height: 24 };
const pixelsOf = async (file: Uint8Array): Promise<readonly (readonly number[])[]> => {
  const { rgba } = await decodePng(file, box);
  return Array.from({ length: rgba.length / 4 }, (_, i) => [...rgba.subarray(i * 4, i * 4 + 4)]);
};
const red = [255, 0, 0, 255];
const green = [0, 255, 0, 255];
const clear = [0, 0, 0, 0];

describe('every kind of PNG', () => {
  const palette = chunk('PLTE', Buffer.from([255, 0, 0, 0, 255, 0]));
  const cases = [
    ['RGB', pngOf({ width: 2, height: 1 }, Buffer.from([0, 255, 0, 0, 0, 255, 0])), [red, green]],
    ['RGB of 16 bits', pngOf({ width: 1, height: 1, depth: 16 }, Buffer.from([0, 255, 9, 0, 9, 0, 9])), [red]],
    ['RGBA', pngOf({ width: 2, height: 1, kind: 6 }, Buffer.from([0, 255, 0, 0, 255, 9, 9, 9, 0])), [red, clear]],
    [
      'grey of 1 bit',
      pngOf({ width: 2, height: 1, kind: 0, depth: 1 }, Buffer.from([0, 0x40])),
      [
        [0, 0, 0, 255],
        [255, 255, 255, 255],
      ],
    ],
    ['grey of 4 bits', pngOf({ width: 1, height: 1, kind: 0, depth: 4 }, Buffer.from([0, 0x30])), [[51, 51, 51, 255]]],
    ['grey with alpha', pngOf({ width: 1, height: 1, kind: 4 }, Buffer.from([0, 77, 128])), [[77, 77, 77, 128]]],
    [
      'palette of 2 bits',
      pngOf({ width: 2, height: 1, kind: 3, depth: 2 }, Buffer.from([0, 0x10]), palette),
      [red, green],
    ],
    [
      'palette with tRNS',
      pngOf({ width: 2, height: 1, kind: 3 }, Buffer.from([0, 0, 1]), palette, chunk('tRNS', Buffer.from([0]))),
      [clear, green],
    ],
    [
      'RGB with tRNS',
      pngOf(
        { width: 2, height: 1 },
        Buffer.from([0, 255, 0, 0, 0, 255, 0]),
        chunk('tRNS', Buffer.from([0, 255, 0, 0, 0, 0])),
      ),
      [clear, green],
    ],
  ] as const;

  test.each(cases)('%s', async (_, file, expected) => {
    expect(await pixelsOf(file)).toEqual(expected);
  });

  test('the filters left, up, mean and Paeth are undone', async () => {
    const rows = Buffer.from([1, 10, 5, 0, 2, 1, 1, 1, 3, 1, 1, 1, 4, 1, 1, 1]);
    const grey = (value: number) => [value, value, value, 255];
    expect(await pixelsOf(pngOf({ width: 3, height: 4, kind: 0 }, rows))).toEqual(
      [10, 15, 15, 11, 16, 16, 6, 12, 15, 7, 13, 16].map(grey),
    );
  });

  test('interlaced files have the same pixels', async () => {
    const at = (x: number, y: number) => (x * 37 + y * 11) % 256;
    // The pass of each pixel, as the specification draws it (§8.2).
    const passes = '16462646 77777777 56565656 77777777 36463646 77777777 56565656 77777777'.split(' ');
    const bytes: number[] = [];
    for (const pass of '1234567')
      for (let y = 0; y < 10; y++) {
        const columns = Array.from({ length: 11 }, (_, x) => x).filter((x) => passes[y % 8]?.[x % 8] === pass);
        if (columns.length > 0) bytes.push(0, ...columns.map((x) => at(x, y)));
      }
    const file = pngOf({ width: 11, height: 10, kind: 0, interlaced: true }, Buffer.from(bytes));
    const expected = Array.from({ length: 110 }, (_, i) => at(i % 11, Math.floor(i / 11)));
    expect((await pixelsOf(file)).map(([grey]) => grey)).toEqual(expected);
  });
});

test('a large picture is shrunk into the box, each pixel the mean of those that it replaces', async () => {
  const file = png(240, 48, (x) => (x % 2 === 0 ? [200, 0, 0] : [100, 0, 0]));
  const { width, height, rgba } = await decodePng(file, box);
  expect([width, height]).toEqual([60, 12]);
  expect([...rgba.subarray(0, 4)]).toEqual([150, 0, 0, 255]);
});

describe('a picture is refused with a reason', () => {
  const whole = png(64, 64, (x, y) => [x * 4, y * 4, 0]);
  const bomb = (width: number, height: number): Buffer =>
    Buffer.concat([signature, header({ width, height }), chunk('IDAT', deflateSync(Buffer.alloc(9))), end]);
  const cases = [
    ['a file that is cut off', whole.subarray(0, whole.length - 60), 'the file is damaged'],
    ['a file that ends after its header', whole.subarray(0, 33), 'the file is damaged'],
    [
      'pixels that cannot be inflated',
      Buffer.concat([signature, header({ width: 9, height: 9 }), chunk('IDAT', randomBytes(99)), end]),
      'the file is damaged',
    ],
    ['too few pixels', pngOf({ width: 9, height: 9 }, Buffer.alloc(20)), 'the file is damaged'],
    ['a filter that does not exist', pngOf({ width: 1, height: 1 }, Buffer.from([9, 1, 1, 1])), 'the file is damaged'],
    [
      'a palette that is not there',
      pngOf({ width: 1, height: 1, kind: 3 }, Buffer.from([0, 0])),
      'the file is damaged',
    ],
    ['a size of nothing', bomb(0, 5), 'it has no pixels'],
    ['30,000 × 30,000 pixels', bomb(30_000, 30_000), 'it is too large (30000 × 30000 pixels)'],
    ['a row of 50 million pixels', bomb(50_000_000, 1), 'it is too large (50000000 × 1 pixels)'],
  ] as const;

  test.each(cases)('%s', async (_, file, words) => {
    await expect(decodePng(file, box)).rejects.toThrow(words);
  });
});

test('a file that inflates to far more than the picture is not inflated further', async () => {
  const rows = Buffer.alloc(60_000_000);
  const file = pngOf({ width: 4, height: 4 }, rows);
  expect(file.length).toBeLessThan(250_000);
  const before = process.memoryUsage().arrayBuffers;
  let leastMs = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5 && leastMs >= 150; i++) {
    const spent = processorTime();
    await decodePng(file, box);
    leastMs = Math.min(leastMs, spent());
  }
  expect(leastMs).toBeLessThan(150);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
});
