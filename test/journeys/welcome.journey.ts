/** The first start: the demo, or a service of one's own that the next start opens by itself. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';
import { nothingSetUp } from './signing-in.ts';

test('the welcome screen opens the demo', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await j.see('> Try the built-in demo');
  j.tui.press('enter');
  await j.see('Harbour');
  await j.see('demo');
  await j.see(/To guide/);
  j.type('hello everybody');
  j.press('message.send');
  await j.see(/You: hello everybody/);
  await j.gone(/queued|sending/);
  expect((await j.quit()).code).toBe(0);
  expect(j.server.asked).toEqual([]);
});

test('the guide of the demo names the keys of a profile that is chosen while it runs', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await j.see('> Try the built-in demo');
  j.tui.press('enter');
  await j.see(/To guide/);
  j.type('/set keys.profile vim');
  j.press('message.send');
  await j.see('keys.profile');
  for (const _ of ['to the second task', 'to the third']) {
    j.type('skip');
    j.press('message.send');
    await j.see(/You: skip/);
    await j.see(/Skipped\.[\s\S]*this message/);
  }
  await j.see(/another reaction,\s+press g r/);
  await j.quit();
});

test('the welcome screen connects to a service', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await j.see('> Try the built-in demo');
  j.tui.press('down');
  await j.see('> Connect to a service');
  j.tui.press('enter');
  await j.see('Server');
  j.type('http://chat.example');
  await j.see('http://chat.example');
  j.tui.press('enter');
  await j.see('plain http would send the token readable');
  expect(j.screen()).not.toContain('Token');

  j.tui.press('home');
  j.tui.press('alt+k');
  await j.see('https://chat.example.com');
  j.paste(`${j.server.url}/v1/`);
  await j.see(j.server.url);
  j.tui.press('enter');
  await j.see('Token');
  j.type('wrong-token');
  await j.see('*****');
  j.tui.press('enter');
  await j.see('! ');
  expect(j.server.asked.length).toBeGreaterThan(0);
  expect(j.filesWith('server =')).toEqual([]);

  j.tui.press('ctrl+u');
  await j.gone('*****');
  j.paste(j.server.me.token);
  await j.see('*****');
  j.tui.press('enter');
  await j.see('Bring the tickets');
  // Nothing is there of a desktop's session: said once, here.
  if (process.platform === 'linux') await j.see('No keyring (there is none in this session): the token is in');
  expect(j.tui.output()).not.toContain(j.server.me.token);
  await j.quit();

  const [kept, ...others] = j.filesWith(j.server.me.token);
  expect([kept, others]).toEqual([join(j.folder, 'data/msg-tui/credentials.json'), []]);
  expect(statSync(kept ?? '').mode & 0o777).toBe(0o600);
  j.start();
  await j.see('Bring the tickets');
  expect(j.screen()).not.toContain('Connect');
  expect(j.tui.output()).not.toContain('keyring');
});

test('Ctrl-Q quits from the menu', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await j.see('The demo needs neither');
  await j.see('> Try the built-in demo');
  expect((await j.quit()).code).toBe(0);
  expect(j.tui.isAlternate()).toBe(false);
});
