/** Several accounts with the same ids: what belongs to one is never shown, sent or stored under another. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { otherAccountCode } from '../../../src/api/errors.ts';
import { login } from '../../../src/cli/accounts/login.ts';
import { type ChatAccount, findAccount, isWhole } from '../../../src/cli/sign-in/find-account.ts';
import { forOtherProfile } from '../../../src/config/account-flags.ts';
import { readEnvironment } from '../../../src/config/environment.ts';
import { createPictureCache } from '../../../src/pictures/picture-cache.ts';
import { type AccountToOpen, openSession, type Session } from '../../../src/session.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { until } from '../../../src/state/store.ts';
import { prepareDirectory } from '../../../src/storage/sqlite/private-files.ts';
import { httpServer, type WireServer } from '../../support/servers/wire-server.ts';
import { type Machine, machine } from './machine.ts';

/** Everybody has the conversation `c1` with the message `m1`; the text says whose it is. */
const words = (label: string): string => `words-of-${label}`;
const at = 1_700_000_000;
const contact = {
  id: 'them',
  username: 'them',
  phone_number: '',
  avatar_url: '',
  last_active_at: null,
  created_at: at,
};
const own = { ...contact, id: 'me', username: 'me' };
const conversation = {
  id: 'c1',
  contact_id: 'them',
  group_id: null,
  pinned_message_id: null,
  is_pinned: false,
  is_muted: false,
  last_active_at: at,
  last_opened_at: null,
  created_at: at,
  archived_at: null,
};
const message = (id: string, text: string, sender: typeof contact) => ({
  id,
  conversation_id: 'c1',
  contact: sender,
  message: text,
  reactions: [],
  attachments: [],
  read_at: null,
  created_at: id === 'm1' ? at : at + 10,
  updated_at: null,
});

/** Answers each token with its own words, and gives every sent message the id `m2`. */
function serverOf(tokens: Readonly<Record<string, string>>): Promise<WireServer> {
  const sent = new Map<string, string>();
  return httpServer((_, response, { method, url, headers, body }) => {
    const label = tokens[(headers.authorization ?? '').replace('Bearer ', '')];
    const reply = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(value));
    };
    if (label === undefined) return reply(401, {});
    if (method === 'POST') {
      sent.set(label, new URLSearchParams(body).get('message') ?? '');
      return reply(201, message('m2', sent.get(label) ?? '', own));
    }
    const second = sent.get(label);
    const messages = [
      ...(second === undefined ? [] : [message('m2', second, own)]),
      message('m1', words(label), contact),
    ];
    if (url.startsWith('/v1/conversations/')) return reply(200, conversation);
    if (url.startsWith('/v1/conversations')) return reply(200, { has_more: false, data: [conversation] });
    const one = messages.find(({ id }) => url === `/v1/messages/${id}`);
    return reply(200, one ?? { has_more: false, data: messages });
  });
}

const labels = ['ann-on-a', 'bob-on-a', 'ann-on-b'] as const;
const tokenOf = (label: string): string => `token-${label}`;
let servers: { readonly a: WireServer; readonly b: WireServer };

beforeAll(async () => {
  const table = (...names: readonly string[]) => Object.fromEntries(names.map((label) => [tokenOf(label), label]));
  servers = { a: await serverOf(table('ann-on-a', 'bob-on-a')), b: await serverOf(table('ann-on-b')) };
});
afterAll(async () => {
  await servers.a.close();
  await servers.b.close();
});

async function accountOf(here: Machine, profile: string): Promise<AccountToOpen> {
  const environment = forOtherProfile(here.environment, profile);
  const found = await findAccount({ ...here, environment, insecureHttp: false }, here.config());
  if (!isWhole(found)) throw new Error(`no token: ${JSON.stringify(found)}`);
  return found;
}

/** Reads, writes a draft, sends, and keeps what the screen would keep. */
async function use(session: Session, account: AccountToOpen, label: string): Promise<void> {
  const { store, engine } = session;
  await session.start();
  await until(store, ({ cache }) => cache.conversations.has('c1'));
  engine.openConversation('c1');
  await until(store, ({ cache }) => (cache.threads.get('c1')?.messages.length ?? 0) > 0);
  engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: `sent-by-${label}` });
  store.setState(updateDraft('c1', (draft) => insert(draft, `draft-of-${label}`)));
  session.saveFormattedPage('c1', `page-of-${label}`);
  await createPictureCache(join(account.cacheDirectory, 'pictures'), prepareDirectory).write(
    'https://pictures.example/1.png',
    Buffer.from(`picture-of-${label}`),
  );
  await until(store, ({ local }) => local.outbox.length === 0);
  session.flush();
}

/** Reads the list into the cache of the account, as an earlier run does. */
async function readConversations(account: AccountToOpen, count: number): Promise<void> {
  const session = openSession(account);
  await session.start();
  await until(session.store, ({ cache }) => cache.conversations.size === count);
  await session.close();
}

const filesIn = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((file) => statSync(file).isFile());

const others = (label: string): readonly string[] => labels.filter((other) => other !== label);

test('two servers with the same ids and two users of one server share nothing', async () => {
  const here = machine();
  const urlOf = (label: string): string => (label.endsWith('a') ? servers.a.url : servers.b.url);
  for (const label of labels) await here.signIn({ profile: label, server: urlOf(label) }, tokenOf(label));
  const accounts = new Map<string, AccountToOpen>();
  for (const label of labels) {
    const account = await accountOf(here, label);
    accounts.set(label, account);
    const session = openSession(account);
    await use(session, account, label);
    const state = JSON.stringify(session.store.getState(), (_, value) => (value instanceof Map ? [...value] : value));
    expect(state).toContain(words(label));
    for (const other of others(label)) expect(state).not.toMatch(new RegExp(`(of|by)-${other}`));
    await session.close();
  }
  const posted = [servers.a, servers.b].flatMap(({ seen }) => seen.filter(({ method }) => method === 'POST'));
  expect(posted.map(({ headers, body }) => [headers.authorization, new URLSearchParams(body).get('message')])).toEqual(
    labels.map((label) => [`Bearer ${tokenOf(label)}`, `sent-by-${label}`]),
  );
  for (const [label, { dataDirectory, cacheDirectory }] of accounts)
    for (const file of [...filesIn(dataDirectory), ...filesIn(cacheDirectory)])
      for (const other of others(label)) expect([file, readFileSync(file).includes(other)]).toEqual([file, false]);

  // Each one finds its own again, without asking its server.
  for (const [label, account] of accounts) {
    const again = openSession(account);
    expect(again.store.getState().local.drafts.get('c1')?.text).toBe(`draft-of-${label}`);
    expect(again.formattedPage('c1')).toBe(`page-of-${label}`);
    await again.close();
    const picture = await createPictureCache(join(account.cacheDirectory, 'pictures'), prepareDirectory).read(
      'https://pictures.example/1.png',
    );
    expect(Buffer.from(picture ?? []).toString()).toBe(`picture-of-${label}`);
  }
});

test('a token command that prints the token of another user is noticed, and nothing is sent with it', async () => {
  const here = machine();
  const file = join(here.paths.data, '..', 'token');
  const { a } = servers;
  const command = `${process.execPath} -p "require('fs').readFileSync('${file}','utf8')"`;
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, tokenOf('ann-on-a'));
  await login({ profile: 'work', server: a.url, tokenCommand: command }, here);
  const account = await accountOf(here, 'work');
  const session = openSession(account);
  session.store.setState(updateDraft('c1', (draft) => insert(draft, 'not for bob')));
  session.flush();
  await session.close();
  const read = async (): Promise<string> => {
    const { token } = await accountOf(here, 'work');
    return typeof token === 'string' ? token : token.read(new AbortController().signal);
  };
  expect(await read()).toBe(tokenOf('ann-on-a'));
  writeFileSync(file, tokenOf('bob-on-a'));
  const problem = await read().catch((error: Error) => error.message);
  expect(problem).toContain('a token that is new for the profile "work"');
  expect(problem).not.toContain('token-bob');
  await expect(login({ profile: 'work' }, here)).rejects.toThrow(/was used with another token; give --same-account/);
  here.answers.push('n');
  await expect(login({ profile: 'work' }, here)).rejects.toThrow(/nothing was changed/);
  await expect(read()).rejects.toThrow('is new for the profile');
  await login({ profile: 'work', sameAccount: true }, here);
  expect(await read()).toBe(tokenOf('bob-on-a'));
});

test('a token command that returns a new token is accepted if the list shows the same contacts, and unsent text stays queued', async () => {
  const seen: Record<string, readonly string[]> = {
    'token-first': ['ann', 'bob'],
    'token-second': ['ann', 'bob'],
    'token-third': ['me', 'bob'],
  };
  const server = await httpServer((_, response, { url, headers }) => {
    const partners = seen[(headers.authorization ?? '').replace('Bearer ', '')] ?? [];
    const data = partners.map((partner, index) => ({ ...conversation, id: `c${index}`, contact_id: partner }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ has_more: false, data: url.startsWith('/v1/conversations') ? data : [] }));
  });
  onTestFinished(() => server.close());
  const here = machine();
  mkdirSync(here.paths.data, { recursive: true });
  const file = join(here.paths.data, 'token');
  const tokenCommand = `${process.execPath} -p "require('fs').readFileSync('${file}','utf8')"`;
  writeFileSync(file, 'token-first');
  await login({ profile: 'work', server: server.url, tokenCommand }, here);
  const account = await accountOf(here, 'work');
  await readConversations(account, 2);
  const read = async (text: string): Promise<string> => {
    writeFileSync(file, text);
    const { token } = await accountOf(here, 'work');
    return typeof token === 'string' ? token : token.read(new AbortController().signal);
  };
  await expect(read('token-third')).rejects.toThrow('do not show whose it is');
  expect(await read('token-second')).toBe('token-second');
  const again = openSession(account);
  again.store.setState(updateDraft('c0', (draft) => insert(draft, 'for ann')));
  again.flush();
  await again.close();
  seen['token-fourth'] = ['ann', 'bob'];
  await expect(read('token-fourth')).rejects.toThrow('which has unsent texts');
  expect(await read('token-second')).toBe('token-second');
});

test('a new token of the environment is refused for a profile whose conversations it does not have', async () => {
  const own = [
    ['c0', 'ann'],
    ['c1', 'bob'],
  ] as const;
  const seen: Record<string, readonly (readonly [id: string, partner: string])[]> = {
    'token-first': own,
    'token-same': own,
    'token-of-partner': [['c0', 'me'], ...own.slice(1)],
    'token-of-stranger': [['c7', 'ann']],
    'token-of-forbidden': [['c7', 'ann']],
    'token-with-one-more': [['c8', 'cleo']],
  };
  const list = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([id, partner]) => ({ ...conversation, id, contact_id: partner }));
  const server = await httpServer((_, response, { url, headers }) => {
    const token = (headers.authorization ?? '').replace('Bearer ', '');
    const found = list(token === 'token-with-one-more' ? own : (seen[token] ?? [])).find(({ id }) => url.endsWith(id));
    const isOne = url.startsWith('/v1/conversations/');
    const refusal = token === 'token-of-forbidden' ? 403 : 404;
    response.writeHead(isOne && found === undefined ? refusal : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isOne ? (found ?? {}) : { has_more: false, data: list(seen[token] ?? []) }));
  });
  onTestFinished(() => server.close());
  const here = machine();
  await here.signIn({ profile: 'work', server: server.url }, 'token-first');
  const account = await accountOf(here, 'work');
  await readConversations(account, 2);
  const directoryWith = async (token: string): Promise<string> => {
    const environment = readEnvironment({ MSG_TUI_TOKEN: token, MSG_TUI_PROFILE: 'work' });
    const found = await findAccount({ ...here, environment, insecureHttp: false }, here.config());
    return isWhole(found) ? found.dataDirectory : '';
  };
  await expect(directoryWith('token-of-partner')).rejects.toThrow('so it is for another account');
  await expect(directoryWith('token-of-stranger')).rejects.toThrow('so it is for another account');
  await expect(directoryWith('token-of-forbidden')).rejects.toThrow('so it is for another account');
  // A yes does not help it, at login or at the start of the chat.
  here.answers.push('y');
  await expect(here.signIn({ profile: 'work' }, 'token-of-stranger')).rejects.toThrow('so it is for another account');
  const yes = async () => true;
  const environment = readEnvironment({ MSG_TUI_TOKEN: 'token-of-stranger', MSG_TUI_PROFILE: 'work' });
  const given = await findAccount({ ...here, environment, insecureHttp: false, ask: yes }, here.config());
  const session = openSession(given as ChatAccount);
  await expect(session.engine.read.list()).rejects.toMatchObject({ facts: { code: otherAccountCode } });
  await session.close();
  expect(await directoryWith('token-with-one-more')).toBe(account.dataDirectory);
  expect(await directoryWith('token-same')).toBe(account.dataDirectory);
});
