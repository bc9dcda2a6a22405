/** The demo: what is removed at its end, and what its server and the user's configuration are to it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { removeFolder, startDemo } from '../../../src/cli/chat/demo.ts';
import { policyOf } from '../../../src/protocol/server-policy.ts';
import { withRecords } from '../../../src/state/local/records.ts';
import { emptyLocal } from '../../../src/state/store.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('at the end nobody answers any more, and the database is closed before its folder is removed', async () => {
  const planned = timers();
  const before = process.listeners('exit');
  const { server, token, dataDirectory } = await startDemo((id) => id);
  const [leave] = process.listeners('exit').filter((listener) => !before.includes(listener));
  if (leave === undefined) throw new Error('nothing is done at the end');
  onTestFinished(() => void process.off('exit', leave));
  const status = async () =>
    (await fetch(`${server}/v1/conversations`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await status()).toBe(200);
  expect(timers()).toBeGreaterThan(planned);
  leave(0);
  expect(timers()).toBeLessThanOrEqual(planned);
  // Windows removes no open file.
  expect(existsSync(dirname(dataDirectory))).toBe(false);
  // A database that is still open would answer from the file that has no name any more.
  expect(await status()).toBe(500);
});

test('the first reaction is sent without a question, as it is known what the server of the demo does with it', async () => {
  const before = process.listeners('exit');
  const { records = [] } = await startDemo((id) => id);
  const [leave] = process.listeners('exit').filter((listener) => !before.includes(listener));
  onTestFinished(() => {
    leave?.(0);
    if (leave !== undefined) process.off('exit', leave);
  });
  const { capabilities, names } = withRecords(emptyLocal, records);
  const { putMessage, reactions } = policyOf(capabilities);
  expect([putMessage, reactions]).toMatchObject([
    { text: 'kept', reactions: 'kept', files: 'kept' },
    { rule: 'add', asksBeforeRisk: false },
  ]);
  expect([...names.values()]).toContain('Harbour crew');
});

test('the chat changes a copy of the configuration, with its themes and snippets', async () => {
  const home = temporaryDirectory();
  vi.stubEnv('XDG_CONFIG_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(home, 'msg-tui', 'themes'), { recursive: true });
  writeFileSync(join(home, 'msg-tui', 'config.toml'), 'density = "compact"\n');
  writeFileSync(join(home, 'msg-tui', 'themes', 'mine.toml'), 'name = "mine"\n');
  const before = process.listeners('exit');
  const { configFile = '' } = await startDemo((id) => id);
  const [leave] = process.listeners('exit').filter((listener) => !before.includes(listener));
  onTestFinished(() => {
    leave?.(0);
    if (leave !== undefined) process.off('exit', leave);
  });
  expect(configFile.startsWith(home)).toBe(false);
  expect(readFileSync(configFile, 'utf8')).toBe('density = "compact"\n');
  expect(existsSync(join(dirname(configFile), 'themes', 'mine.toml'))).toBe(true);
});

test('the folder of the demo is removed with its files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-demo-'));
  writeFileSync(join(folder, 'server.db'), '');
  removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

test('a file that Windows does not remove because it is open causes no error', () => {
  const refuse = (): never => {
    throw Object.assign(new Error('EBUSY: resource busy or locked'), { code: 'EBUSY' });
  };
  expect(() => removeFolder('demo', refuse)).not.toThrow();
});
