/** Everything of a short visit with the mouse alone: no key is pressed until the program has ended. */
import { expect, test } from 'vitest';
import { typingMs } from '../../src/state/view/overlays.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const buttons = { left: 0, right: 2 } as const;

/** Presses and releases a button on the first letter of the text, where it is shown last. */
async function click(j: Journey, text: string, button: keyof typeof buttons = 'left'): Promise<void> {
  await j.see(text);
  const rows = j.tui.screen();
  const y = rows.findLastIndex((row) => row.includes(text));
  const at = `${buttons[button]};${(rows[y]?.lastIndexOf(text) ?? 0) + 1};${y + 1}`;
  j.tui.send(`\x1b[<${at}M\x1b[<${at}m`);
}

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('open, react, delete, filter, look something up and leave', async () => {
  const j = await journey({ seed });
  await click(j, 'Bring the tickets');
  await j.see('To ann');
  await click(j, 'The ferry leaves', 'right');
  await click(j, 'Give or take back 👍');
  await j.see('[👍 1]');
  await expect.poll(() => j.server.me.reactions('ann', 'The ferry leaves at nine')).toEqual({ '+1': ['me'] });
  await click(j, '👍 1');
  await j.gone('[👍 1]');
  expect(j.screen()).not.toContain('(edited)');

  await click(j, 'I will be there', 'right');
  await click(j, 'Delete your message');
  await j.see('Delete this message for everybody?');
  // A question takes no answer in its first moments, as somebody may still be typing.
  await rest(typingMs + 600);
  await click(j, 'Enter yes');
  await j.gone('I will be there');
  await expect.poll(() => j.server.me.texts('ann')).not.toContain('I will be there');

  await click(j, 'F1 help');
  await j.see(/Help · \d+ commands/);
  await rest(600);
  j.tui.send(`\x1b[<0;2;15M\x1b[<0;2;15m`);
  await j.gone('Help ·');

  await click(j, 'All ▾');
  await click(j, 'Muted');
  await click(j, 'Muted ▾');
  await rest(600);
  await click(j, 'All but archived ones');
  await j.see(/│ bob +\d/);

  await rest(600);
  await click(j, 'F1 help');
  await j.see(/Help · \d+ commands/);
  await rest(600);
  for (let turn = 0; turn < 100 && !j.screen().includes('  Quit  /quit'); turn++) {
    j.tui.send('\x1b[<65;50;15M');
    await rest(30);
  }
  await click(j, '  Quit  /quit');
  expect((await j.tui.exited).code).toBe(0);
});
