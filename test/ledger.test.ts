/** What leaves this machine: a whole session against our own server, watched at its sockets and in the ledger. */
import { channel } from 'node:diagnostics_channel';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../src/api/client.ts';
import { type PictureOptions, startPictures } from '../src/cli/chat/pictures.ts';
import { readEnvironment } from '../src/config/environment.ts';
import { openSession, type Session } from '../src/session.ts';
import { defaultSettings } from '../src/state/model/settings.ts';
import { allowPictureHost } from '../src/state/pictures/transitions.ts';
import { openInView } from '../src/state/view/view.ts';
import type { RequestEntry } from '../src/storage/ledger/entry.ts';
import { readLedger } from '../src/storage/ledger/read-ledger.ts';
import { type OwnTarget, openOwnTarget } from './contract/target.ts';
import { temporaryDirectory } from './storage/builders.ts';

const patience = { timeout: 10_000, interval: 20 };
const secretText = 'The ferry leaves at nine';

/** The ports that this process has connected to since. */
function watchConnections(): () => readonly number[] {
  const ports: number[] = [];
  const note = (message: unknown): void => {
    const { socket } = message as { readonly socket: Socket };
    socket.once('connect', () => ports.push(socket.remotePort ?? 0));
  };
  const opened = channel('net.client.socket');
  opened.subscribe(note);
  onTestFinished(() => opened.unsubscribe(note));
  return () => [...new Set(ports)];
}

/** A host of pictures. */
async function pictureHost() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('no picture');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { host: `127.0.0.1:${port}`, port, asked };
}

async function conversationWithPicture(target: OwnTarget, host: string): Promise<string> {
  const ann = createClient({ baseUrl: target.url, token: target.token });
  const bob = createClient({ baseUrl: target.url, token: target.other.token });
  const { value: room } = await ann.createConversation({ groupId: target.groupId, idempotencyKey: 'k' });
  const attachments = [{ file_url: `http://${host}/secret/a.png?key=hidden`, file_type: 'image/png' }];
  const { value: theirs } = await bob.createConversation({ groupId: target.groupId, idempotencyKey: 'b' });
  await bob.sendMessage({ conversationId: theirs.id, message: secretText, attachments, idempotencyKey: 'p' });
  await Promise.all([ann.close(), bob.close()]);
  return room.id;
}

/** Pictures as the chat fetches them, with every attachment of the open conversation on the screen. */
function showPictures(session: Session, target: OwnTarget, cacheDirectory: string): void {
  session.store.setState((state) => ({ ...state, screen: { ...state.screen, drawsPictures: true } }));
  const panes = {
    look: { pictureColours: 'truecolor' },
    layout: () => ({ thread: null }),
    attachmentsInSight: (state: ReturnType<typeof session.store.getState>) =>
      [...state.cache.threads.values()].flatMap(({ messages }) => messages.flatMap(({ attachments }) => attachments)),
  };
  const terminal = { capabilities: () => ({}), screen: {}, onResize: () => undefined, onLearn: () => undefined };
  const environment = readEnvironment({});
  const options = {
    session,
    account: { server: target.url, cacheDirectory },
    terminal,
    environment,
    panes: () => panes,
  };
  startPictures(options as unknown as PictureOptions);
}

async function entriesIn(directory: string): Promise<readonly RequestEntry[]> {
  const entries: RequestEntry[] = [];
  for await (const entry of readLedger(directory, 0)) if (entry.kind === 'request') entries.push(entry);
  return entries;
}

test('with the default settings every request of a session goes to one host, and is in the ledger without content', async () => {
  const target = await openOwnTarget();
  onTestFinished(() => target.close());
  const other = await pictureHost();
  const id = await conversationWithPicture(target, other.host);
  const directory = temporaryDirectory();
  const cacheDirectory = join(directory, 'cache');
  const connected = watchConnections();
  const session = openSession(
    {
      label: 'x',
      server: target.url,
      token: target.token,
      insecureHttp: false,
      dataDirectory: join(directory, 'data'),
      cacheDirectory,
    },
    { settings: defaultSettings },
  );
  onTestFinished(() => session.close());
  const { store, engine } = session;
  await session.start();
  await vi.waitFor(() => expect(store.getState().cache.conversations.size).toBe(1), patience);
  store.setState(openInView(id));
  engine.openConversation(id);
  await vi.waitFor(() => expect(store.getState().cache.threads.get(id)?.messages).toHaveLength(1), patience);
  showPictures(session, target, cacheDirectory);
  const [theirs] = store.getState().cache.threads.get(id)?.messages ?? [];
  engine.enqueue({ kind: 'message.send', conversationId: id, text: 'my secret answer' });
  const settled = () => vi.waitFor(() => expect(store.getState().local.outbox).toEqual([]), patience);
  await settled();
  const mine = store.getState().cache.threads.get(id)?.messages.at(-1)?.id ?? '';
  engine.enqueue({
    kind: 'message.edit',
    conversationId: id,
    messageId: mine,
    base: 'my secret answer',
    text: 'other words',
  });
  engine.enqueue({
    kind: 'message.react',
    conversationId: id,
    messageId: theirs?.id ?? '',
    name: '👍',
    present: true,
    confirmed: true,
  });
  engine.enqueue({ kind: 'conversation.mute', conversationId: id, value: true });
  await settled();
  session.flush();

  const serverPort = Number(new URL(target.url).port);
  expect(connected()).toEqual([serverPort]);
  expect(other.asked).toEqual([]);
  const entries = await entriesIn(cacheDirectory);
  expect([...new Set(entries.map(({ host }) => host))]).toEqual([new URL(target.url).host]);
  const reasons = new Set(entries.map(({ reason }) => reason));
  for (const reason of [
    'conversation list',
    'newest messages of the open conversation',
    'send',
    'edit',
    'settings of a conversation',
  ])
    expect(reasons).toContain(reason);
  const send = entries.find(({ reason }) => reason === 'send');
  expect(send).toMatchObject({ method: 'POST', path: '/v1/messages', status: 201, problem: null });
  expect(send?.sent).toBe(`conversation_id=${id}&message=my%20secret%20answer`.length);
  expect(send?.received).toBeGreaterThan(50);
  expect(entries.some(({ path }) => path === `/v1/messages/${mine}`)).toBe(true);

  // The user allows the other host, and the ledger shows its requests too.
  store.setState(allowPictureHost(other.host));
  await vi.waitFor(() => expect(other.asked).toEqual(['/secret/a.png?key=hidden']), patience);
  await vi.waitFor(async () => {
    session.flush();
    const picture = (await entriesIn(cacheDirectory)).find(({ host }) => host === other.host);
    expect(picture).toMatchObject({ method: 'GET', path: '/…', status: 200, received: 10, reason: 'picture' });
  }, patience);
  expect(connected()).toEqual([serverPort, other.port]);
  const ledger = join(cacheDirectory, 'ledger');
  const all = readdirSync(ledger)
    .map((name) => readFileSync(join(ledger, name), 'utf8'))
    .join('');
  for (const content of [secretText, 'secret', 'hidden', 'other words', target.token, 'Bearer', '👍'])
    expect(all).not.toContain(content);
});

test('a program that goes on while its profile is renamed does not make the old folders again', async () => {
  const directory = temporaryDirectory();
  const [cacheDirectory, dataDirectory] = [join(directory, 'cache'), join(directory, 'data')];
  const account = { label: 'x', server: 'http://127.0.0.1:9', token: 'token-123', insecureHttp: false };
  const session = openSession({ ...account, dataDirectory, cacheDirectory }, { isBrief: true });
  const note = (): void => {
    session.record({ kind: 'lost', at: Date.now(), count: 1 });
    session.flush();
  };
  note();
  for (const old of [cacheDirectory, dataDirectory]) renameSync(old, `${old}-of-another`);
  note();
  note();
  await session.close();
  expect([cacheDirectory, dataDirectory].filter(existsSync)).toEqual([]);
});
