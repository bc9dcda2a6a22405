/** A session as it is opened, before anything is asked of the server. */
import { truncateSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { type AccountToOpen, openSession, type Session } from '../src/session.ts';
import { insert } from '../src/state/composer/draft-edit.ts';
import { updateDraft } from '../src/state/composer/drafts.ts';
import type { MessageSearchResult } from '../src/state/model/app-state.ts';
import { openCache } from '../src/storage/cache/open.ts';
import { StoredOutbox } from '../src/storage/outbox/outbox.ts';
import { senderOf } from '../src/storage/outbox/sender-lock.ts';
import { StorageError } from '../src/storage/sqlite/errors.ts';
import { aConversation, aMessage, temporaryDirectory } from './storage/builders.ts';

test.each([
  ['https://chat.example', false],
  ['http://127.0.0.1:8080', false],
  ['http://[::1]/chat', false],
  ['http://192.0.2.1', true],
])('%s is reported as unencrypted: %s', async (server, isUnencrypted) => {
  const directory = temporaryDirectory();
  const account = {
    label: 'x',
    token: 'token-of-a-test',
    dataDirectory: `${directory}/data`,
    cacheDirectory: `${directory}/cache`,
  };
  const session = openSession({ ...account, server, insecureHttp: true });
  expect(session.store.getState().view.isUnencrypted).toBe(isUnencrypted);
  await session.close();
});

/** An account whose server is never there. */
const offlineAccount = (directory: string): AccountToOpen => ({
  label: 'x',
  server: 'http://127.0.0.1:9',
  token: 'token-of-a-test',
  insecureHttp: false,
  dataDirectory: `${directory}/data`,
  cacheDirectory: `${directory}/cache`,
});

test('text typed before anything else has begun is kept', async () => {
  const directory = temporaryDirectory();
  const account = offlineAccount(directory);
  const type = (session: Session, text: string): void =>
    session.store.setState(updateDraft('c1', (draft) => insert(draft, text)));
  const first = openSession(account);
  type(first, 'early');
  first.flush();
  await first.close();
  const second = openSession(account);
  expect(second.store.getState().local.drafts.get('c1')?.text).toBe('early');
  type(second, ' and late');
  await second.start();
  await second.close();
  const third = openSession(account);
  expect(third.store.getState().local.drafts.get('c1')?.text).toBe('early and late');
  await third.close();
});

test('an outbox that is emptied while the program runs accepts no more text, and both programs say so', async () => {
  const directory = temporaryDirectory();
  const account = offlineAccount(directory);
  const session = openSession(account);
  const send = (conversationId: string, text: string) =>
    session.engine.enqueue({ kind: 'message.send', conversationId, text });
  expect(send('c1', 'waits')).toBe(true);
  truncateSync(`${directory}/data/outbox.db`);
  expect(send('c2', 'entered')).toBe(false);
  const { local, screen } = session.store.getState();
  expect(local.outbox.map(({ action }) => (action.kind === 'message.send' ? action.text : ''))).toEqual(['waits']);
  expect(screen.notices.map(({ text }) => text)).toContainEqual(expect.stringContaining('Copy your unsent text, quit'));
  await session.close();
  const again = openSession(account);
  const told = again.store.getState().screen.notices.map(({ text }) => text);
  expect(told).toContainEqual(expect.stringMatching(/^The outbox was damaged: \d+ records? (?:was|were) saved/));
  await again.close();
});

test.each(['load', 'saveRecords'] as const)(
  'an account that cannot be opened (%s) leaves the sender role to the next program',
  async (operation) => {
    const account = { ...offlineAccount(temporaryDirectory()), records: [['names', 'c1', 'Crew'] as const] };
    vi.spyOn(StoredOutbox.prototype, operation).mockImplementationOnce(() => {
      throw new StorageError('io', 'the disk fails');
    });
    expect(() => openSession(account)).toThrow('the disk fails');
    expect(senderOf(account.dataDirectory)).toBeNull();
    const session = openSession(account);
    expect(senderOf(account.dataDirectory)).toEqual({ pid: process.pid });
    await session.close();
  },
);

test('a session searches the cached messages without being started, and no longer once it is closed', async () => {
  const account = offlineAccount(temporaryDirectory());
  const cache = openCache(account.cacheDirectory);
  cache.saveConversations([aConversation()]);
  cache.saveMessages('c1', [aMessage({ text: 'The ferry leaves' }), aMessage({ id: 'm2', text: 'Fine' })]);
  cache.close();
  const session = openSession(account);
  const before = session.store.getState();
  const last = async () => {
    let found: MessageSearchResult | undefined;
    for await (const result of session.search({ text: 'FERRY', conversationId: null })) found = result;
    return found;
  };
  expect(await last()).toMatchObject({ hits: [{ message: { id: 'm1' } }], coverage: { messages: 2 }, isDone: true });
  expect(session.store.getState()).toBe(before);
  await session.close();
  expect(await last()).toMatchObject({ hits: [], coverage: { messages: 0 }, isDone: false });
});
