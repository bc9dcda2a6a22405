/** A click opens and selects, the wheel scrolls what is under it. */
import { expect, test } from 'vitest';
import { seedBulk } from '../support/servers/seed-bulk.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { copiedIn } from '../support/terminals/own-output.ts';
import { numbersIn, seed, talking } from './cast.ts';

const left = 0;
const wheelUp = 64;
const wheelDown = 65;

/** Cells are counted from 0 here and from 1 in the report. */
function mouse(j: Journey, button: number, x: number, y: number): void {
  const at = `${button};${x + 1};${y + 1}`;
  j.tui.send(button === left ? `\x1b[<${at}M\x1b[<${at}m` : `\x1b[<${at}M`);
}

test('clicks open conversations, select messages and press keys of the footer', async () => {
  const j = await journey({ seed });
  await j.see('Half of it');
  const row = j
    .screen()
    .split('\n')
    .findIndex((line) => line.includes('Half of it'));
  mouse(j, left, 6, row);
  await j.see('To bob');
  await j.see('Did you read the draft?');
  const message = j
    .screen()
    .split('\n')
    .findIndex((line) => line.includes('Did you read the draft?'));
  mouse(j, left, 60, message);
  await j.see('▌  Did you read the draft?');
  mouse(j, left, 60, 27);
  j.type('typed after a click');
  await j.see('typed after a click');
  const lines = j.screen().split('\n');
  const y = lines.findIndex((line) => line.includes('typed after a click'));
  mouse(j, left, lines[y]?.indexOf('after a click') ?? 0, y);
  j.type('long ');
  await j.see('typed long after a click');
  j.press('text.killToStart', 'text.killToEnd');
  j.type('@bo');
  await j.see(/││ @bob +││/);
  const rows = j.screen().split('\n');
  const at = rows.findIndex((line) => line.includes('│ @bob '));
  mouse(j, left, rows[at]?.indexOf('@bob') ?? 0, at);
  await j.see(/│ @bob +│/);
  await j.gone(/││ @bob +││/);
});

/** From cell to cell, with the button held. */
function drag(j: Journey, from: { x: number; y: number }, to: { x: number; y: number }): void {
  const at = ({ x, y }: { x: number; y: number }): string => `${x + 1};${y + 1}`;
  j.tui.send(`\x1b[<0;${at(from)}M\x1b[<32;${at(to)}M\x1b[<0;${at(to)}m`);
}

test('dragging over text copies it as it was written', async () => {
  const text = `From here ${'on and on '.repeat(20)}to there`;
  const j = await journey({
    seed: talking({ between: ['me', 'ann'], messages: [{ from: 'ann', text, at: -60 }] }),
    copies: 1,
  });
  await j.open('ann');
  await j.see('to there');
  const threadColumn = 40;
  const cellOf = (words: string) => {
    const lines = j.screen().split('\n');
    const y = lines.findIndex((line) => line.includes(words, threadColumn));
    return { x: lines[y]?.indexOf(words, threadColumn) ?? 0, y };
  };
  const end = cellOf('to there');
  drag(j, cellOf('here on'), { ...end, x: end.x + 'to there'.length - 1 });
  await j.see(/Copied \d+ line/);
  expect(copiedIn(j.tui.output())).toEqual([text.slice('From '.length)]);
});

test('a click on a link opens a question with the whole address', async () => {
  const address = `https://a.example/${'long/path/'.repeat(10)}end`;
  const j = await journey({
    seed: talking({ between: ['me', 'ann'], messages: [{ from: 'ann', text: `see ${address}`, at: -60 }] }),
  });
  await j.open('ann');
  await j.see('path/end');
  const lines = j.screen().split('\n');
  const y = lines.findIndex((line) => line.includes('path/end'));
  expect(lines[y]).not.toContain('https');
  mouse(j, left, lines[y]?.indexOf('path/end') ?? 0, y);
  await j.see('Open in the browser?');
  await j.see(address.slice(0, 60));
});

test('the wheel scrolls the thread under the pointer', async () => {
  const j = await journey({ seed: { users: [{ username: 'me' }] }, start: false });
  await seedBulk(j.server.service, { conversations: 1, messages: 100, inFirst: 100, username: 'me' });
  j.start();
  await j.open('contact-000000');
  await j.see('#99 ');
  const [top = 0] = numbersIn(j.screen());
  for (let n = 0; n < 4; n++) mouse(j, wheelUp, 60, 10);
  await j.see(() => (numbersIn(j.screen())[0] ?? top) < top - 2);
  for (let n = 0; n < 5; n++) mouse(j, wheelDown, 60, 10);
  await j.see(() => numbersIn(j.screen())[0] === top);
  expect(numbersIn(j.screen()).at(-1)).toBe(99);
});
