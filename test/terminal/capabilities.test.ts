import { expect, test } from 'vitest';
import { initialCapabilities, learnFromReply, queriesFor } from '../../src/terminal/capabilities.ts';
import { facts } from './fixtures/facts.ts';

test.each([
  [{}, { isDumb: false, colours: '256', isUnicode: true, background: 'unknown' }],
  [{ colorTerm: 'truecolor' }, { colours: 'truecolor' }],
  [{ colorTerm: 'truecolor', term: 'screen', isScreen: true }, { colours: '256' }],
  [{ term: 'screen', isScreen: true }, { colours: '16' }],
  [{ term: 'dumb' }, { isDumb: true, colours: 'none' }],
  [{ isTty: false }, { isDumb: true }],
  [{ term: undefined }, { isDumb: true }],
  [{ term: 'linux' }, { isUnicode: false, isUtf8: true, colours: '16' }],
  [{ term: 'vt100' }, { colours: 'none' }],
  [{ locale: 'C' }, { isUnicode: false, isUtf8: false }],
  [
    { locale: 'de_DE.ISO-8859-1', colorTerm: 'truecolor' },
    { isUnicode: false, isUtf8: false },
  ],
  [{ locale: '' }, { isUnicode: false, isUtf8: true }],
  [
    { locale: 'C', isTmux: true },
    { isUnicode: false, isUtf8: true },
  ],
  [
    { locale: 'C', term: 'xterm-kitty' },
    { isUnicode: false, isUtf8: true },
  ],
  [
    { locale: 'C', isWindows: true },
    { isUnicode: false, isUtf8: true },
  ],
  [{ term: 'xterm-kitty' }, { colours: 'truecolor' }],
  [{ termProgram: 'Apple_Terminal' }, { colours: '256' }],
  [{ colorFgBg: '0;15' }, { background: 'light' }],
  [{ colorFgBg: '15;0' }, { background: 'dark' }],
  [{ isTmux: true }, { tmux: true }],
] as const)('a terminal with %j is assumed to have %j', (change, expected) => {
  expect(initialCapabilities({ ...facts, ...change })).toMatchObject(expected);
});

test('answers of the terminal override guesses; an answer without news changes nothing', () => {
  const start = initialCapabilities({ ...facts, termProgram: 'Apple_Terminal' });
  const kitty = learnFromReply(start, { type: 'reply', reply: 'kitty-keyboard', flags: 0 });
  expect(kitty.kittyKeyboard).toBe(true);
  expect(learnFromReply(kitty, { type: 'reply', reply: 'kitty-keyboard', flags: 1 })).toBe(kitty);
  expect(learnFromReply(start, { type: 'reply', reply: 'background', rgb: [250, 250, 240] }).background).toBe('light');
  expect(learnFromReply(start, { type: 'reply', reply: 'background', rgb: [30, 30, 46] }).background).toBe('dark');
  expect(learnFromReply(start, { type: 'reply', reply: 'colour-scheme', isLight: true }).background).toBe('light');
  expect(learnFromReply(start, { type: 'reply', reply: 'device-attributes', attributes: [] })).toBe(start);
});

test('the question that every terminal answers comes last, and the Linux console gets no other', () => {
  expect(queriesFor(facts).endsWith('\x1b[c')).toBe(true);
  expect(queriesFor({ ...facts, term: 'linux' })).toBe('\x1b[c');
});
