/** A raw-socket server of the API that does to one request whatever a table of faults says, and is well otherwise. */
import { createServer, type Server, type Socket } from 'node:net';

/** What becomes of the one request: the connection and the answer; whether it was applied is decided apart. */
export type WireFault = (socket: Socket, well: string) => void;

const end = (bytes: string | Buffer) => (socket: Socket) => void socket.end(bytes);
const reset = (bytes: string) => (socket: Socket) => {
  if (bytes === '') socket.resetAndDestroy();
  else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 5));
};
const hold = (bytes: string) => (socket: Socket) => void (bytes === '' || socket.write(bytes));
const status = (line: string, body = '{}', headers = '') =>
  end(`HTTP/1.1 ${line}\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
const half = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n') + 4 + Math.floor(text.length / 8));
const headOf = (text: string): string => text.slice(0, text.indexOf('\r\n\r\n') + 4);
const chunked = (body: string): string => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body}`;
const portal = '<html>Sign in to the hotel</html>';

/** Ends before the request was read, or before anything could have been done: nobody knows but the server. */
export const wireFaults: Readonly<Record<string, WireFault>> = {
  'closed without a byte': end(''),
  'reset without a byte': reset(''),
  silence: hold(''),
  'part of a status line': end('HTTP/1.1 20'),
  'part of a status line, reset': reset('HTTP/1.1 20'),
  'no HTTP at all': end('220 smtp.example ready\r\n'),
  'an old HTTP': end('HTTP/0.9 200 OK\r\n\r\n{}'),
  'a header without end': hold(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(64 * 1024)}`),
  'too many headers': end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(8000)}\r\n`),
  'a header with a NUL': end('HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n{}'),
  '100s without end': hold('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
  'the head alone, closed': (socket, well) => void socket.end(headOf(well)),
  'the head alone, reset': (socket, well) => reset(headOf(well))(socket),
  'the head alone, silence': (socket, well) => hold(headOf(well))(socket),
  'half a body, closed': (socket, well) => void socket.end(half(well)),
  'half a body, reset': (socket, well) => reset(half(well))(socket),
  'half a body, silence': (socket, well) => hold(half(well))(socket),
  'half a body without a length': (socket, well) => void socket.end(half(well).replace(/content-length: \d+\r\n/, '')),
  'chunks cut off': end(chunked('10\r\n{"id":')),
  'chunks of no size': end(chunked('zz\r\n{}\r\n0\r\n\r\n')),
  'two lengths': status('200 OK', '{}', 'content-length: 7\r\n'),
  'false gzip': status('200 OK', 'not gzip', 'content-encoding: gzip\r\n'),
  'an unknown encoding': status('200 OK', '{}', 'content-encoding: zstd, x-own\r\n'),
  'an empty 200': status('200 OK', ''),
  'a captive portal': status('200 OK', portal, 'content-type: text/html\r\n'),
  'another resource': status('200 OK', '{"id":"other","conversation_id":"other","message":"other"}'),
  'a list for an object': status('200 OK', '[1,2,3]'),
  'an object without an id': status('200 OK', '{"ok":true}'),
  'ok: false': status('200 OK', '{"ok":false}'),
  '302': status('302 Found', '', 'location: /elsewhere\r\n'),
  '303': status('303 See Other', '', 'location: /v1/messages\r\n'),
  '408': status('408 Request Timeout'),
  '409': status('409 Conflict'),
  '425': status('425 Too Early'),
  '500': status('500 Internal Server Error', '{"error":"<script>"}'),
  '502 HTML': status('502 Bad Gateway', '<html>nginx</html>'),
  '503': status('503 Service Unavailable', '', 'retry-after: 1\r\n'),
  '504': status('504 Gateway Timeout'),
  '520': status('520 Unknown'),
  '599': status('599 Whatever'),
};

/** Answers that end a DELETE though nothing was done: a 2xx that is empty or JSON, and a plain no. A cut 204 is whole. */
export const endsOfDelete: readonly string[] = [
  'an old HTTP',
  'too many headers',
  'the head alone, closed',
  'the head alone, reset',
  'the head alone, silence',
  'half a body, closed',
  'half a body, reset',
  'half a body, silence',
  'half a body without a length',
  'an empty 200',
  'another resource',
  'a list for an object',
  'an object without an id',
  'ok: false',
];

/** These prove that nothing was done, and so exist without effect only. */
export const provingFaults: Readonly<Record<string, WireFault>> = {
  '429': status('429 Too Many Requests', '{}', 'retry-after: 1\r\n'),
  '301': status('301 Moved', '', 'location: https://elsewhere.example/\r\n'),
  '307': status('307 Moved', '', 'location: https://elsewhere.example/\r\n'),
  '308': status('308 Moved', '', 'location: https://elsewhere.example/\r\n'),
  '400': status('400 Bad Request'),
  '403': status('403 Forbidden'),
  '413': status('413 Too Large'),
  '422': status('422 Unprocessable'),
};

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly form: URLSearchParams;
  readonly key: string | null;
}

/** What else is different about the server while it fails; the clock is that of the run. */
export interface WirePersonality {
  readonly name: string;
  /** As the wire writes a time given in seconds. */
  readonly time: (seconds: number) => string;
  readonly idOf: (number: number) => string;
  /** As the wire writes an id. */
  readonly id: (id: string) => string;
  readonly wrap: (resource: string) => string;
  /** What a POST answers: the message, its id alone, or nothing. */
  readonly postReply: 'message' | 'id' | 'empty';
  readonly isOldFirst: boolean;
  readonly tellsMore: boolean;
  readonly stored: (text: string) => string;
  /** What is applied is applied so much later. */
  readonly lateMs: number;
}

const plainly: WirePersonality = {
  name: 'plain',
  time: String,
  idOf: (number) => `m${number}`,
  id: (id) => JSON.stringify(id),
  wrap: (resource) => resource,
  postReply: 'message',
  isOldFirst: false,
  tellsMore: true,
  stored: (text) => text,
  lateMs: 0,
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const wirePersonalities: readonly WirePersonality[] = [
  plainly,
  {
    ...plainly,
    name: 'milliseconds, oldest first, wrapped',
    time: (seconds) => `${seconds}000`,
    isOldFirst: true,
    wrap: (resource) => `{"data":${resource}}`,
  },
  {
    ...plainly,
    name: 'ISO times, integers beyond 2^53, a POST answers the id',
    time: (seconds) => JSON.stringify(new Date(seconds * 1000).toISOString()),
    idOf: (number) => String(9_007_199_254_740_993n + BigInt(number) * 2n),
    id: (id) => id,
    postReply: 'id',
  },
  {
    ...plainly,
    name: 'HTML escapes, no has_more, a POST answers nothing',
    stored: escaped,
    tellsMore: false,
    postReply: 'empty',
  },
  { ...plainly, name: 'carried out 20 s later', lateMs: 20_000 },
];

/** Seconds that a request of these faults may lie about before it is carried out. */
export const lateFaults: readonly string[] = ['silence', 'reset without a byte', '504'];

/** Ends of a connection before a request is read; GETs are made on one that is open. */
export const connectionFaults = ['refused', 'reset at the door'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

export interface FaultServerOptions {
  readonly personality?: WirePersonality;
  /** Of what is applied late. */
  readonly after?: (delayMs: number, callback: () => void) => unknown;
}

export interface FaultServer {
  readonly url: string;
  readonly personality: WirePersonality;
  readonly messages: Map<string, { text: string; readonly at: number }>;
  /** The next request of this method meets the fault; `lateMs` after it the server does what it was asked. */
  arm(method: string, fault: WireFault, isApplied: boolean, lateMs?: number): void;
  /** No new connection from now on, until `admit`. */
  shut(how: ConnectionFault): Promise<void>;
  admit(): Promise<void>;
  readonly isMet: () => boolean;
  /** Is called for every request of this method when it has come in whole, with what it did. */
  onAsked: (asked: Asked, committedId: string | null, isFaulty: boolean) => void;
  /** Is called when something is carried out late. */
  onLate: (asked: Asked, committedId: string | null) => void;
  close(): Promise<void>;
}

const conversationOf = ({ time }: WirePersonality): string =>
  `{"id":"c1","contact_id":"ann","group_id":null,"pinned_message_id":null,"is_pinned":false,"is_muted":false,"last_active_at":null,"last_opened_at":null,"created_at":${time(1_760_000_000)},"archived_at":null}`;

export async function faultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  const { personality = plainly, after = (_delayMs, callback) => callback() } = options;
  const conversation = conversationOf(personality);
  const messages: FaultServer['messages'] = new Map();
  const sockets = new Set<Socket>();
  let armed: { method: string; fault: WireFault; isApplied: boolean; lateMs: number } | null = null;
  let door: ConnectionFault | null = null;
  let isKnockedAt = true;
  let count = 100;
  const wire = (id: string): string => {
    const { text, at } = messages.get(id) ?? { text: '', at: 0 };
    const contact = '{"id":"me","username":"me","created_at":1}';
    const rest = `"reactions":[],"attachments":[],"read_at":null,"created_at":${personality.time(at)},"updated_at":null`;
    const own = `"id":${personality.id(id)},"conversation_id":"c1","contact":${contact}`;
    return `{${own},"message":${JSON.stringify(text)},${rest}}`;
  };
  const found = (id: string): string =>
    messages.has(id)
      ? answer('200 OK', personality.wrap(wire(id)))
      : answer('404 Not Found', '{"error":{"message":"gone"}}');
  const apply = ({ method, path, form }: Asked): string | null => {
    const id = path.split('/').at(-1) ?? '';
    if (method === 'POST') {
      count += 1;
      const newId = personality.idOf(count);
      messages.set(newId, { text: personality.stored(form.get('message') ?? ''), at: 1_760_000_000 + count });
      return newId;
    }
    const held = messages.get(id);
    const text = form.get('message');
    if (method === 'DELETE') messages.delete(id);
    if (method === 'PUT' && held !== undefined)
      messages.set(id, { ...held, text: text === null ? held.text : personality.stored(text) });
    return null;
  };
  const created = (newId: string): string => {
    if (personality.postReply === 'empty') return answer('201 Created', '');
    const id = `{"id":${personality.id(newId)}}`;
    return answer('201 Created', personality.wrap(personality.postReply === 'id' ? id : wire(newId)));
  };
  const answerTo = ({ method, path }: Asked, newId: string | null): string => {
    if (newId !== null) return created(newId);
    if (method === 'DELETE') return answer('204 No Content', '');
    if (path.startsWith('/v1/conversations/')) return answer('200 OK', personality.wrap(conversation));
    const more = personality.tellsMore ? '"has_more":false,' : '';
    if (path === '/v1/conversations') return answer('200 OK', `{${more}"data":[${conversation}]}`);
    if (path !== '/v1/messages') return found(path.split('/').at(-1) ?? '');
    const rows = [...messages.keys()].map(wire);
    return answer('200 OK', `{${more}"data":[${(personality.isOldFirst ? rows : rows.reverse()).join(',')}]}`);
  };
  const serve = (socket: Socket, asked: Asked): void => {
    const isFaulty = armed !== null && armed.method === asked.method && !asked.path.startsWith('/v1/conversations');
    const meeting = isFaulty ? armed : null;
    if (meeting !== null) armed = null;
    const isLate = meeting?.isApplied === true && meeting.lateMs > 0;
    const newId = meeting === null || (meeting.isApplied && !isLate) ? apply(asked) : null;
    server.onAsked(asked, newId, isFaulty);
    if (isLate) after(meeting.lateMs, () => server.onLate(asked, apply(asked)));
    const well =
      newId === null && asked.method === 'POST' ? answer('201 Created', '{"id":"x"}') : answerTo(asked, newId);
    if (meeting === null) socket.write(well);
    else meeting.fault(socket, well);
  };
  const raw: Server = createServer((socket) => {
    if (door === 'reset at the door') {
      isKnockedAt = true;
      socket.resetAndDestroy();
      return;
    }
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (data: Buffer) => {
      text += data.toString('latin1');
      const asked = parse(text);
      if (asked === null) return;
      text = '';
      serve(socket, asked);
    });
  });
  const listen = (port: number): Promise<void> => new Promise((done) => raw.listen(port, '127.0.0.1', done));
  await listen(0);
  const address = raw.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server: FaultServer = {
    url: `http://127.0.0.1:${port}`,
    personality,
    messages,
    arm: (method, fault, isApplied, lateMs = personality.lateMs) => {
      armed = { method, fault, isApplied, lateMs };
    },
    shut: async (how) => {
      door = how;
      // A refused connection leaves no trace here.
      isKnockedAt = how === 'refused';
      for (const socket of sockets) socket.destroy();
      if (how === 'refused') await new Promise((done) => raw.close(done));
    },
    admit: async () => {
      if (door === 'refused') await listen(port);
      door = null;
    },
    isMet: () => armed === null && isKnockedAt,
    onAsked: () => undefined,
    onLate: () => undefined,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => raw.close(done));
    },
  };
  return server;
}

const answer = (line: string, body: string): string => {
  const length = line.startsWith('204') ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\n${length}\r\n${body}`;
};

/** A whole request; null while more is to come. One request is on a connection at a time. */
function parse(text: string): Asked | null {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const length = Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const body = text.slice(head + 4);
  if (body.length < length) return null;
  const [method = '', url = ''] = text.split(' ');
  const key = /\r\nidempotency-key: *(\S+)/i.exec(text.slice(0, head))?.[1] ?? null;
  return { method, path: url.split('?')[0] ?? '', form: new URLSearchParams(body), key };
}
