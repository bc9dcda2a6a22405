/** Two accounts on two servers in one run: each keeps its words, and the screen is never given back in between. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { typingMs } from '../../src/state/view/overlays.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { seed, talking } from './cast.ts';
import { nothingSetUp } from './signing-in.ts';

const fromHome = 'Dinner is at eight';

/** The servers run in this process, so it does not wait for the program. */
async function signIn(j: Journey, profile: string, server: string, token: string): Promise<string> {
  const args = [program, 'login', '--profile', profile, '--server', server, '--token-stdin'];
  const env = { PATH: process.env.PATH, ...environmentIn(j.folder) };
  const running = promisify(execFile)(process.execPath, args, { env });
  running.child.stdin?.end(`${token}\n`);
  const { stdout, stderr } = await running;
  expect(stderr).toBe('');
  return stdout;
}

/** Goes to the only other account. */
async function goToOther(j: Journey): Promise<void> {
  j.press('goto.open');
  j.type('>go to another account');
  await j.see('/profile');
  j.tui.press('enter');
  await j.see('Go to the account');
  await new Promise((resolve) => setTimeout(resolve, typingMs + 100));
  j.press('choice.accept');
}

test('a message without an answer is named when the chat goes to another account', async () => {
  const never = new Promise<never>(() => undefined);
  const j = await journey({
    seed,
    env: nothingSetUp,
    start: false,
    hook: (request, next) => (request.method === 'POST' ? never : next()),
  });
  const home = await startJourneyServer(join(j.folder, 'other-server.db'), seed);
  onTestFinished(() => home.close());
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), 'keyring = false\n');
  await signIn(j, 'work', j.server.url, j.server.me.token);
  await signIn(j, 'home', home.url, home.me.token);
  j.start();
  await j.open('ann');
  const posted = j.server.nextAsked(({ method }) => method === 'POST');
  j.type('did it arrive?');
  j.press('message.send');
  await posted;
  await goToOther(j);
  await j.see('It is not known whether one message in work');
});

test('the chat goes to another account and back', async () => {
  const j = await journey({ seed, env: nothingSetUp, start: false });
  const away = talking({ between: ['me', 'bob'], messages: [{ from: 'bob', text: fromHome, at: -600 }] });
  const home = await startJourneyServer(join(j.folder, '..', 'home.db'), away);
  onTestFinished(() => home.close());
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), 'keyring = false\n');
  expect(await signIn(j, 'work', j.server.url, j.server.me.token)).toContain('as profile "work"');
  await signIn(j, 'home', home.url, home.me.token);

  j.start();
  await j.open('ann');
  await j.see('Bring the tickets');
  await j.server.stop();
  j.type('waits in work');
  j.press('message.send');
  await j.see('1 queued');
  j.type('a draft for ann');
  await j.see('a draft for ann');
  await goToOther(j);
  await j.see('One change waits in work');
  await j.open('bob');
  await j.see(fromHome);
  expect(j.screen()).toMatch(/msg-tui {2}home/);
  expect(j.screen()).not.toMatch(/tickets|waits in work\b(?! and)|draft for ann|To ann/);
  j.type('on my way');
  j.press('message.send');
  await expect.poll(() => home.as('bob').texts('me')).toEqual([fromHome, 'on my way']);

  await j.server.start();
  j.type('/profile wo');
  j.tui.press('enter');
  await j.see('a draft for ann');
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('waits in work');
  await j.gone('queued');
  expect(j.screen()).not.toContain('Dinner');
  expect(home.asked.every(({ token }) => token === home.me.token)).toBe(true);
  expect(j.server.asked.every(({ token }) => token === j.server.me.token)).toBe(true);
  expect((await j.quit()).code).toBe(0);
  // The alternate screen is entered once and left once.
  expect(j.tui.output().split('\x1b[?1049h')).toHaveLength(2);
  expect(j.tui.output().split('\x1b[?1049l')).toHaveLength(2);
});

test('login on a terminal asks for server and token, and does not show the token', async () => {
  const j = await journey({ seed, env: nothingSetUp, args: ['login', '--profile', 'work'] });
  await j.see('Server:');
  j.tui.send(`${j.server.url}\r`);
  await j.see('Token (not shown):');
  // What a terminal shows while the program reads: the journey ends with a search of the output for the token.
  j.tui.send(`${j.server.me.token}\r`);
  await j.see('as profile "work"');
  expect((await j.tui.exited).code).toBe(0);
});
