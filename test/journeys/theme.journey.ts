/** The theme follows what the terminal says of its background, and NO_COLOR takes all colours away. */
import { expect, test } from 'vitest';
import { journey } from '../support/journey.ts';
import { seed } from './cast.ts';

const colour = /\x1b\[(?:[0-9]+[;:])*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9]+)*m/;

test('a light background', async () => {
  const j = await journey({ seed, answers: false });
  await j.see('Half of it');
  const dark = j.tui.cells(1);
  expect(j.tui.output()).toMatch(colour);
  j.tui.send('\x1b]11;rgb:ffff/ffff/f0f0\x1b\\\x1b[?62;22c');
  await j.see(() => j.tui.cells(1) !== dark);
  expect(j.screen()).toContain('Half of it');
  j.press('help.open');
  await j.see('Anywhere');
});

test('NO_COLOR', async () => {
  const j = await journey({ seed, env: { NO_COLOR: '1' } });
  await j.open('ann');
  await j.see('Bring the tickets');
  j.press('help.open');
  await j.see('Anywhere');
  j.press('layer.back');
  await j.gone('Anywhere');
  expect(j.tui.output()).not.toMatch(colour);
});

test('--ascii', async () => {
  const j = await journey({ seed, args: ['--ascii'] });
  await j.open('ann');
  await j.see('Bring the tickets');
  expect(j.screen()).toMatch(/^[\x20-\x7e\n]*$/);
  j.press('goto.open');
  // The arrow of a key: the code of the program is read a byte a character, regular expressions, too.
  await j.see('Down next');
  expect(j.screen()).toMatch(/^[\x20-\x7e\n]*$/);
});
