/** PNG files for tests: whole ones of every kind, and parts to put broken ones together. */
import { deflateSync } from 'node:zlib';

export const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function chunk(name: string, body: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + body.length);
  whole.writeUInt32BE(body.length, 0);
  whole.write(name, 4, 'latin1');
  whole.set(body, 8);
  return whole;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  /** As in the file: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGBA. */
  readonly kind?: number;
  readonly interlaced?: boolean;
}

export function header({ width, height, depth = 8, kind = 2, interlaced = false }: Header): Buffer {
  const body = Buffer.alloc(13);
  body.writeUInt32BE(width, 0);
  body.writeUInt32BE(height, 4);
  body.set([depth, kind, 0, 0, interlaced ? 1 : 0], 8);
  return chunk('IHDR', body);
}

export const end = chunk('IEND', Buffer.alloc(0));

/** @param rows the bytes of the pixels, each row after the number of its filter */
export const pngOf = (facts: Header, rows: Uint8Array, ...others: readonly Buffer[]): Buffer =>
  Buffer.concat([signature, header(facts), ...others, chunk('IDAT', deflateSync(rows)), end]);

type Colour = readonly [red: number, green: number, blue: number];

/** A picture of RGB with 8 bits, without filters. */
export function png(width: number, height: number, colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + width * 3) + 1 + x * 3);
  return pngOf({ width, height }, rows);
}
