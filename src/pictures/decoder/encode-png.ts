/** Writes decoded pixels as a new PNG file, so that a terminal that wants a file gets none that came over the network. */
import { crc32, deflateSync } from 'node:zlib';
import type { Bitmap } from '../../state/model/pictures.ts';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Each row is stored as its difference to the row above (filter 2), which deflates better than the pixels. */
export function encodePng({ width, height, rgba }: Bitmap): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a sample, red, green, blue and alpha.
  header.set([8, 6], 8);
  const length = width * 4;
  const rows = Buffer.alloc(height * (length + 1));
  for (let y = 0; y < height; y++) {
    const to = y * (length + 1);
    rows[to] = 2;
    for (let i = 0; i < length; i++)
      rows[to + 1 + i] = (rgba[y * length + i] ?? 0) - (y === 0 ? 0 : (rgba[(y - 1) * length + i] ?? 0));
  }
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', none)]);
}

const none = Buffer.alloc(0);

function chunk(name: string, body: Uint8Array): Buffer {
  const whole = Buffer.alloc(12 + body.length);
  whole.writeUInt32BE(body.length, 0);
  whole.write(name, 4, 'latin1');
  whole.set(body, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + body.length)), 8 + body.length);
  return whole;
}
