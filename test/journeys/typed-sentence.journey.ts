/** Words typed into the list and onto a message at the speed of a typist go to the composer and do nothing else. */
import { expect, test } from 'vitest';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

async function typeSlowly(j: Journey, text: string, everyMs: number): Promise<void> {
  for (const character of text) {
    j.tui.type(character);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';

test('a sentence typed in any pane goes into the composer', async () => {
  const j = await journey({ seed, size: '80x24' });
  await j.open('ann');
  j.press('focus.next');
  await j.see(/━━.*┬ ann/);
  await typeSlowly(j, 'Friday', 200);
  await j.see(/│ Friday +│/);
  expect(j.screen()).not.toContain('Delete this conversation');

  j.press('focus.previous', ['message.previous', 1]);
  await j.see('▌  I will be there');
  await typeSlowly(j, 'did you see it?', 120);
  await j.see(/│ Fridaydid you see it\? +│/);
  expect(j.screen()).not.toContain('Delete this message');
  expect(j.screen()).toContain('I will be there');
  expect(j.server.asked.filter(isWrite)).toEqual([]);

  j.press('focus.previous', ['message.previous', 1], 'message.like');
  await typeSlowly(j, '1 from me', 100);
  await j.see(/it\?\+1 from me +│/);
  expect(j.server.asked.filter(isWrite)).toEqual([]);
});
