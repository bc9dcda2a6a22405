/** A paste stays in the composer whatever is in it, and arrives as it was but for controls. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const line = (n: number): string =>
  `line ${n}: the ferry leaves at nine, 日本語 🙂 \x1b[31mred\x1b[0m and \x1b]52;c;cm0=\x07 done`;
const cleanLine = (n: number): string =>
  `line ${n}: the ferry leaves at nine, 日本語 🙂 [31mred[0m and ]52;c;cm0= done`;

test('a paste of ten kilobytes with line ends and escape sequences is one text', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  const numbers = Array.from({ length: 120 }, (_, index) => index + 1);
  const text = numbers.map(line).join('\r\n');
  expect(Buffer.byteLength(text)).toBeGreaterThan(10_000);
  // As one burst, as terminals send it.
  j.tui.send(`\x1b[200~${text}\x1b[201~`);
  await j.see('line 120: the ferry');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  j.press('message.send');
  await j.answer('confirm.yes', 'as one message?');
  await j.see('Write a message');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe(numbers.map(cleanLine).join('\n'));
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('an end mark inside the paste does not turn the rest into keys', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.tui.send('\x1b[200~harmless \x1b[201~\rforged\r\x1b[201~');
  await j.see('forged');
  j.type(' typed');
  await j.see('typed');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(j.screen()).toMatch(/To ann .*\n.*harmless/);
});

test('a paste without an end keeps Enter from sending, says so, and ends with the next paste', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  j.tui.send('\x1b[200~first half');
  // Shown when the end has been missed for five seconds.
  await j.tui.waitFor('first half', 20_000);
  j.tui.send('\x1b[13u\r');
  await j.see('The paste has not ended: Enter is a new line. Ctrl-C and a second without keys end it');
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  j.tui.paste('second half');
  await j.see('second half');
  j.press('message.send');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('first half[13u\nsecond half');
});

test('in a terminal without marks lines that come at once stay in the composer, and a word with Enter is sent', async () => {
  const j = await journey({ seed, answers: false });
  await j.tui.waitForOutput('\x1b[c');
  j.tui.send('\x1b[?1;2c');
  await j.open('ann');
  j.tui.send('first line\rsecond line\r\rlast\r');
  await j.see('Several lines came at once');
  expect(j.screen()).toMatch(/first line.*\n.*second line/);
  expect(j.server.asked.filter(({ method }) => method === 'POST')).toEqual([]);
  j.tui.press('ctrl+c');
  await j.gone('second line');
  j.tui.send('hello\r');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('hello');
  // This terminal answers more than its attributes and would have marked a paste.
  j.tui.send('\x1bP>|foot(1.20.2)\x1b\\\x1b[?62;4c');
  j.tui.send('one\rtwo');
  await expect.poll(async () => (await j.server.me.texts('ann')).at(-1)).toBe('one');
});
