/** A server of the API over HTTP, in memory, whose every undocumented choice is a switch; independent of src. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Conversations } from './conversations.ts';
import { listPage, listReply } from './list.ts';
import { Messages } from './messages.ts';
import { Presenter, toText } from './present.ts';
import type { Quirks } from './quirks.ts';
import { createRateLimit } from './rate-limit.ts';
import { Refusal, type Reply, refusalReply } from './reply.ts';
import { World } from './world.ts';

export interface QuirkClock {
  now(): number;
  after(delayMs: number, callback: () => void): () => void;
}

export interface QuirkServer {
  readonly url: string;
  readonly world: World;
  readonly conversations: Conversations;
  /** `GET /v1/messages?…` and so on, in order. */
  readonly requests: string[];
  /** What no client should do. */
  readonly violations: string[];
  close(): Promise<void>;
}

interface Request {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
}

export async function quirkServer(quirks: Quirks, clock: QuirkClock): Promise<QuirkServer> {
  const service = new Service(quirks, clock);
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '/', headers } = request;
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const body = Buffer.concat(parts).toString();
      const reply = validated(
        quirks,
        { method, headers },
        service.answer({ method, url: new URL(url, origin), body, headers }),
      );
      const text = reply.body === undefined ? '' : quirks.transport === 'bom' ? `\ufeff${reply.body}` : reply.body;
      const isZipped = quirks.transport === 'gzip' && text !== '';
      response.writeHead(reply.status, {
        date: new Date(clock.now()).toUTCString(),
        ...(quirks.announces === 'sunset'
          ? { deprecation: '@1767225600', sunset: 'Thu, 31 Dec 2099 23:59:59 GMT' }
          : {}),
        ...(text === ''
          ? {}
          : { 'content-type': quirks.transport === 'wrong-type' ? 'text/html' : 'application/json' }),
        ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
        ...reply.headers,
      });
      response.end(isZipped ? gzipSync(text) : text);
    });
  });
  // The clock of the tests is stopped while the machine is slow; connections must not age meanwhile.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${quirks.base === '/' ? '' : quirks.base}`,
    world: service.world,
    conversations: service.conversations,
    requests: service.requests,
    violations: service.violations,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A GET that would bring what the client has already is answered with 304, where this server does such. */
function validated(
  { validators }: Quirks,
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  reply: Reply,
): Reply {
  if (validators === 'none' || method !== 'GET' || reply.status !== 200) return reply;
  const digest = createHash('sha256')
    .update(reply.body ?? '')
    .digest('hex')
    .slice(0, 16);
  const etag = `${validators === 'weak' ? 'W/' : ''}"${digest}"`;
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag } };
  return { ...reply, headers: { ...reply.headers, etag } };
}

class Service {
  readonly world: World;
  readonly messages: Messages;
  readonly conversations: Conversations;
  readonly requests: string[] = [];
  readonly violations: string[] = [];
  readonly #quirks: Quirks;
  readonly #clock: QuirkClock;
  readonly #present: Presenter;
  readonly #limitRate: () => Reply | null;
  readonly #late = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #done = new Map<string, Reply>();

  constructor(quirks: Quirks, clock: QuirkClock) {
    this.#quirks = quirks;
    this.#clock = clock;
    this.world = new World(quirks, clock.now);
    this.messages = new Messages(quirks, this.world, clock.now);
    this.conversations = new Conversations(quirks, this.world, clock.now);
    this.#present = new Presenter(quirks, this.world);
    this.#limitRate = createRateLimit(quirks, clock.now, (text) => this.violations.push(text));
  }

  answer(request: Request): Reply {
    const { method, url, headers } = request;
    this.requests.push(`${method} ${url.pathname}${url.search} ${request.body}`.trimEnd());
    if (headers.authorization !== 'Bearer quirk-token') return { status: 401 };
    const limited = this.#limitRate();
    if (limited !== null) return limited;
    try {
      return this.#route(request);
    } catch (error) {
      if (error instanceof Refusal) return refusalReply(error, this.#quirks);
      this.violations.push(`the server broke: ${String(error)}`);
      return { status: 500 };
    }
  }

  #route(request: Request): Reply {
    const { base } = this.#quirks;
    const { pathname } = request.url;
    if (!pathname.startsWith(base)) return this.#strange(request);
    const [version, resource, ...rest] = pathname.slice(base.length).split('/');
    const isMessages = resource === 'messages';
    if (version !== 'v1' || (!isMessages && resource !== 'conversations') || rest.length > 1)
      return this.#strange(request);
    const type = request.headers['content-type'];
    if (request.body !== '' && type !== 'application/x-www-form-urlencoded') this.violations.push(`sent ${type}`);
    if (rest.length === 0) {
      if (request.method === 'GET') return isMessages ? this.#listMessages(request) : this.#listConversations(request);
      if (request.method === 'POST') return this.#post(request, isMessages);
      return this.#strange(request);
    }
    const id = decodeURIComponent(rest[0] ?? '');
    const held = (isMessages ? this.world.messages : this.world.conversations).get(id);
    if (request.method === 'DELETE') return this.#delete(id, isMessages);
    if (request.method === 'GET') {
      const row = isMessages ? this.#message(id) : this.#open(id);
      return this.#json(this.#quirks.getReply === 'wrapped' ? { data: row } : row);
    }
    if (held === undefined) throw new Refusal(404, 'nothing here');
    if (request.method === 'PUT') return this.#put(id, request.body, isMessages);
    return this.#strange(request);
  }

  #strange({ method, url }: Request): Reply {
    this.violations.push(`no such operation: ${method} ${url.pathname}`);
    return { status: 405 };
  }

  #listMessages({ url }: Request): Reply {
    const { messages } = this.world.listed();
    const id = url.searchParams.get('conversation_id');
    const rows = [...messages.values()].filter((row) => id === null || row.conversationId === id);
    if (id !== null && this.#quirks.marksRead === 'list') this.conversations.markRead(id);
    const page = listPage(this.#quirks, {
      path: url.pathname,
      query: url.searchParams,
      filters: ['conversation_id'],
      rows,
      timeOf: (row) => row.createdAt,
      origin: url.origin,
    });
    const data = page.rows.map((row) => this.#present.message(row));
    return listReply(this.#quirks, 'messages', data, page);
  }

  #listConversations({ url }: Request): Reply {
    const { searchParams: query } = url;
    for (const name of ['muted', 'archived', 'pinned'])
      if (query.has(name) && query.get(name) !== 'true') this.violations.push(`${name}=${query.get(name)}`);
    const isPlain = query.get('archived') !== 'true';
    const rows = [...this.world.listed().conversations.values()]
      .filter((row) =>
        isPlain ? this.#quirks.archived === 'listed' || row.archivedAt === null : row.archivedAt !== null,
      )
      .filter((row) => query.get('muted') !== 'true' || row.isMuted)
      .filter((row) => query.get('pinned') !== 'true' || row.isPinned);
    const page = listPage(this.#quirks, {
      path: url.pathname,
      query,
      filters: ['muted', 'archived', 'pinned', 'group_id'],
      rows,
      timeOf: (row) => row.lastActiveAt ?? row.createdAt,
      origin: url.origin,
    });
    const data = page.rows.map((row) => this.#present.conversation(row));
    return listReply(this.#quirks, 'conversations', data, page);
  }

  /** The id in the answer to a POST; a provisional one is used nowhere else. */
  #answeredId(id: string, kind: 'own' | 'provisional'): string {
    return kind === 'own' ? id : this.world.newId('t');
  }

  #post(request: Request, isMessages: boolean): Reply {
    if (this.#quirks.idempotencyKey === 'refused' && request.headers['idempotency-key'] !== undefined)
      throw new Refusal(400, 'Idempotency-Key is not known here');
    const act = (): Reply => {
      if (isMessages) {
        const row = this.messages.post(request.body);
        return this.#created(
          this.#present.message({ ...row, id: this.#answeredId(row.id, this.#quirks.sentId) }),
          true,
        );
      }
      const { row, isNew } = this.conversations.post(request.body);
      const id = isNew ? this.#answeredId(row.id, this.#quirks.createdId) : row.id;
      return this.#created(this.#present.conversation({ ...row, id }), isNew && this.#quirks.create !== '200');
    };
    const kind = isMessages ? 'message' : 'conversation';
    const key = request.headers['idempotency-key'];
    return this.#quirks.idempotencyKey === 'honoured' && typeof key === 'string'
      ? this.#inItsTime(kind, this.#once(`${kind} ${key}`, act))
      : this.#inItsTime(kind, act);
  }

  /** However often it is called, it acts once and answers the same. */
  #once(key: string, act: () => Reply): () => Reply {
    return () => {
      const done = this.#done.get(key) ?? act();
      this.#done.set(key, done);
      return done;
    };
  }

  #inItsTime(kind: string, act: () => Reply): Reply {
    if (this.#quirks.lateApply === 0 || this.#late.has(kind)) return act();
    this.#late.add(kind);
    this.#later(this.#quirks.lateApply, act);
    return { status: 504, body: 'upstream' };
  }

  #later(seconds: number, act: () => unknown): void {
    this.#clock.after(seconds * 1000, () => {
      try {
        act();
      } catch (error) {
        // Refused in the end; nobody waits for the answer.
        if (!(error instanceof Refusal)) throw error;
      }
    });
  }

  #created(row: Record<string, unknown>, isNew: boolean): Reply {
    const status = isNew && this.#quirks.postReply === 'created' ? 201 : 200;
    switch (this.#quirks.postReply) {
      case 'created':
      case 'message':
        return { status, body: toText(row as never) };
      case 'wrapped':
        return { status, body: toText({ data: row } as never) };
      case 'id-only':
        return { status, body: toText({ id: row.id } as never) };
      case 'empty':
        return { status };
      case 'text-plain':
        return { status, body: toText(row as never), headers: { 'content-type': 'text/plain' } };
    }
  }

  #put(id: string, body: string, isMessages: boolean): Reply {
    if (this.#quirks.putReply === 'accepted') {
      this.#later(3, () => this.#carryOut(id, body, isMessages));
      return { status: 202 };
    }
    const row = this.#carryOut(id, body, isMessages);
    switch (this.#quirks.putReply) {
      case 'resource':
        return this.#json(row);
      case 'wrapped':
        return this.#json({ data: row });
      case 'id-only':
        return this.#json({ id: row.id });
      case 'empty':
        return { status: 200 };
    }
  }

  #carryOut(id: string, body: string, isMessages: boolean): Record<string, unknown> {
    const message = this.world.messages.get(id);
    const conversation = this.world.conversations.get(id);
    if (isMessages && message !== undefined) return this.#present.message(this.messages.put(message, body));
    return conversation === undefined ? {} : this.#present.conversation(this.conversations.put(conversation, body));
  }

  #delete(id: string, isMessages: boolean): Reply {
    const { deletion } = this.#quirks;
    const message = isMessages ? this.world.messages.get(id) : undefined;
    const conversation = isMessages ? undefined : this.world.conversations.get(id);
    if (message === undefined && conversation === undefined) throw new Refusal(404, 'nothing here');
    if (deletion === '200-not-deleted') return this.#json({ deleted: false });
    if (message !== undefined) this.messages.delete(message);
    if (conversation !== undefined) this.conversations.delete(conversation);
    if (deletion === '500-then-404' && !this.#deleted.has(id)) {
      this.#deleted.add(id);
      return { status: 500 };
    }
    if (deletion === '200-deleted') return this.#json({ id, deleted: true });
    return { status: deletion === '200-empty' ? 200 : 204 };
  }

  #message(id: string): Record<string, unknown> {
    const row = this.world.retrieved().messages.get(id);
    if (row === undefined) throw new Refusal(404, 'nothing here');
    return this.#present.message(row);
  }

  #open(id: string): Record<string, unknown> {
    const row = this.world.conversations.get(id);
    const seen = this.world.retrieved().conversations.get(id);
    if (row === undefined || seen === undefined) throw new Refusal(404, 'nothing here');
    const opened = this.conversations.open(row);
    return this.#present.conversation(this.#quirks.readLag === 0 ? opened : seen);
  }

  #json(body: unknown): Reply {
    return { status: 200, body: toText(body as never) };
  }
}
