/** Cleaned text on a real terminal emulator: it draws, and does nothing else. */
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeBody, sanitizeLine } from '../../src/text/sanitize.ts';
import { width } from '../../src/text/width.ts';
import { createTerminal } from '../support/headless.ts';
import { hostileText } from './arbitraries.ts';

/** A terminal that notes everything but drawing. */
function listeningTerminal(): {
  readonly write: (text: string) => Promise<void>;
  readonly events: string[];
  readonly terminal: headless.Terminal;
} {
  const terminal = new headless.Terminal({ cols: 200, rows: 20, allowProposedApi: true });
  const events: string[] = [];
  terminal.onData((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  for (let code = 0; code < 2000; code++) {
    terminal.parser.registerOscHandler(code, () => events.push(`OSC ${code}`) > 0);
  }
  for (const final of '@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstuvwxyz'.split('')) {
    for (const prefix of ['', '?', '>']) {
      const id = prefix === '' ? { final } : { prefix, final };
      terminal.parser.registerCsiHandler(id, () => events.push(`CSI ${prefix}${final}`) > 0);
      if (prefix === '') terminal.parser.registerDcsHandler(id, () => events.push(`DCS ${final}`) > 0);
    }
  }
  for (const final of 'cDEHMNOZ78=>klmno|}~'.split(''))
    terminal.parser.registerEscHandler({ final }, () => events.push(`ESC ${final}`) > 0);
  return { terminal, events, write: (text) => new Promise((resolve) => terminal.write(text, resolve)) };
}

const escapes = fc
  .array(
    fc.constantFrom(
      '\x1b',
      '\x1b]',
      '\x1b[',
      '\x1bP',
      '\x1b_',
      '\x9b',
      '\x9d',
      '\x90',
      '52;c;',
      '0;',
      '8;;',
      '?',
      '6',
      'n',
      'c',
      '>0q',
      '2J',
      'h',
      '?1049',
      '\x07',
      '\x1b\\',
      '\x9c',
      '\x05',
      '\x0e',
      '\r',
      '\b',
      '\n',
      'text',
      '漢',
      '\u202e',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('the listener hears what raw text would do', async () => {
  const { write, events } = listeningTerminal();
  await write('\x1b]52;c;AA\x07\x1b]0;t\x07\x1b[6n\x1b[?1049h\x1b[2J\x07\x1bP$qm\x1b\\');
  expect(events.length).toBeGreaterThanOrEqual(6);
});

test('cleaned text makes no event', async () => {
  const { write, events } = listeningTerminal();
  for (const raw of fc.sample(fc.oneof(escapes, hostileText), 1000)) {
    await write(`${sanitizeBody(raw).replaceAll('\n', '\r\n')}\r\n`);
    if (events.length > 0) expect([raw, events]).toEqual([raw, []]);
  }
  expect(events).toEqual([]);
});

test('the cursor moves by the width that we reckon with', async () => {
  const terminal = createTerminal(200, 4);
  const write = (text: string): Promise<void> => new Promise((resolve) => terminal.write(text, resolve));
  // Spacing marks, Indic letters, halfwidth voicing marks and jamo are where terminals disagree with one another.
  const unsure = /[\p{Mc}\uff9e\uff9f\u1100-\u11ff]|\p{Script=Devanagari}/u;
  for (const raw of fc.sample(hostileText, 800)) {
    const line = sanitizeLine(raw);
    if (unsure.test(line) || width(line) > 190) continue;
    await write(`\x1b[H\x1b[2K${line}`);
    expect([line, terminal.buffer.active.cursorX]).toEqual([line, width(line)]);
  }
});
