/** Links are given to the terminal as OSC 8, made of the targets of spans. */
import { expect, test } from 'vitest';
import { hyperlinkStart } from '../../src/terminal/hyperlink.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { type Row, span, withTarget } from '../../src/text/layout/row.ts';
import type { SafeText } from '../../src/text/safe-text.ts';
import { createHeadless } from '../support/terminals/headless.ts';

const text = (shown: string): Row => [span(shown as SafeText)];
const link = (address: string, messageId = 'm') => ({ kind: 'link', messageId, address }) as const;
const sequence = /^\x1b\]8;id=([0-9a-z]{1,7});([\x21-\x7e]+)\x1b\\$/;

test.each([
  ['https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
  ['http://example.org', 'http://example.org/'],
  ['https://bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
  ['https://example.org/;\x1b]52;c;AA\x07A', 'https://example.org/;%1B]52;c;AA%07A'],
  ['https://example.org/a\nb', 'https://example.org/ab'],
])('%j leads to %s', (address, href) => {
  expect(sequence.exec(hyperlinkStart(link(address)))?.[2]).toBe(href);
});

test.each([
  'mailto:ann@example.org',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://ann:secret@example.org',
  'https://bank@example.org',
  'https://',
  `https://example.org/${'a'.repeat(690)}`,
])('%j does not become a link of the terminal', (address) => {
  expect(hyperlinkStart(link(address))).toBe('');
});

test('the rows of one link have one id, which another message does not have', () => {
  const idOf = (target: ReturnType<typeof link>) => sequence.exec(hyperlinkStart(target))?.[1];
  const address = 'https://example.org';
  expect(idOf(link(address))).toBe(idOf(link(address)));
  expect(idOf(link(address))).not.toBe(idOf(link(address, 'other')));
  expect(hyperlinkStart({ kind: 'message', messageId: 'm' })).toBe('');
});

function start(hasHyperlinks: boolean) {
  const tty = createHeadless(20, 2);
  const screen = new Screen({ tty, schedule: () => {}, hasHyperlinks });
  const layer = screen.addLayer({ rect: { x: 0, y: 0, width: 20, height: 2 }, z: 1 });
  screen.enter();
  screen.flush();
  const show = (...rows: readonly Row[]): string => {
    tty.chunks.length = 0;
    layer.setRows(rows);
    screen.flush();
    return tty.chunks.join('');
  };
  return { tty, screen, show };
}

test('only the text of the link is between its sequences, and no other cell is written again', () => {
  const { show } = start(true);
  const target = link('https://example.org/');
  const row = [...text('see '), ...withTarget(text('here'), target), ...text(' now')];
  expect(show(row)).toContain(`see ${hyperlinkStart(target)}here\x1b]8;;\x1b\\ now`);
  expect(show([...row])).toBe('');
});

test('the same text is written again when its address changes', () => {
  const { show } = start(true);
  const [one, two] = [link('https://one.example/'), link('https://two.example/')];
  show([...text('go '), ...withTarget(text('here'), one), ...text(' now')]);
  const again = show([...text('go '), ...withTarget(text('here'), two), ...text(' now')]);
  expect(again).toContain(`${hyperlinkStart(two)}here\x1b]8;;\x1b\\`);
  expect(again).not.toMatch(/go|now/);
  expect(show([...text('go '), ...text('here'), ...text(' now')])).toContain('here');
});

test('a link ends when the terminal is restored; a terminal that would print the sequences gets none', () => {
  const on = start(true);
  on.tty.chunks.length = 0;
  on.screen.leave();
  expect(on.tty.chunks.join('')).toMatch(/^\x1b\]8;;\x1b\\/);
  const off = start(false);
  off.tty.chunks.length = 0;
  expect(off.show(withTarget(text('here'), link('https://example.org/')))).toContain('here');
  off.screen.leave();
  expect(off.tty.chunks.join('')).not.toContain(']8;');
});
