/** Turns the inflated bytes of a PNG into rows of pixels (PNG specification, §7 to §9). */

import { DecodeRefusal } from './contract.ts';
import type { Png } from './png-chunks.ts';

/** Rows of pixels that belong together: the whole picture, or one of the seven passes of an interlaced one. */
interface Pass {
  readonly columns: number;
  readonly rows: number;
  /** The place of its first pixel, and how far apart its pixels are. */
  readonly x: number;
  readonly y: number;
  readonly stepX: number;
  readonly stepY: number;
}

const adam7 = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

export function passesOf({ width, height, isInterlaced }: Pick<Png, 'width' | 'height' | 'isInterlaced'>): Pass[] {
  if (!isInterlaced) return [{ columns: width, rows: height, x: 0, y: 0, stepX: 1, stepY: 1 }];
  return adam7
    .map(([x, y, stepX, stepY]) => ({
      columns: Math.ceil((width - x) / stepX),
      rows: Math.ceil((height - y) / stepY),
      x,
      y,
      stepX,
      stepY,
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0);
}

/** Bytes of a row, without the one that names its filter. */
export const rowBytes = ({ depth, channels }: Pick<Png, 'depth' | 'channels'>, columns: number): number =>
  Math.ceil((columns * channels * depth) / 8);

/**
 * Undoes the filter of a row in place.
 * @param above the row before it, already undone; zeros above the first row of a pass
 * @param distance bytes from a pixel to the one at its left, at least 1
 * @throws DecodeRefusal
 */
export function unfilter(filter: number, row: Uint8Array, above: Uint8Array, distance: number): void {
  if (filter === 0) return;
  if (filter > 4) throw new DecodeRefusal('the file is damaged');
  for (let i = 0; i < row.length; i++) {
    const left = i >= distance ? (row[i - distance] ?? 0) : 0;
    const up = above[i] ?? 0;
    row[i] = (row[i] ?? 0) + predicted(filter, left, up, i >= distance ? (above[i - distance] ?? 0) : 0);
  }
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Writes the pixels of an undone row as four bytes each. Of samples of 16 bits the upper byte counts. */
export function writePixels(png: Png, row: Uint8Array, columns: number, rgba: Uint8Array): void {
  if (png.depth < 8 || png.kind === 'palette') writeIndexed(png, row, columns, rgba);
  else writeSamples(png, row, columns, rgba);
}

/** For palettes, and for grey in steps that take less than a byte. */
function writeIndexed(png: Png, row: Uint8Array, columns: number, rgba: Uint8Array): void {
  const { depth, kind, palette, transparency } = png;
  const perByte = 8 / depth;
  const most = (1 << depth) - 1;
  const transparentGrey = kind === 'grey' && transparency.length >= 2 ? transparency[1] : null;
  for (let i = 0; i < columns; i++) {
    const index = ((row[Math.floor(i / perByte)] ?? 0) >> (8 - depth * ((i % perByte) + 1))) & most;
    const to = i * 4;
    if (kind === 'palette') {
      rgba[to] = palette[index * 3] ?? 0;
      rgba[to + 1] = palette[index * 3 + 1] ?? 0;
      rgba[to + 2] = palette[index * 3 + 2] ?? 0;
      rgba[to + 3] = transparency[index] ?? 255;
    } else {
      rgba.fill(Math.round((index * 255) / most), to, to + 3);
      rgba[to + 3] = index === transparentGrey ? 0 : 255;
    }
  }
}

function writeSamples(png: Png, row: Uint8Array, columns: number, rgba: Uint8Array): void {
  const { depth, kind, channels } = png;
  const wide = depth / 8;
  const isGrey = kind === 'grey' || kind === 'grey-alpha';
  const hasAlpha = kind === 'grey-alpha' || kind === 'rgba';
  const transparentBytes = hasAlpha ? null : transparentColour(png, wide);
  const green = isGrey ? 0 : wide;
  const blue = isGrey ? 0 : 2 * wide;
  const opacity = (channels - 1) * wide;
  for (let i = 0, to = 0; i < columns; i++, to += 4) {
    const from = i * channels * wide;
    rgba[to] = row[from] ?? 0;
    rgba[to + 1] = row[from + green] ?? 0;
    rgba[to + 2] = row[from + blue] ?? 0;
    rgba[to + 3] = hasAlpha ? (row[from + opacity] ?? 0) : 255;
    if (transparentBytes?.every((byte, k) => row[from + k] === byte) === true) rgba[to + 3] = 0;
  }
}

/**
 * The bytes of the one colour that is transparent; null where there is none. The chunk has two bytes for each sample.
 */
function transparentColour({ transparency, channels }: Png, wide: number): readonly number[] | null {
  if (transparency.length < channels * 2) return null;
  const bytes = [...transparency.subarray(0, channels * 2)];
  return wide === 2 ? bytes : bytes.filter((_, i) => i % 2 === 1);
}
