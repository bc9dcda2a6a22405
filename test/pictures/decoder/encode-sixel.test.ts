import { describe, expect, test } from 'vitest';
import { encodeSixel } from '../../../src/pictures/decoder/encode-sixel.ts';
import { sixelSequence } from '../../../src/terminal/pictures/sequences.ts';
import { readSixels } from '../../support/builders/sixels.ts';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

function bitmapOf(width: number, height: number, pixelAt: (x: number, y: number) => Pixel) {
  const rgba = new Uint8Array(width * height * 4);
  for (let i = 0; i < width * height; i++) rgba.set(pixelAt(i % width, Math.floor(i / width)), i * 4);
  return { width, height, rgba };
}

const read = (data: string | null) => readSixels(sixelSequence(data ?? '') ?? '');

test('colours of the cube are exact, at sizes that are no multiple of six, and clear pixels stay clear', () => {
  const steps = [0, 51, 102, 153, 204, 255] as const;
  const pixelAt = (x: number, y: number): Pixel => [
    steps[x % 6] ?? 0,
    steps[y % 6] ?? 0,
    steps[(x + y) % 6] ?? 0,
    x === 3 ? 0 : 255,
  ];
  const { width, height, pixels } = read(encodeSixel(bitmapOf(25, 20, pixelAt)));
  expect([width, height]).toEqual([25, 20]);
  const expected = Array.from({ length: 25 * 20 }, (_, i) => {
    const [red, green, blue, alpha] = pixelAt(i % 25, Math.floor(i / 25));
    return alpha === 0 ? null : [red, green, blue].map((value) => (value * 100) / 255);
  });
  expect(pixels).toEqual(expected);
});

test('colours between those of the cube have the right mean over a few pixels, with at most 256 registers', () => {
  const { pixels, palette } = read(encodeSixel(bitmapOf(256, 64, (x, y) => [x, 255 - x, y * 4, 255])));
  expect(palette.size).toBeLessThanOrEqual(256);
  expect(Math.max(...palette.keys())).toBeLessThanOrEqual(255);
  for (let left = 0; left < 256; left += 16)
    for (let top = 0; top < 64; top += 16) {
      const sum = [0, 0, 0];
      for (let i = 0; i < 256; i++) {
        const pixel = pixels[(top + Math.floor(i / 16)) * 256 + left + (i % 16)];
        for (let channel = 0; channel < 3; channel++)
          sum[channel] = (sum[channel] ?? 0) + (pixel?.[channel] ?? Number.NaN);
      }
      const mean = sum.map((value) => (value / 256) * 2.55);
      const wanted = [left + 7.5, 255 - left - 7.5, (top + 7.5) * 4];
      const off = mean.map((value, channel) => Math.abs(value - (wanted[channel] ?? 0)));
      expect(Math.max(...off)).toBeLessThan(6);
    }
});

describe('the length of a sequence', () => {
  test('is small because a run of equal sixels is written once', () => {
    const data = encodeSixel(bitmapOf(600, 240, () => [255, 0, 0, 255])) ?? '';
    expect(data.length).toBeLessThan(600);
    expect(data).toContain('!600~');
  });

  const noise = bitmapOf(300, 120, (x, y) => {
    const at = (x * 7919 + y * 104_729) ^ (x * y);
    return [(at * 31) & 255, (at * 57) & 255, (at * 91) & 255, 255];
  });

  test('is limited: a picture that takes too much is encoded without dithering, and not at all if that is too long too', () => {
    const flat = bitmapOf(300, 120, () => [75, 75, 75, 255]);
    const dithered = encodeSixel(flat) ?? '';
    const short = encodeSixel(flat, dithered.length - 1) ?? '';
    expect(short.length).toBeLessThan(dithered.length);
    expect(new Set(read(short).pixels.map(String))).toEqual(new Set(['20,20,20']));
    expect(encodeSixel(noise, 1_000)).toBe(null);
  });

  test('stays within the limit for the largest picture of noise', () => {
    const data = encodeSixel(
      bitmapOf(800, 480, (x, y) => [(x * y * 37) & 255, (x * 91 + y) & 255, (y * 57) & 255, 255]),
    );
    expect(data === null || data.length <= 400_000).toBe(true);
  });
});

test('data that holds anything but sixels makes no sequence', () => {
  expect(sixelSequence('#0;2;0;0;0#0!5~-$?')).toBe('\x1bP7;1;0q#0;2;0;0;0#0!5~-$?\x1b\\');
  for (const data of ['~\x1b\\\x1b]52;c;AAAA\x07', '~\x9c', '~\n', '~\x18', ' ', '%'])
    expect(sixelSequence(data)).toBe(null);
});
