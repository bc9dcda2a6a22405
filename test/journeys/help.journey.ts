/** All commands, from the one table: searched, run and asked for another key. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

test('the help finds and runs commands, and closes', async () => {
  const j = await journey({ seed, size: '80x24' });
  await j.open('ann');
  await j.see(/ann: I do[\s\S]*Enter send/);
  await j.see(/│ {3}Bring the tickets/);
  const before = j.screen();
  j.press('help.open');
  await j.see(/Help · \d+ commands/);
  await j.see(/> Send; when editing, save +Enter ││/);
  j.press('layer.back');
  await j.gone('Help ·');
  await j.see((screen) => screen.slice(1).join('\n') === before.split('\n').slice(1).join('\n'));
  expect(j.screen()).toContain('Write a message');

  j.press('help.open');
  await j.see('Help ·');
  j.type('next unread');
  await j.see(/> Open the next unread conversation {2}\/unread/);
  j.press('help.changeKey');
  await j.see('Press the new key for "Open the next unread conversation"');
  j.press('server.poll');
  await j.see(/F5 is "Ask the server now" in every pane\.[\s\S]*Enter takes F5/);
  j.press('layer.back');
  await j.gone('Press the new key');
  j.press('help.close');
  await j.gone('Help ·');
  await j.see('Write a message');
});
