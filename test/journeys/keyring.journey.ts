/** The keyring of a desktop: a token that is set up is stored only there, and the next start finds it. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isFullRun } from '../support/campaigns/partition.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';
import { acceptToken, connect, enterToken, nothingSetUp, refuseToken } from './signing-in.ts';

const isInstalled = (command: string): boolean => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
/** Elsewhere the keyring is the user's own. */
const isLinux = process.platform === 'linux';
const hasKeyring = isLinux && isInstalled('gnome-keyring-daemon') && isInstalled('dbus-run-session');

/** A session bus of its own with a Secret Service on it, whose keyring is opened with this password. */
const desktop = (password: string) =>
  [
    'dbus-run-session',
    '--',
    'sh',
    '-c',
    `mkdir -p "$XDG_DATA_HOME" "$XDG_CACHE_HOME"; printf ${password} | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$@"`,
    'sh',
  ] as const;

test.skipIf(!hasKeyring)('a token is stored in the keyring, read at the next start, and renewed', async () => {
  const j = await journey({ seed, env: nothingSetUp, wrapper: desktop('sesame') });
  await connect(j);
  await j.see('Bring the tickets');
  expect(j.screen()).not.toContain('No keyring');
  await j.quit();
  expect(j.filesWith(j.server.me.token)).toEqual([]);
  expect(j.filesWith('"keyring": "').map((file) => basename(file))).toEqual(['credentials.json']);

  j.start();
  await j.see('Bring the tickets');
  await j.see('as of');
  expect(j.server.asked.at(-1)?.token).toBe(j.server.me.token);

  const renewed = await refuseToken(j);
  await enterToken(j, 'The server refused the token', renewed);
  await acceptToken(j);
  await j.gone('token refused');
  await j.see('as of');
  await j.quit();
  j.start();
  await j.see('Bring the tickets');
  await j.see('as of');
  expect(j.server.asked.at(-1)?.token).toBe(renewed);
  expect(j.filesWith(renewed)).toEqual([]);
  // The bus ends with the program that was started on it, when that ends by itself.
  await j.quit();
});

/** A session bus that takes what it is asked, and never answers. */
async function silentBus(j: Journey): Promise<{ readonly DBUS_SESSION_BUS_ADDRESS: string }> {
  mkdirSync(j.folder, { recursive: true });
  const bus = join(j.folder, 'bus');
  const silent = createServer(() => undefined).listen(bus);
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  return { DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
}

/** An account that was looked at once; its token is said to lie in the keyring now. */
async function tokenInKeyring(): Promise<Journey> {
  const j = await journey({ seed, env: nothingSetUp, start: false });
  const keep = (line: unknown): void => {
    const tokens = { [j.server.url]: { work: line } };
    writeFileSync(join(j.folder, 'data/msg-tui/credentials.json'), JSON.stringify({ version: 1, tokens }), {
      mode: 0o600,
    });
  };
  for (const folder of ['data', 'config'])
    mkdirSync(join(j.folder, folder, 'msg-tui'), { recursive: true, mode: 0o700 });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), `[profiles.work]\nserver = "${j.server.url}"\n`);
  keep(j.server.me.token);
  j.start();
  await j.see('Bring the tickets');
  await j.see('as of');
  await j.quit();
  keep({ keyring: 'work, somewhere' });
  return j;
}

test.skipIf(!isLinux)(
  'without a keyring at the start the cached messages are shown with what is missing, and a new token continues',
  async () => {
    const j = await tokenInKeyring();
    j.start();
    await j.see('Bring the tickets');
    await j.see('no token · keyring: there is none');
    await j.see('F5 asks it again, Ctrl-T takes a new token');
    await enterToken(j, 'There is no token', j.server.me.token);
    await acceptToken(j);
    await j.gone('no token');
    await j.see('as of');
    await j.see('No keyring (there is none in this session)');
    await j.quit();
    j.start();
    await j.see('as of');
    expect(j.tui.output()).not.toContain('keyring');
  },
);

test.skipIf(!isLinux)('a keyring that does not answer delays neither the first frame nor the keys', async () => {
  const j = await tokenInKeyring();
  j.start(await silentBus(j));
  await j.see('Bring the tickets');
  await j.see('connecting');
  await j.open('ann');
  j.type('written meanwhile');
  await j.see('written meanwhile');
  await j.see('Waiting for the keyring');
  j.press('message.send');
  expect((await j.quit()).code).toBe(0);
  // Nothing had left, so that nothing is unsure.
  j.start({ MSG_TUI_TOKEN: j.server.me.token });
  await expect.poll(() => j.server.as('ann').texts('me')).toContain('written meanwhile');
  await j.gone(/queued|unsure|sending/);
});

test.skipIf(!isLinux || !isFullRun).each(['quit', 'SIGTERM'] as const)(
  'if a keyring does not answer before the end (%s), the file has the new token, and the last line says so',
  async (way) => {
    const j = await journey({ seed, env: nothingSetUp });
    await connect(j);
    await j.see('No keyring');
    await j.quit();
    j.start(await silentBus(j));
    await j.see('as of');
    const renewed = await refuseToken(j);
    await enterToken(j, 'The server refused the token', renewed);
    await acceptToken(j);
    await j.gone('token refused');
    await j.see('as of');
    if (way === 'quit') await j.quit();
    else {
      j.tui.kill(way);
      expect((await j.tui.exited).code).toBe(143);
    }
    expect(j.tui.output().split('\x1b[?1049l').at(-1)).toContain(
      'msg-tui: No keyring (it had not answered yet): the token is in',
    );
    expect(j.filesWith(renewed).map((file) => basename(file))).toEqual(['credentials.json']);
    j.start();
    await j.see('as of');
  },
);

test.skipIf(!isLinux)('leaving the welcome screen while the keyring is asked keeps the account', async () => {
  const j = await journey({ seed, env: nothingSetUp, start: false });
  j.start(await silentBus(j));
  await connect(j);
  await j.see('Saving the token');
  j.tui.press('ctrl+q');
  expect((await j.tui.exited).code).toBe(0);
  expect(j.tui.output()).toContain('msg-tui: No keyring (it had not answered yet): the token is in');
  j.start();
  await j.see('Bring the tickets');
  await j.see('as of');
});
