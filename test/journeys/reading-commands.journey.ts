/** The commands that read, as a program: in a pipe, on a narrow terminal, without colours, and how fast `unread` is. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { width } from '../../src/text/unicode/width.ts';
import { startJourneyServer } from '../support/servers/journey-server.ts';
import { environmentIn, program } from '../support/terminals/program.ts';
import { spawnTui } from '../support/terminals/pty.ts';
import { shareCode } from '../support/terminals/shared-code.ts';
import { seed } from './cast.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function stage() {
  const folder = mkdtempSync(join(tmpdir(), 'msg-tui-reading-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startJourneyServer(join(folder, 'server.db'), seed);
  onTestFinished(() => server.close());
  await shareCode(join(folder, 'home'));
  const account = { MSG_TUI_SERVER: server.url, MSG_TUI_TOKEN: server.me.token };
  const env = { PATH: process.env.PATH ?? '', ...environmentIn(join(folder, 'home')), ...account };
  const shell = (script: string, more: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    new Promise((resolve) => {
      const args = ['-c', script, 'sh', process.execPath, program];
      const child = execFile('sh', args, { env: { ...env, ...more } }, (error, out, err) =>
        resolve({ code: Number(error?.code ?? 0), out, err }),
      );
      child.stdin?.end();
    });
  return { server, env, shell };
}

test('reading commands work in pipes, on a narrow terminal, and in a status bar', async () => {
  const { server, env, shell } = await stage();
  await server.as('bob').send('me', 'Hello \u001b[31mthere, this is a text that is far longer than forty columns');
  const listed = await shell('"$1" "$2" conversations', { FORCE_COLOR: '1' });
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out.split('\n')).toHaveLength(4);
  expect(listed.out).toMatch(/^\S{16} {2}bob {2,}1 .*forty columns\n/);
  expect(listed.out).not.toContain('\u001b');
  const cut = await shell('"$1" "$2" read ann --json --cached | head -1', { NO_COLOR: '1' });
  expect(cut).toEqual({ code: 0, out: '{\n', err: '' });
  const unknown = await shell('"$1" "$2" read nobody --cached --json');
  expect(unknown).toMatchObject({ code: 5, out: '' });
  expect(JSON.parse(unknown.err)).toEqual({
    schema: 1,
    error: { code: 'not_found', message: expect.stringMatching(/^there is no conversation "nobody"/) },
  });
  expect(JSON.parse((await shell('"$1" "$2" read --json')).err).error.code).toBe('usage');
  expect(await shell('"$1" "$2" unread')).toEqual({ code: 0, out: '1\n', err: '' });

  const tui = spawnTui({ args: [program, 'conversations', '--cached'], env, columns: 40, rows: 12 });
  onTestFinished(() => tui.close());
  expect((await tui.exited).code).toBe(0);
  const rows = tui.screen().filter((row) => row !== '');
  expect(rows).toHaveLength(4);
  expect(rows[0]).toMatch(/^ID +NAME +UNREAD/);
  expect(rows.every((row) => width(row) <= 40)).toBe(true);
});

test('a document is complete in a pipe that is slow, also where the server was not reached', async () => {
  const { server, shell } = await stage();
  for (let count = 0; count < 20; count += 1) await server.as('bob').send('me', String(count % 10).repeat(9_000));
  expect((await shell('"$1" "$2" read bob')).code).toBe(0);
  await server.close();
  const read = '"$1" "$2" read bob --limit 20 --json';
  const { out, err } = await shell(`{ ${read} 2>/dev/null; echo $? >&2; } | { sleep 1; cat; }`);
  expect(err).toBe('4\n');
  expect(JSON.parse(out).messages).toHaveLength(20);
});

/** Seconds of processor time of one run; the fastest of several, as others work beside. */
async function processorSeconds(shell: (script: string) => Promise<Ended>, command: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 5; run++) {
    const { out } = await shell(`"$1" "$2" ${command} > /dev/null; times`);
    const times = [...(out.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    best = Math.min(
      best,
      times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0),
    );
  }
  return best;
}

test.skipIf(process.platform === 'win32')('unread takes hardly more processor time than --version', async () => {
  const { shell } = await stage();
  expect((await shell('"$1" "$2" conversations')).code).toBe(0);
  const version = await processorSeconds(shell, '--version');
  const unread = await processorSeconds(shell, 'unread');
  expect(version).toBeGreaterThan(0);
  // docs/performance.md has the measured ratio; commander alone or the client of the server would be more than this.
  expect(unread / version).toBeLessThan(2);
});
