/** Shrinks a picture while it is decoded, so that its full size is never in memory. */

import type { Bitmap } from '../model/pictures.ts';

/** In pixels. */
export type PixelSize = Pick<Bitmap, 'width' | 'height'>;

/** The largest size of the same shape that fits into the box; a small picture keeps its size. */
export function fitInto({ width, height }: PixelSize, box: PixelSize): PixelSize {
  const scale = Math.min(1, box.width / width, box.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** Each pixel of the result is the mean of the source's pixels in its place, which may come in any order (interlaced files). */
export class Shrinker {
  readonly #size: PixelSize;
  readonly #sums: Float64Array;
  readonly #columns: Uint32Array;
  readonly #source: PixelSize;

  constructor(source: PixelSize, size: PixelSize) {
    this.#source = source;
    this.#size = size;
    this.#sums = new Float64Array(size.width * size.height * 5);
    this.#columns = Uint32Array.from({ length: source.width }, (_, x) => Math.floor((x * size.width) / source.width));
  }

  /** Adds `count` pixels of row `y`, which are `step` columns apart, beginning with column `x`. */
  addRow(rgba: Uint8Array, count: number, y: number, x = 0, step = 1): void {
    const sums = this.#sums;
    const columns = this.#columns;
    const row = Math.floor((y * this.#size.height) / this.#source.height) * this.#size.width;
    for (let i = 0; i < count; i++) {
      const to = (row + (columns[x + i * step] ?? 0)) * 5;
      const alpha = rgba[i * 4 + 3] ?? 0;
      sums[to] = (sums[to] ?? 0) + (rgba[i * 4] ?? 0) * alpha;
      sums[to + 1] = (sums[to + 1] ?? 0) + (rgba[i * 4 + 1] ?? 0) * alpha;
      sums[to + 2] = (sums[to + 2] ?? 0) + (rgba[i * 4 + 2] ?? 0) * alpha;
      sums[to + 3] = (sums[to + 3] ?? 0) + alpha;
      sums[to + 4] = (sums[to + 4] ?? 0) + 1;
    }
  }

  bitmap(): Bitmap {
    const rgba = new Uint8Array(this.#size.width * this.#size.height * 4);
    for (let at = 0, from = 0; at < rgba.length; at += 4, from += 5) {
      const alpha = this.#sums[from + 3] ?? 0;
      if (alpha === 0) continue;
      for (let channel = 0; channel < 3; channel++)
        rgba[at + channel] = Math.round((this.#sums[from + channel] ?? 0) / alpha);
      rgba[at + 3] = Math.round(alpha / (this.#sums[from + 4] ?? 1));
    }
    return { ...this.#size, rgba };
  }
}

/** The bitmap shrunk into the box. */
export function shrink(source: Bitmap, box: PixelSize): Bitmap {
  const size = fitInto(source, box);
  if (size.width === source.width && size.height === source.height) return source;
  const shrinker = new Shrinker(source, size);
  const rowBytes = source.width * 4;
  for (let y = 0; y < source.height; y++)
    shrinker.addRow(source.rgba.subarray(y * rowBytes, (y + 1) * rowBytes), source.width, y);
  return shrinker.bitmap();
}
