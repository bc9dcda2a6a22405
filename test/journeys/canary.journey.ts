/** The token is found nowhere but where it is kept: not on the screen, in files, in arguments or in what a server throws back (TP13). */
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestHook } from '../../src/server/request-hook.ts';
import { processesWithToken } from '../support/canary.ts';
import { type Journey, journey } from '../support/journey.ts';
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

async function provoke(j: Journey): Promise<void> {
  await j.open('ann');
  await j.see('Bring the tickets');
  j.server.setHook(echo);
  j.type('refused with an echo');
  j.press('message.send');
  await j.see('Bearer [token]');
}

test('given by the environment: nowhere', async () => {
  const j = await journey({ seed });
  await provoke(j);
  expect(processesWithToken(j.server.me.token, j.tui.pid)).toEqual([]);
  expect(j.screen()).not.toContain(j.server.me.token);
  await j.quit();
  expect(j.tui.output()).not.toContain(j.server.me.token);
  expect(j.filesWith(j.server.me.token)).toEqual([]);
});

test('typed into the welcome screen: in the credentials alone', async () => {
  const j = await journey({ seed, env: nothingSetUp });
  await connect(j);
  await provoke(j);
  await j.quit();
  expect(j.tui.output()).not.toContain(j.server.me.token);
  expect(j.filesWith(j.server.me.token).map((file) => basename(file))).toEqual(['credentials.json']);
});
