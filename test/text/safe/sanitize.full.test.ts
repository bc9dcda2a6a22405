/** The whole of Unicode, every two-character escape and a million random ones; run by `npm run test:full`. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { sanitizeBody, sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { eachCluster, isPlain } from '../../../src/text/unicode/clusters.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { listeningTerminal } from '../../support/terminals/listening-terminal.ts';
import { anyText, escapes, hostileText } from '../arbitraries.ts';

const allCodePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint);

test('every code point is clean, stable, and of the width that string-width returns', { timeout: 600_000 }, () => {
  const wrong: string[] = [];
  for (const codePoint of allCodePoints) {
    const text = sanitizeLine(String.fromCodePoint(codePoint));
    if (sanitizeLine(text) !== text || width(text) !== stringWidth(text)) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test('plain code points never join one another', { timeout: 600_000 }, () => {
  const segmenter = new Intl.Segmenter('en');
  const plain = allCodePoints.filter((codePoint) => isPlain(codePoint));
  for (let at = 0; at < plain.length; at += 200) {
    const text = String.fromCodePoint(...plain.slice(at, at + 201));
    expect([...segmenter.segment(text)].every(({ segment }) => [...segment].length === 1)).toBe(true);
  }
  // One of each kind that a plain one could follow or lead.
  for (const codePoint of plain.filter((_, index) => index % 7 === 0)) {
    for (const other of ['a', '漢', '한', '\n', 'ｶ']) {
      const pair = other + String.fromCodePoint(codePoint) + other;
      expect([...segmenter.segment(pair)]).toHaveLength(3);
    }
  }
});

/** Draws lines in blocks on a terminal that does nothing but listen. */
async function drawsOnly(lines: Iterable<string>): Promise<number> {
  const { write, events } = listeningTerminal();
  let block: string[] = [];
  let count = 0;
  const draw = async (): Promise<void> => {
    await write(block.join('\r\n'));
    if (events.length > 0) expect([block, events]).toEqual([[], []]);
    block = [];
  };
  for (const line of lines) {
    count += 1;
    if (block.push(line) === 500) await draw();
  }
  await draw();
  return count;
}

test('on a terminal every code point, every ESC x y and every pair of control characters only draws', {
  timeout: 1_800_000,
}, async () => {
  function* lines(): Generator<string> {
    for (const codePoint of allCodePoints) yield sanitizeLine(`a${String.fromCodePoint(codePoint)}b`);
    for (let x = 0; x < 256; x++) for (let y = 0; y < 256; y++) yield sanitizeLine(`\x1b${String.fromCharCode(x, y)}`);
    const controls = allCodePoints.slice(0, 0xa0).filter((code) => /\p{Cc}/u.test(String.fromCharCode(code)));
    for (const a of controls) for (const b of controls) yield sanitizeLine(String.fromCharCode(a, b));
    for (const raw of fc.sample(fc.oneof(escapes, hostileText), 200_000)) yield sanitizeLine(raw);
  }
  const count = await drawsOnly(lines());
  process.stdout.write(`TP6 on a terminal, full: ${count} lines\n`);
});

test('every ESC x y is made safe', () => {
  for (let x = 0; x < 256; x++) {
    for (let y = 0; y < 256; y++) {
      const text = sanitizeLine(`\x1b${String.fromCharCode(x, y)}`);
      if (/\p{Cc}/u.test(text) || !text.startsWith('␛')) expect([x, y, text]).toBeNull();
    }
  }
});

test('a million hostile strings are made safe', { timeout: 1_800_000 }, () => {
  fc.assert(
    fc.property(fc.oneof(escapes, hostileText, anyText), (raw) => {
      const text = sanitizeBody(raw);
      if (/(?!\n)\p{Cc}|\p{Cs}/u.test(text)) throw new Error('a control is left');
      if (sanitizeBody(text) !== text) throw new Error('not stable');
      eachCluster(text, 0, (start, end) => {
        if (end - start > 64) throw new Error('a cluster is too long');
        return true;
      });
    }),
    { numRuns: 1_000_000 },
  );
  process.stdout.write(
    `TP6 hostile strings, full: 1000000 strings, ${allCodePoints.length} code points, 65536 ESC x y\n`,
  );
});
