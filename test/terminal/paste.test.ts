/** A paste is read as it comes: what it says does not depend on how it is split, and its end is no more work than a chunk. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { cleanPaste, PasteReader } from '../../src/terminal/paste.ts';

const endMark = Buffer.from('\x1b[201~');
const awkward = fc.constantFrom(
  '\r',
  '\n',
  '\t',
  '\x1b',
  '\x1b[20',
  '\x1b[200~',
  '\x1b[0n',
  '0~',
  '\x07',
  '\x7f',
  '\x9b',
  'é',
  '👩‍👩‍👧',
  'a b',
);
const bytesOf = fc.oneof(
  fc.array(awkward, { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.array(awkward, { maxLength: 12 }), fc.uint8Array({ maxLength: 8 }))
    .map(([parts, bytes]) => Buffer.concat([Buffer.from(parts.join('')), bytes])),
);

test('a paste is read the same however it is split', () => {
  fc.assert(
    fc.property(bytesOf, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 90 }), (bytes, sizes) => {
      fc.pre(!bytes.includes(endMark));
      const all = Buffer.concat([bytes, endMark, Buffer.from('rest')]);
      const reader = new PasteReader();
      let at = 0;
      for (let i = 0; at < all.length; i++) {
        const size = sizes[i % sizes.length] ?? 1;
        const found = reader.add(all.subarray(at, at + size));
        at += size;
        if (found === null) continue;
        expect(found.text).toBe(cleanPaste(bytes));
        expect(Buffer.concat([found.rest, all.subarray(at)]).toString()).toBe('rest');
        return;
      }
      expect.unreachable('the end mark was missed');
    }),
    { numRuns: 500 },
  );
});

test('taking a paste without an end returns everything that came, and keeps nothing of it', () => {
  const reader = new PasteReader();
  reader.add(Buffer.from('one\r'));
  reader.add(Buffer.from('\ntwo\x1b[20'));
  expect(reader.length).toBe(12);
  expect(reader.take()).toBe('one\ntwo[20');
  expect(reader.length).toBe(0);
  expect(reader.take()).toBe('');
});

test('the end of a long paste is found by reading no more bytes than a chunk', () => {
  const reader = new PasteReader();
  const chunk = Buffer.from('👩‍👩‍👧'.repeat(3_600));
  for (let i = 0; i < 80; i++) reader.add(chunk);
  const joined = vi.spyOn(Buffer, 'concat');
  const found = reader.add(endMark);
  expect(found?.text.length).toBe(80 * 3_600 * 8);
  const sizes = joined.mock.results.map(({ value }) => (value as Buffer).length);
  expect(Math.max(...sizes)).toBeLessThan(64);
  joined.mockRestore();
});

test('a paste contains nothing that the terminal reports meanwhile', () => {
  const reports = ['\x1b[0n', '\x1b[I', '\x1b[O', '\x1b[?997;1n'];
  for (const report of reports) {
    const reader = new PasteReader();
    for (const byte of Buffer.from(`first${report} half`)) reader.add(Buffer.of(byte));
    expect(reader.take()).toBe('first half');
  }
  expect(cleanPaste(Buffer.from('In\x1b[\x1b[0n0n Ionia [0n'))).toBe('In Ionia [0n');
});
