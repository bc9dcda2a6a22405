/** Polls that bring nothing write nothing, and drawing anew does not clear the scrollback. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const clock = (): string => new Date().toTimeString().slice(0, 5);

const minuteOf = (): number => Math.floor(Date.now() / 60_000);

test('an idle chat writes no bytes', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  const nextPoll = () => j.server.nextAsked(({ path }) => path.startsWith('/v1/messages?'));
  for (;;) {
    // Soon after a conversation is opened, it is polled often enough for four polls in a minute.
    j.press('conversation.next');
    await j.see('To bob');
    j.press('conversation.previous');
    await j.see('To ann');
    await j.see(/ann: I do/);
    await nextPoll();
    const minute = minuteOf();
    // The header shows the minute of the last answer: one poll after the full minute has to write.
    await nextPoll();
    await j.see((screen) => minuteOf() !== minute || (screen[0] ?? '').includes(`as of ${clock()}`));
    const bytes = j.tui.output().length;
    await nextPoll();
    await nextPoll();
    // Times of day are on the screen: a measure across a full minute is none.
    if (minuteOf() !== minute) continue;
    expect(j.tui.output().slice(bytes)).toBe('');
    return;
  }
});

test('drawing anew restores the screen', async () => {
  const j = await journey({ seed });
  await j.open('ann');
  await j.see(/│ {3}Bring the tickets/);
  await j.see(/ann: I do/);
  const before = j.screen();
  const bytes = j.tui.output().length;
  // Something else wrote into the screen.
  j.press('screen.redraw');
  await j.see(() => j.tui.output().length > bytes + 500);
  await j.see((screen) => screen.slice(1).join('\n') === before.split('\n').slice(1).join('\n'));
});
