/** A formatted message in the program as it ships: the parser and the colours are files that are loaded after the start. */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';

const text = 'A **bold** plan:\n- see [the map](https://a.example/map)\n- ||it sinks||\n\n```js\nconst x = "hi";\n```';

test('draws formatted text, uncovers spoilers when the message is selected, and shows the text as typed on demand', async () => {
  const j = await journey({ seed, start: false });
  await j.server.as('ann').send('me', text);
  j.start();
  await j.open('ann');
  await j.see('A bold plan:');
  await j.see('• see the map (a.example)');
  await j.see('• ▒▒ ▒▒▒▒▒');
  await j.see('│ const x = "hi";');
  await expect.poll(() => j.tui.output()).toMatch(/\x1b\[[0-9;]*38;5;183mconst/);
  // The terminal gets the address with the text.
  expect(j.tui.output()).toMatch(/\x1b\]8;id=\w+;https:\/\/a\.example\/map\x1b\\(?:\x1b\[[0-9;]*m)?the map/);

  j.press('focus.previous', 'message.last');
  await j.see('• it sinks');
  j.press('message.raw');
  await j.see('A **bold** plan:');
  j.press('message.raw');
  await j.see('A bold plan:');
  await j.quit();

  // The first frame of the next start has it formatted, before the parser is loaded.
  j.start();
  await j.see('• see the map (a.example)');
  expect(j.tui.output()).not.toContain('[the map]');
});
