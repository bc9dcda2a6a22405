/** New messages while another window has the focus: a notification, the title of the window, and the user's command. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { talking, unread, withAnn, withBob } from './cast.ts';

const away = '\x1b[O';
const back = '\x1b[I';
const told = (body: string): string => `\x1b]777;notify;bob;${body}\x1b\\`;
const hostile = 'And \x1b]0;x\x07 now?';

test('a message notifies while the terminal has no focus', async () => {
  const notifications = [told('Hello?'), told('And ␛]0;x␇ now?')];
  const j = await journey({ seed: talking(withAnn, withBob), env: { TERM_PROGRAM: 'ghostty' }, notifications });
  await j.see('Half of it');
  await j.open('ann');
  await j.tui.waitForOutput('\x1b]2;msg-tui - ann\x1b\\');
  const bob = j.server.as('bob');
  await bob.send('me', 'Hello?');
  // A key means that the focus is back, so that it goes again.
  j.press('server.poll');
  j.tui.send(away);
  await j.tui.waitForOutput(told('Hello?'));
  await j.tui.waitForOutput('\x1b]2;(1) msg-tui - ann\x1b\\');
  await j.see(/1 unread · as of/);
  await bob.send('me', hostile);
  j.press('server.poll');
  j.tui.send(away);
  await j.tui.waitForOutput(told('And ␛]0;x␇ now?'));
  // With the focus only the title and the header show it.
  j.tui.send(back);
  await bob.send('me', 'Half?');
  j.press('server.poll');
  await j.see(unread('bob', 3));
  await j.tui.waitForOutput('\x1b]2;(3) msg-tui - ann\x1b\\');
  await j.quit();
  expect(j.tui.output()).toContain('\x1b[22;2t');
  expect(j.tui.output().trimEnd()).toMatch(/\x1b\[23;2t$/);
});

test('the command of a notification gets the message and not the token', async () => {
  const j = await journey({ seed: talking(withAnn, withBob), start: false });
  const out = join(j.folder, 'told.json');
  const script = `require('fs').writeFileSync(process.argv[1], JSON.stringify({
    title: process.argv[2], env: process.env, ...JSON.parse(require('fs').readFileSync(0, 'utf8')) }))`;
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  const command = JSON.stringify([process.execPath, '-e', script, out, '{title}']);
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), `[notify]\ncommand = ${command}\n`, { mode: 0o600 });
  j.start({ COPY_OF_TOKEN: j.server.me.token });
  await j.see('Half of it');
  await j.server.as('bob').send('me', 'Hello?');
  j.press('server.poll');
  j.tui.send(away);
  await expect
    .poll(() => read(out))
    .toMatchObject({
      schema: 1,
      event: 'messages',
      title: 'bob',
      author: 'bob',
      text: 'Hello?',
      count: 1,
    });
  expect(readFileSync(out, 'utf8')).not.toContain(j.server.me.token);
  await j.quit();
});

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

test('of two chats on one account one notifies of a message, and the other one when that has ended', async () => {
  const notifications = ['one', 'two'].map(told);
  const j = await journey({ seed: talking(withAnn, withBob), env: { TERM_PROGRAM: 'ghostty' }, notifications });
  const bob = j.server.as('bob');
  const first = j.tui;
  // Open in both, so that each of them learns of the message by itself.
  await j.open('bob');
  j.start();
  await j.see('To bob');
  const second = j.tui;
  second.press('f5');
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  for (const tui of [first, second]) tui.send(away);
  await bob.send('me', 'one');
  for (const tui of [first, second]) await tui.waitFor('one');
  await second.waitForOutput(told('one'));
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  expect(first.output()).not.toContain(told('one'));
  second.kill('SIGKILL');
  await second.exited;
  await bob.send('me', 'two');
  await first.waitForOutput(told('two'));
});
