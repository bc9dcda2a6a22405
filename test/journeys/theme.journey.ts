/** The theme follows what the terminal says of its background, NO_COLOR takes all colours away, a locale all but ASCII. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isFullRun } from '../support/campaigns/partition.ts';
import { journey } from '../support/terminals/journey.ts';
import { seed, talking } from './cast.ts';
import { nothingSetUp } from './signing-in.ts';

const colour = /\x1b\[(?:[0-9]+[;:])*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9]+)*m/;

test('the theme follows a light background', async () => {
  const j = await journey({ seed, answers: false });
  await j.see('Half of it');
  const dark = j.tui.cells(1);
  expect(j.tui.output()).toMatch(colour);
  j.tui.send('\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?62;22c');
  await j.see(() => j.tui.cells(1) !== dark);
  expect(j.screen()).toContain('Half of it');
  const light = j.tui.cells(1);
  j.tui.send('\x1b[?997;1n');
  await j.see(() => j.tui.cells(1) === dark);
  j.tui.send('\x1b[O');
  const asked = j.tui.output().split('\x1b]11;?').length;
  j.tui.send('\x1b[I');
  await j.see(() => j.tui.output().split('\x1b]11;?').length > asked);
  j.tui.send('\x1b]11;rgb:ffff/ffff/f0f0\x1b\\');
  await j.see(() => j.tui.cells(1) === light);
  j.press('help.open');
  await j.see('Find: what it does');
});

test('NO_COLOR removes the colours', async () => {
  const j = await journey({ seed, env: { NO_COLOR: '1' } });
  await j.open('ann');
  await j.see('Bring the tickets');
  j.press('help.open');
  await j.see('Find: what it does');
  j.press('layer.back');
  await j.gone('Find: what it does');
  expect(j.tui.output()).not.toMatch(colour);
});

test('NO_COLOR removes the colours of the first screen', async () => {
  const j = await journey({ seed, env: { ...nothingSetUp, NO_COLOR: '1' } });
  await j.see('> Try the built-in demo');
  j.tui.press('down');
  await j.see('> Connect to a service');
  j.tui.press('enter');
  await j.see('Server');
  j.type('http://chat.example');
  j.tui.press('enter');
  await j.see('plain http would send the token readable');
  expect(j.tui.output()).not.toMatch(colour);
});

test('--ascii draws only ASCII', async () => {
  const j = await journey({ seed, args: ['--ascii'] });
  await j.open('ann');
  await j.see('Bring the tickets');
  expect(j.screen()).toMatch(/^[\x20-\x7e\n]*$/);
  j.press('goto.open');
  // The arrow of a key: the code of the program is read a byte a character, regular expressions, too.
  await j.see('Down next');
  expect(j.screen()).toMatch(/^[\x20-\x7e\n]*$/);
});

/** Read a byte a character, the second byte of these is a control: `CSI 2 J`, `OSC 52` and its end, a question. */
const eightBit = 'before \u00db2J \u00dd52;c;cm0=\u00dc \u00da after \u6f22 \u{1f44d}\u{1f3ff} 1\ufe0f\u20e3 end';

test('a terminal that is not UTF-8 gets no byte that it could take for a control character', async () => {
  const withAnn = { between: ['me', 'ann'], messages: [{ from: 'ann', text: eightBit }] } as const;
  const j = await journey({ seed: talking(withAnn), env: { LC_ALL: 'en_GB.ISO-8859-1', COLORTERM: undefined } });
  await j.see('Characters outside ASCII are shown as ?');
  await j.open('ann');
  await j.see('before ?2J ?52;c;cm0=? ? after ?? :+1: :one: end');
  expect(j.screen()).toMatch(/^[\x20-\x7e\n]*$/);
  j.type('caf\u00e9');
  await j.see('caf?');
  j.press('message.send');
  await j.see('  caf?');
  await expect.poll(() => j.server.me.texts('ann')).toContain('caf\u00e9');
  j.press('help.open');
  await j.see('Find: what it does');
  expect(j.tui.output()).toMatch(/^[\x00-\x7f]*$/);
});

test.runIf(isFullRun)('theme in config.toml is used, and a line reports invalid settings', async () => {
  const j = await journey({ seed, answers: false, start: false });
  mkdirSync(join(j.folder, 'config', 'msg-tui'), { recursive: true });
  const file = join(j.folder, 'config', 'msg-tui', 'config.toml');
  j.start();
  await j.see('Half of it');
  const byItself = j.tui.cells(1);
  await j.quit();
  writeFileSync(file, 'theme = "light"\n');
  j.start();
  await j.see('Half of it');
  expect(j.tui.cells(1)).not.toBe(byItself);
  await j.quit();
  writeFileSync(file, 'theme = "purple"\nthme = 1\n');
  j.start();
  await j.see('Half of it');
  expect(j.tui.cells(1)).toBe(byItself);
  await j.see(/unknown\s+key\s+"thme"/);
  await j.see(/\(and\s+1\s+more:\s+see\s+msg-tui\s+config\s+check\)/);
  await j.quit();
  writeFileSync(file, 'theme = "purple"\n');
  j.start({ MSG_TUI_THEME: 'light' });
  await j.see(/there\s+is\s+no\s+theme\s+"purple"/);
});

test.runIf(isFullRun)('FORCE_COLOR gives colours in a terminal whose name says that it has none', async () => {
  const j = await journey({ seed, answers: false, env: { TERM: 'vt100', COLORTERM: undefined } });
  await j.see('Half of it');
  expect(j.tui.output()).not.toMatch(colour);
  await j.quit();
  j.start({ FORCE_COLOR: '1' });
  await j.see('Half of it');
  expect(j.tui.output()).toMatch(colour);
});

test('Escape and Ctrl-Q that arrive as one key both take effect', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  j.press('help.open');
  await j.see('Find: what it does');
  const { exited } = j.tui;
  j.tui.send('\x1b\x11');
  expect((await exited).code).toBe(0);
});
