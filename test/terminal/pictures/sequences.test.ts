import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodePng } from '../../../src/pictures/decoder/decode-png.ts';
import { encodePng } from '../../../src/pictures/decoder/encode-png.ts';
import { iterm2Sequence, kittyTransmission } from '../../../src/terminal/pictures/sequences.ts';
import { cutRow, rowWidth, span } from '../../../src/text/layout/row.ts';
import { pictureCells } from '../../../src/text/picture-cells.ts';
import { width } from '../../../src/text/unicode/width.ts';

test('a picture is sent in parts, with its format in the first part only, and asks for no reply', () => {
  const pixels = Buffer.from(Array.from({ length: 40 * 40 * 4 }, (_, i) => (i * i * 7919) % 251));
  const parts = kittyTransmission({
    id: 0x123456,
    width: 40,
    height: 40,
    deflated: deflateSync(pixels, { level: 0 }),
    columns: 4,
    rows: 2,
  });
  expect(parts.length).toBeGreaterThan(1);
  expect(parts[0]).toMatch(/^\x1b_Ga=T,U=1,q=2,f=32,o=z,s=40,v=40,i=1193046,c=4,r=2,m=1;/);
  expect(parts.slice(1, -1).every((part) => part.startsWith('\x1b_Gm=1;'))).toBe(true);
  expect(parts.at(-1)).toMatch(/^\x1b_Gm=0;/);
  const data = parts.map((part) => part.slice(part.indexOf(';') + 1, -2));
  expect(Math.max(...data.map(({ length }) => length))).toBeLessThanOrEqual(4096);
  expect(inflateSync(Buffer.from(data.join(''), 'base64')).equals(pixels)).toBe(true);
});

test('its cells have a width of one column each, name their places, and stay whole if a row is cut', () => {
  const cells = pictureCells(11, 60);
  expect(width(cells)).toBe(60);
  const marks = [...cells.matchAll(/\u{10eeee}(\p{M}\p{M})/gu)].map(([, mark]) => mark);
  expect([marks.length, new Set(marks).size]).toEqual([60, 60]);
  expect(pictureCells(1, 2)).toBe('\u{10eeee}\u030d\u0305\u{10eeee}\u030d\u030d');
  const cut = cutRow([span(cells)], 10, 20);
  expect([rowWidth(cut), cut[0]?.text]).toEqual([10, cells.slice(10 * 4, 20 * 4)]);
});

const bitmap = {
  width: 7,
  height: 5,
  rgba: Uint8Array.from({ length: 7 * 5 * 4 }, (_, i) => (i % 4 === 3 ? 255 : i * 3)),
};

test('the file in the sequence is a PNG with the pixels, and the number of its cells is given', async () => {
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
