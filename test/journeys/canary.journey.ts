/** The token is found nowhere but where it is kept: not on the screen, in files, in arguments or in what a server throws back (TP13). */
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestHook } from '../../src/server/http/start.ts';
import { digestOf } from '../../src/server/store/secrets.ts';
import { openDatabase } from '../../src/storage/sqlite/driver.ts';
import { filesWithToken, holdsToken, processesWithToken } from '../support/system/canary.ts';
import { type Journey, journey } from '../support/terminals/journey.ts';
import { seed } from './cast.ts';
import { connect, nothingSetUp } from './signing-in.ts';

/** Everything a server could do to make a client show or write what it was sent. */
const echo: RequestHook = async (request, next) => {
  const authorization = request.headers.get('authorization') ?? '';
  const headers = {
    'request-id': authorization,
    'x-token': authorization,
    location: `https://x.example/${authorization}`,
  };
  if (request.method === 'POST')
    return Response.json({ error: { message: `no: ${authorization}`, code: authorization } }, { status: 400, headers });
  if (request.method === 'PUT') return new Response(`<pre>${authorization}</pre>`, { status: 500, headers });
  if (request.method === 'DELETE') return new Response(null, { status: 307, headers });
  return next();
};

/** Makes it a token of the user `me`; the server itself only makes short ones. */
function addToken(j: Journey, token: string): void {
  const database = openDatabase(join(j.folder, '..', 'server.db'));
  const copy = 'SELECT ?, ?, person_seq, ?, 0 FROM tokens WHERE digest = ?';
  database
    .prepare(`INSERT INTO tokens (id, digest, person_seq, label, created_at) ${copy}`)
    .run('canary', digestOf(token), 'canary', digestOf(j.server.me.token));
  database.close();
}

async function provoke(j: Journey): Promise<void> {
  await j.open('ann');
  await j.see('Bring the tickets');
  j.server.setHook(echo);
  j.type('refused with an echo');
  j.press('message.send');
  await j.see('Bearer [token]');
}

test('a token of the environment is in no file, output or argument', async () => {
  const j = await journey({ seed });
  await provoke(j);
  expect(processesWithToken(j.server.me.token, j.tui.pid)).toEqual([]);
  expect(j.screen()).not.toContain(j.server.me.token);
  await j.quit();
  expect(j.tui.output()).not.toContain(j.server.me.token);
  expect(j.filesWith(j.server.me.token)).toEqual([]);
});

test('no part of a long token that the server repeats is on the screen, in doctor or in a file', async () => {
  const long = `eyJhbGciOiJIUzI1NiJ9.${'q7Wz'.repeat(57)}.k`;
  const says = (status: number) =>
    Response.json(
      { message: `Invalid token ${long}` },
      { status, headers: { 'request-id': `${'r'.repeat(150)}${long}` } },
    );
  const args: string[] = [];
  const j = await journey({ seed, args, env: { MSG_TUI_TOKEN: long }, start: false });
  addToken(j, long);
  j.start();
  await j.open('ann');
  await j.see('Bring the tickets');
  j.server.setHook(async (request, next) => (request.method === 'POST' ? says(400) : next()));
  j.type('refused with a long echo');
  j.press('message.send');
  await j.see('Invalid token');
  j.server.setHook(async () => says(401));
  j.press('server.poll');
  await j.see('token refused');
  await j.quit();
  const outputs = [j.tui.output()];
  for (const command of [['doctor'], ['doctor', '--json']]) {
    args.splice(0, args.length, ...command);
    j.start();
    await j.tui.exited;
    outputs.push(j.tui.output());
  }
  // A failing comparison must not print the token either.
  expect(outputs.map((output) => holdsToken(output, long))).toEqual([false, false, false]);
  expect(outputs.map((output) => output.includes('[token]'))).toEqual([true, true, true]);
  expect(filesWithToken(j.folder, long)).toEqual([]);
});

test('a token typed into the welcome screen is in the credentials file only', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await connect(j);
  await provoke(j);
  await j.quit();
  expect(j.tui.output()).not.toContain(j.server.me.token);
  expect(j.filesWith(j.server.me.token).map((file) => basename(file))).toEqual(['credentials.json']);
});
