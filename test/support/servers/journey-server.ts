/** The server of a journey: real HTTP, people who act through the API, and a log of what was asked. */
import type { WireConversation, WireMessage } from '../../../src/protocol/wire.ts';
import { type RequestHook, type RunningServer, startServer } from '../../../src/server/http/start.ts';
import type { Service } from '../../../src/server/rules/service.ts';
import { importSeed } from '../../../src/server/seed/seed.ts';
import type { Seed } from '../../../src/server/seed/seed-format.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly token: string;
}

export interface JourneyServer {
  readonly url: string;
  readonly service: Service;
  /** Who looks at the screen. */
  readonly me: Person;
  as(username: string): Person;
  /** What the program (not the people of this test) has asked so far. */
  readonly asked: readonly Asked[];
  /** Resolves when the program asks something new that passes the test. */
  nextAsked(isIt: (asked: Asked) => boolean): Promise<Asked>;
  /** Stands before every request of the program from now on; null takes it away. */
  setHook(hook: RequestHook | null): void;
  /** Nothing listens on the port any more; what was said is kept. */
  stop(): Promise<void>;
  /** Listens on the same port again. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A user of the server; `partner` is a username or the name of a group. */
export interface Person {
  readonly id: string;
  readonly token: string;
  conversations(): Promise<readonly WireConversation[]>;
  conversation(partner: string): Promise<WireConversation>;
  /** The newest hundred, oldest first. */
  messages(partner: string): Promise<readonly WireMessage[]>;
  texts(partner: string): Promise<readonly string[]>;
  find(partner: string, text: string): Promise<WireMessage>;
  /** Creates the conversation. */
  start(partner: string): Promise<WireConversation>;
  send(partner: string, text: string): Promise<WireMessage>;
  edit(id: string, text: string): Promise<void>;
  react(id: string, name: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Of names to usernames. */
  reactions(partner: string, text: string): Promise<Readonly<Record<string, readonly string[]>>>;
}

/** Marks the requests of the test's own people. */
const markHeader = 'x-journey-person';

export async function startJourneyServer(
  file: string,
  seed: Seed,
  firstHook: RequestHook | null = null,
): Promise<JourneyServer> {
  let hook = firstHook;
  const asked: Asked[] = [];
  const waiting = new Set<(one: Asked) => void>();
  const onRequest: RequestHook = (request, next, drop) => {
    if (request.headers.has(markHeader)) return next();
    const { pathname, search } = new URL(request.url);
    const one = {
      method: request.method,
      path: pathname + search,
      token: (request.headers.get('authorization') ?? '').replace(/^Bearer /, ''),
    };
    asked.push(one);
    for (const listener of waiting) listener(one);
    return hook === null ? next() : hook(request, next, drop);
  };
  const listen = (port: number): Promise<RunningServer> =>
    startServer({ engine: openSqlite(openDatabase(file)), port, requestHook: onRequest });

  let running: RunningServer | null = await listen(0);
  const { url, port } = running;
  const service = (): Service => {
    if (running === null) throw new Error('the server is stopped');
    return running.service;
  };
  await importSeed(service(), seed);
  const people = new Map<string, Person>();
  for (const { username } of seed.users ?? []) people.set(username, await person(url, service, username));
  const as = (username: string): Person => {
    const found = people.get(username);
    if (found === undefined) throw new Error(`nobody is called ${username}`);
    return found;
  };
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = null;
    await stopped?.close();
  };

  return {
    url,
    get service() {
      return service();
    },
    me: as(seed.users?.[0]?.username ?? ''),
    as,
    asked,
    nextAsked: (isIt) =>
      new Promise((resolve) => {
        const listener = (one: Asked): void => {
          if (!isIt(one)) return;
          waiting.delete(listener);
          resolve(one);
        };
        waiting.add(listener);
      }),
    setHook: (next) => {
      hook = next;
    },
    stop,
    start: async () => {
      running = await listen(port);
    },
    close: stop,
  };
}

async function person(url: string, service: () => Service, username: string): Promise<Person> {
  const { token } = await service().admin.createToken(username);
  const { id } = await service().admin.person(username);

  const call = async <T>(method: string, path: string, form?: Readonly<Record<string, string>>): Promise<T> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, [markHeader]: username },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${body}`);
    return (body === '' ? null : JSON.parse(body)) as T;
  };
  const conversations = async (): Promise<readonly WireConversation[]> =>
    (await call<{ data: WireConversation[] }>('GET', '/v1/conversations?limit=100')).data;
  const partnerId = async (partner: string): Promise<string> => {
    const { admin } = service();
    const isGroup = (await admin.groups()).some(({ name }) => name === partner);
    return (isGroup ? await admin.group(partner) : await admin.person(partner)).id;
  };
  const conversation = async (partner: string): Promise<WireConversation> => {
    const wanted = await partnerId(partner);
    const found = (await conversations()).find((one) => one.contact_id === wanted || one.group_id === wanted);
    if (found === undefined) throw new Error(`${username} has no conversation with ${partner}`);
    return found;
  };
  const messages = async (partner: string): Promise<readonly WireMessage[]> => {
    const query = new URLSearchParams({ conversation_id: (await conversation(partner)).id, limit: '100' });
    return (await call<{ data: WireMessage[] }>('GET', `/v1/messages?${query}`)).data.toReversed();
  };
  const find = async (partner: string, text: string): Promise<WireMessage> => {
    const found = (await messages(partner)).find(({ message }) => message === text);
    if (found === undefined) throw new Error(`${username} sees no "${text}" with ${partner}`);
    return found;
  };
  const put = (id: string, form: Readonly<Record<string, string>>): Promise<void> =>
    call('PUT', `/v1/messages/${id}`, form);

  return {
    id,
    token,
    conversations,
    conversation,
    messages,
    texts: async (partner) => (await messages(partner)).map(({ message }) => message),
    find,
    start: async (partner) => call('POST', '/v1/conversations', { contact_id: await partnerId(partner) }),
    send: async (partner, text) =>
      call('POST', '/v1/messages', { conversation_id: (await conversation(partner)).id, message: text }),
    edit: (messageId, text) => put(messageId, { message: text }),
    react: (messageId, name) => put(messageId, { [`reactions[${name}][]`]: username }),
    remove: (messageId) => call('DELETE', `/v1/messages/${messageId}`),
    reactions: async (partner, text) => Object.assign({}, ...(await find(partner, text)).reactions),
  };
}
