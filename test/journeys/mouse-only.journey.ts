/** What is shown can be used without the keyboard: a click, a double click, the right button, a drag or the wheel does it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { typingMs } from '../../src/state/view/overlays.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed, talking, withAnn, withBob } from './cast.ts';

const left = 0;
const right = 2;
const wheelDown = 65;

/** Cells are counted from 0 here and from 1 in the report. */
function report(j: Journey, button: number, x: number, y: number): void {
  const at = `${button};${x + 1};${y + 1}`;
  j.tui.send(button >= 64 ? `\x1b[<${at}M` : `\x1b[<${at}M\x1b[<${at}m`);
}

/** The first cell of the words, right of the column. */
function cellOf(j: Journey, words: string, column = 0): { x: number; y: number } {
  const lines = j.screen().split('\n');
  const y = lines.findIndex((line) => line.includes(words, column));
  expect(y, `${words} in\n${j.screen()}`).toBeGreaterThanOrEqual(0);
  return { x: lines[y]?.indexOf(words, column) ?? 0, y };
}

/** Clicks on the words once they are there. */
async function click(j: Journey, words: string, { button = left, column = 0 } = {}): Promise<void> {
  await j.see(() =>
    j
      .screen()
      .split('\n')
      .some((line) => line.includes(words, column)),
  );
  const { x, y } = cellOf(j, words, column);
  report(j, button, x + 1, y);
}

/** Right of the list. */
const thread = 33;
/** Clicks on the answer in the dialog, after the time in which a question takes none. */
async function answer(j: Journey, question: string, hint: string): Promise<void> {
  await j.see(question);
  await new Promise((resolve) => setTimeout(resolve, typingMs + 100));
  await click(j, hint);
  await j.gone(question);
}

test('clicks react, open a menu and answer a question', async () => {
  const messages = [
    { from: 'me', text: '> ann wrote:\n> Well?\n\nLook at this', at: -600 },
    { from: 'ann', text: 'Seen', at: -500, reactions: { tada: ['ann'] } },
  ];
  const j = await journey({ seed: talking({ between: ['me', 'ann'], messages }) });
  await click(j, '▌ann');
  await j.see('To ann');
  await click(j, '🎉 1', { column: thread });
  // Nothing has shown yet what this server does with the reactions of others.
  await answer(j, 'React? This may remove what others added', 'Enter yes');
  await j.see('[🎉 2]');
  await expect.poll(() => j.server.me.reactions('ann', 'Seen')).toEqual({ tada: ['ann', 'me'] });

  const question = 'Delete this message for everybody?';
  for (const hint of ['n no', 'Enter yes']) {
    await click(j, 'Look at this', { column: thread, button: right });
    await click(j, 'Delete');
    await j.see(/(You|me) \d\d:\d\d: Look at this/);
    await answer(j, question, hint);
  }
  await j.gone('Look at this');
  await expect.poll(() => j.server.me.texts('ann')).toEqual(['Seen']);
});

test('clicks choose a view and open the help, and the wheel scrolls the help', async () => {
  const j = await journey({ seed });
  await click(j, '▌ann');
  await j.see('To ann');
  await click(j, 'All');
  await j.see('All but archived ones');
  await click(j, 'Pinned');
  await j.see(/Conversations +Pinned/);
  await click(j, 'F1 help');
  await j.see('Help ·');
  const { x, y } = cellOf(j, 'Find: what it does');
  const rows = () =>
    j
      .screen()
      .split('\n')
      .slice(y + 1)
      .join('\n');
  const before = rows();
  for (let n = 0; n < 6; n++) report(j, wheelDown, x, y + 4);
  await j.see(() => rows() !== before);
  report(j, left, 0, 0);
  await j.gone('Help ·');
});

test('dragging moves the divider, and a double click selects a word in the composer', async () => {
  const j = await journey({ seed: talking(withAnn, withBob) });
  await click(j, 'bob');
  await j.see('To bob');
  const divider = cellOf(j, '┬').x;
  j.tui.send(`\x1b[<0;${divider + 1};10M\x1b[<32;${divider + 9};10M\x1b[<0;${divider + 9};10m`);
  await j.see(() => cellOf(j, '┬').x === divider + 8);
  j.type('two words');
  await j.see('two words');
  const word = cellOf(j, 'words', thread);
  for (let n = 0; n < 2; n++) report(j, left, word.x + 2, word.y);
  j.type('letters');
  await j.see('two letters');
});

/** Turns the wheel over the help until the row is there, and clicks on it. */
async function clickInHelp(j: Journey, row: RegExp): Promise<void> {
  await click(j, 'F1 help');
  await j.see('Help ·');
  const { x, y } = cellOf(j, 'Find: what it does');
  for (let turn = 0; turn < 100 && !row.test(j.screen()); turn++) {
    const before = j.screen();
    report(j, wheelDown, x, y + 4);
    await j.see(() => j.screen() !== before);
  }
  await click(j, row.exec(j.screen())?.[0] ?? '');
}

test('a click on a row of the help quits', async () => {
  const j = await journey({ seed });
  await click(j, '▌ann');
  await j.see('To ann');
  await clickInHelp(j, /Quit +\/quit/);
  expect((await j.tui.exited).code).toBe(0);
});

test('clicks on a setting and on the keys below change it', async () => {
  const j = await journey({ seed });
  await click(j, '▌ann');
  await j.see('To ann');
  await clickInHelp(j, /Settings: see, try and change them/);
  await j.see(/undo_send_seconds +0 /);
  await click(j, 'undo_send_seconds');
  await j.see('> undo_send_seconds');
  await click(j, 'undo_send_seconds');
  await j.see(/undo_send_seconds +1 /);
  await click(j, 'Enter save · Esc');
  const file = join(j.folder, 'config/msg-tui/config.toml');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('undo_send_seconds = 1');
  report(j, left, 0, 0);
  await j.gone('Find: part of a name');
});

test('clicks lead to the pinned message, back to the newest one, and to the person named above the thread', async () => {
  const messages = Array.from({ length: 150 }, (_, n) => ({ from: 'ann', text: `line ${n}`, at: -100_000 + n * 60 }));
  const j = await journey({
    seed: talking({ between: ['me', 'ann'], messages, state: { me: { pinned_message: 3 } } }),
  });
  await click(j, '▌ann');
  await j.see('line 149');
  await click(j, '📌', { column: thread });
  // The first message of a day has no dot before it, and the seed's times depend on when the test runs.
  await j.see(/▌[· ] line 3 /);
  await click(j, 'newer ↓', { column: thread });
  await j.gone('newer ↓');
  await j.see(/│ [· ] line 149 /);
  await click(j, 'ann', { column: thread });
  await j.see(/Your note/);
  report(j, left, 0, 0);
  await j.gone('Your note');
});
