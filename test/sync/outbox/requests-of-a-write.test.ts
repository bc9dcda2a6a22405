/** How many requests a message and a reaction cost on our own server; polls are not counted. */
import { expect, test } from 'vitest';
import { openSession, type Session } from '../../../src/session.ts';
import { openInView } from '../../../src/state/view/view.ts';
import { seed } from '../../journeys/cast.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { type Asked, type JourneyServer, startJourneyServer } from '../../support/servers/journey-server.ts';

/** Lists are read by polls; all other requests belong to a write. */
const isOfWrite = ({ method, path }: Asked): boolean => method !== 'GET' || /^[/]v1[/]messages[/]/.test(path);

async function settled(session: Session, server: JourneyServer, write: () => void): Promise<readonly string[]> {
  const from = server.asked.length;
  write();
  await expect.poll(() => session.store.getState().local.outbox.length, { timeout: 10_000 }).toBe(0);
  return server.asked
    .slice(from)
    .filter(isOfWrite)
    .map(({ method, path }) => `${method} ${path.replace(/[?].*/, '').replace(/messages[/].+/, 'messages/:id')}`);
}

test('a message takes one request, and a reaction one that reads and one that writes', async () => {
  const directory = temporaryDirectory();
  const server = await startJourneyServer(`${directory}/server.db`, seed);
  const session = openSession({
    label: 'x',
    server: server.url,
    token: server.me.token,
    insecureHttp: false,
    dataDirectory: `${directory}/data`,
    cacheDirectory: `${directory}/cache`,
  });
  try {
    await session.start();
    const { id: open } = await server.me.conversation('ann');
    session.store.setState(openInView(open));
    session.engine.openConversation(open);
    const texts = () => session.store.getState().cache.threads.get(open)?.messages ?? [];
    await expect.poll(() => texts().length, { timeout: 10_000 }).toBeGreaterThan(0);
    const send = (text: string) => () => session.engine.enqueue({ kind: 'message.send', conversationId: open, text });
    const react = (name: string) => () =>
      session.engine.enqueue({
        kind: 'message.react',
        conversationId: open,
        messageId: texts().at(-1)?.id ?? '',
        name,
        present: true,
        confirmed: true,
      });
    // What the program learns about the server with its first writes is not counted.
    await settled(session, server, send('the first one'));
    await settled(session, server, react('heart'));
    expect(await settled(session, server, send('the second one'))).toEqual(['POST /v1/messages']);
    expect(await settled(session, server, react('tada'))).toEqual(['GET /v1/messages/:id', 'PUT /v1/messages/:id']);
  } finally {
    await session.close();
    await server.close();
  }
});
