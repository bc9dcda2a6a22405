/** The systemd unit that `serve unit` prints. */
import { afterEach, expect, test } from 'vitest';
import { serveHere } from '../../support/servers/serve-program.ts';

const { MSG_TUI_DATABASE } = process.env;
afterEach(() => {
  if (MSG_TUI_DATABASE === undefined) delete process.env.MSG_TUI_DATABASE;
  else process.env.MSG_TUI_DATABASE = MSG_TUI_DATABASE;
});

/** The values of a key of the unit. */
const valuesOf = (unit: string, key: string): readonly string[] =>
  unit.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

test('runs the server with the options of the command line, hardened, and starts it again after a failure', async () => {
  const words = ['--admin-listen', '127.0.0.1:8788', '--log-requests', '--max-connections', '50', 'unit'];
  const { code, out } = await serveHere('/var/lib/msg-tui/chat.db', ...words);
  expect(code).toBe(0);
  expect(valuesOf(out, 'ExecStart')[0]).toMatch(
    / serve --data \/var\/lib\/msg-tui\/chat\.db --listen 127\.0\.0\.1:8787 --admin-listen 127\.0\.0\.1:8788 --log-requests --max-connections 50$/,
  );
  expect(valuesOf(out, 'Restart')).toEqual(['on-failure']);
  expect(valuesOf(out, 'User')).toEqual(['msg-tui']);
  expect(valuesOf(out, 'ProtectSystem')).toEqual(['strict']);
  expect(valuesOf(out, 'NoNewPrivileges')).toEqual(['yes']);
  expect(valuesOf(out, 'ReadWritePaths')).toEqual([]);
  // The server has ten seconds for the requests under way.
  expect(Number(valuesOf(out, 'TimeoutStopSec')[0])).toBeGreaterThan(10);
});

test('may write where the data file is, and quotes what systemd would read in another way', async () => {
  const { out } = await serveHere('/srv/our chat/50%$x".db', '--listen', '[::1]:80', 'unit', '--user', 'chat');
  expect(valuesOf(out, 'ExecStart')[0]).toContain('--data "/srv/our chat/50%%$$x\\".db" --listen [::1]:80');
  expect(valuesOf(out, 'ReadWritePaths')).toEqual(['"/srv/our chat"']);
  // systemd replaces variables in command lines alone, so there the sign is written twice.
  expect(valuesOf((await serveHere('/srv/50%$/x.db', 'unit')).out, 'ReadWritePaths')).toEqual(['/srv/50%%$']);
  expect(valuesOf(out, 'User')).toEqual(['chat']);
  expect((await serveHere('x.db', 'unit', '--user', 'a b')).err).toMatch(/name of a user/);
});

test('has the capability for a port below 1024 if it listens on one, and no other', async () => {
  const of = async (...words: string[]) => {
    const { out } = await serveHere('/srv/chat.db', ...words, 'unit');
    return ['AmbientCapabilities', 'CapabilityBoundingSet'].map((key) => valuesOf(out, key));
  };
  expect(await of()).toEqual([[], ['']]);
  for (const words of [
    ['--listen', '127.0.0.1:80'],
    ['--admin-listen', '127.0.0.1:81'],
  ])
    expect(await of(...words)).toEqual([['CAP_NET_BIND_SERVICE'], ['CAP_NET_BIND_SERVICE']]);
});

test('sees the temporary files of others only if the data file or the program is one of them', async () => {
  const temporary = await unitOf('/opt/msg-tui/msg-tui.cjs', '/var/tmp/chat.db');
  expect(valuesOf(temporary, 'PrivateTmp')).toEqual(['no']);
  expect(valuesOf(temporary, 'ReadWritePaths')).toEqual(['/var/tmp']);
  expect(valuesOf(await unitOf('/tmp/msg-tui.cjs', '/srv/chat.db'), 'PrivateTmp')).toEqual(['no']);
  expect(valuesOf(await unitOf('/opt/msg-tui/msg-tui.cjs', '/srv/tmp/chat.db'), 'PrivateTmp')).toEqual(['yes']);
});

/** The unit of a program that lies in this file. */
async function unitOf(program: string, data: string): Promise<string> {
  const [, running = ''] = process.argv;
  process.argv[1] = program;
  try {
    return (await serveHere(data, 'unit')).out;
  } finally {
    process.argv[1] = running;
  }
}

test('the unit has no secret in it', async () => {
  process.env.MSG_TUI_DATABASE = 'postgres://chat:secret@db.example/chat';
  const { code, out } = await serveHere(null, 'unit');
  expect(code).toBe(0);
  expect(out).not.toContain('secret');
  expect(valuesOf(out, 'EnvironmentFile')).toEqual(['-/etc/msg-tui.env']);
});
