/** Cleaned text on a real terminal emulator: it draws, and does nothing else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeBody, sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { width } from '../../../src/text/unicode/width.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { createTerminal } from '../../support/terminals/headless.ts';
import { listeningTerminal } from '../../support/terminals/listening-terminal.ts';
import { escapes, hostileText } from '../arbitraries.ts';

test('the test terminal reports what raw text would do', async () => {
  const { write, events } = listeningTerminal();
  await write('\x1b]52;c;AA\x07\x1b]0;t\x07\x1b[6n\x1b[?1049h\x1b[2J\x07\x1bP$qm\x1b\\');
  expect(events.length).toBeGreaterThanOrEqual(6);
});

test('cleaned text causes no event', async () => {
  const { write, events } = listeningTerminal();
  let block: string[] = [];
  const draw = async (): Promise<void> => {
    await write(block.map((raw) => `${sanitizeBody(raw).replaceAll('\n', '\r\n')}\r\n`).join(''));
    if (events.length > 0) expect([block, events]).toEqual([[], []]);
    block = [];
  };
  for (const raw of fc.sample(fc.oneof(escapes, hostileText), campaignSize(2_500, 50_000)))
    if (block.push(raw) === 100) await draw();
  await draw();
});

test('the cursor moves by the width that we count', async () => {
  const terminal = createTerminal(200, 4);
  const write = (text: string): Promise<void> => new Promise((resolve) => terminal.write(text, resolve));
  // Spacing marks, Indic letters, halfwidth voicing marks and jamo are where terminals disagree with one another.
  const unsure = /[\p{Mc}\uff9e\uff9f\u1100-\u11ff]|\p{Script=Devanagari}/u;
  for (const raw of fc.sample(hostileText, campaignSize(100, 800))) {
    const line = sanitizeLine(raw);
    if (unsure.test(line) || width(line) > 190) continue;
    await write(`\x1b[H\x1b[2K${line}`);
    expect([line, terminal.buffer.active.cursorX]).toEqual([line, width(line)]);
  }
});
