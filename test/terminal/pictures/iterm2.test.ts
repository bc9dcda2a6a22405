import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePng } from '../../../src/pictures/decoder/decode-png.ts';
import { encodePng } from '../../../src/pictures/decoder/encode-png.ts';
import { iterm2Sequence } from '../../../src/terminal/pictures/iterm2.ts';

const bitmap = {
  width: 7,
  height: 5,
  rgba: Uint8Array.from({ length: 7 * 5 * 4 }, (_, i) => (i % 4 === 3 ? 255 : i * 3)),
};

test('the file in the sequence is a PNG with the pixels, and the cells that it takes are named', async () => {
  const sequence = iterm2Sequence(encodePng(bitmap), { columns: 12, rows: 3 });
  const [, head, data = ''] = /^\x1b\]1337;File=([^:]*):([A-Za-z0-9+/=]*)\x07$/.exec(sequence) ?? [];
  const file = Buffer.from(data, 'base64');
  expect(head?.split(';')).toEqual([
    'inline=1',
    `size=${file.length}`,
    'width=12',
    'height=3',
    'preserveAspectRatio=1',
    'doNotMoveCursor=1',
  ]);
  expect(await decodePng(file, { width: 100, height: 100 })).toEqual(bitmap);
});

test('each chunk of the PNG has its checksum', () => {
  const file = Buffer.from(encodePng(bitmap));
  const names: string[] = [];
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    names.push(file.toString('latin1', at + 4, at + 8));
    expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(at + 4, end)));
    at = end + 4;
  }
  expect(names).toEqual(['IHDR', 'IDAT', 'IEND']);
});
