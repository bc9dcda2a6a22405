/**
 * Decodes a PNG with zlib alone. It is inflated piece by piece and shrunk row by row: neither the pixels as a whole nor
 * what a file inflates to beyond its last row is ever in memory.
 */
import { createInflate } from 'node:zlib';
import type { Bitmap } from '../../state/model/pictures.ts';
import { fitInto, type PixelSize, Shrinker } from '../../state/pictures/shrink.ts';
import { DecodeRefusal } from './contract.ts';
import { type Png, readPng } from './png-chunks.ts';
import { passesOf, rowBytes, unfilter, writePixels } from './png-pixels.ts';

/** @throws DecodeRefusal */
export async function decodePng(bytes: Uint8Array, box: PixelSize): Promise<Bitmap> {
  const png = readPng(bytes);
  const shrinker = new Shrinker(png, fitInto(png, box));
  const rows = rowsInto(png, shrinker);
  let needed = rows.next().value ?? 0;
  let held: Uint8Array[] = [];
  let count = 0;
  for await (const chunk of inflated(png.data)) {
    held.push(chunk);
    count += chunk.length;
    if (count < needed) continue;
    let whole: Uint8Array = Buffer.concat(held, count);
    while (whole.length >= needed) {
      const next = rows.next(whole.subarray(0, needed));
      if (next.done === true) return shrinker.bitmap();
      whole = whole.subarray(needed);
      needed = next.value;
    }
    held = [whole];
    count = whole.length;
  }
  throw new DecodeRefusal('the file is damaged');
}

/** Asks for the bytes of each row, filter included, and hands its pixels to the shrinker. */
function* rowsInto(png: Png, shrinker: Shrinker): Generator<number, void, Uint8Array> {
  const distance = Math.max(1, (png.channels * png.depth) / 8);
  const rgba = new Uint8Array(png.width * 4);
  for (const { columns, rows, x, y, stepX, stepY } of passesOf(png)) {
    const length = rowBytes(png, columns);
    let above: Uint8Array = new Uint8Array(length);
    for (let i = 0; i < rows; i++) {
      const received = yield length + 1;
      const row = Uint8Array.from(received.subarray(1));
      unfilter(received[0] ?? 0, row, above, distance);
      writePixels(png, row, columns, rgba);
      shrinker.addRow(rgba, columns, y + i * stepY, x, stepX);
      above = row;
    }
  }
}

async function* inflated(data: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const inflate = createInflate({ chunkSize: 65_536 });
  // Errors reach the reader below; writing after one has no effect.
  for (const part of data) inflate.write(part);
  inflate.end();
  try {
    for await (const chunk of inflate) yield chunk as Uint8Array;
  } catch {
    throw new DecodeRefusal('the file is damaged');
  } finally {
    inflate.destroy();
  }
}
