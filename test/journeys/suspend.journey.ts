/** Ctrl-Z gives the terminal to the shell; `fg` brings everything back as it was. */
import { expect, onTestFinished, test } from 'vitest';
import { journey, keyOf } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { spawnTui } from '../support/terminals/pty.ts';
import { seed } from './cast.ts';

test('Ctrl-Z suspends the chat, and fg resumes it', async () => {
  const j = await journey({ seed, start: false });
  const tui = spawnTui({
    command: '/bin/bash',
    args: ['--norc', '--noprofile', '-i'],
    env: {
      ...environmentIn(j.folder),
      MSG_TUI_SERVER: j.server.url,
      MSG_TUI_TOKEN: j.server.me.token,
      PS1: 'prompt> ',
      HISTFILE: undefined,
    },
    columns: 90,
    rows: 20,
  });
  onTestFinished(() => tui.close());
  await tui.waitFor('prompt>');
  tui.type(`"${process.execPath}" "${program}"\r`);
  await tui.waitFor('Half of it');
  tui.press(keyOf('list.first'), keyOf('list.open'));
  await tui.waitFor('To ann');
  tui.type('half a word');
  await tui.waitFor('half a word');
  tui.press(keyOf('app.suspend'));
  await tui.waitFor(/Stopped[\s\S]*prompt>/);
  expect(tui.isAlternate()).toBe(false);
  tui.type('echo back $((20 + 22))\r');
  await tui.waitFor('back 42');
  tui.type(`"${process.execPath}" "${program}" drafts show ann | tr a-z A-Z\r`);
  await tui.waitFor('HALF A WORD');
  tui.type('fg\r');
  await tui.waitFor('half a word');
  expect(tui.isAlternate()).toBe(true);
  tui.type(' and the rest');
  tui.press(keyOf('message.send'));
  await expect.poll(() => j.server.me.texts('ann')).toContain('half a word and the rest');
  tui.press(keyOf('app.quit'));
  await tui.waitFor('back 42');
  await tui.waitFor(() => !tui.isAlternate());
});
