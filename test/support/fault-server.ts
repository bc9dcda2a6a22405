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

/** Answers that end a DELETE though nothing was done: a 2xx, of which the head is enough, and a plain no. */
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
  'chunks cut off',
  'chunks of no size',
  'false gzip',
  'an unknown encoding',
  'an empty 200',
  'a captive portal',
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

export interface FaultServer {
  readonly url: string;
  readonly messages: Map<string, { text: string; readonly at: number }>;
  /** The next request of this method meets the fault. */
  arm(method: string, fault: WireFault, isApplied: boolean): void;
  readonly isMet: () => boolean;
  /** Told of every request of this method when it has come in whole, and of what it did. */
  onAsked: (asked: Asked, committedId: string | null, isFaulty: boolean) => void;
  close(): Promise<void>;
}

const conversation =
  '{"id":"c1","contact_id":"ann","group_id":null,"pinned_message_id":null,"is_pinned":false,"is_muted":false,"last_active_at":null,"last_opened_at":null,"created_at":1760000000,"archived_at":null}';

export async function faultServer(): Promise<FaultServer> {
  const messages: FaultServer['messages'] = new Map();
  const sockets = new Set<Socket>();
  let armed: { readonly method: string; readonly fault: WireFault; readonly isApplied: boolean } | null = null;
  let count = 0;
  const wire = (id: string): string => {
    const { text, at } = messages.get(id) ?? { text: '', at: 0 };
    const contact = { id: 'me', username: 'me', created_at: 1 };
    const times = { read_at: null, created_at: at, updated_at: null };
    return JSON.stringify({
      id,
      conversation_id: 'c1',
      contact,
      message: text,
      reactions: [],
      attachments: [],
      ...times,
    });
  };
  const found = (id: string): string =>
    messages.has(id) ? answer('200 OK', wire(id)) : answer('404 Not Found', '{"error":{"message":"gone"}}');
  const apply = ({ method, path, form }: Asked): string | null => {
    const id = path.split('/').at(-1) ?? '';
    if (method === 'POST') {
      count += 1;
      messages.set(`n${count}`, { text: form.get('message') ?? '', at: 1_760_000_000 + count });
      return `n${count}`;
    }
    const held = messages.get(id);
    if (method === 'DELETE') messages.delete(id);
    if (method === 'PUT' && held !== undefined) messages.set(id, { ...held, text: form.get('message') ?? held.text });
    return null;
  };
  const answerTo = ({ method, path }: Asked, newId: string | null): string => {
    if (newId !== null) return answer('201 Created', wire(newId));
    if (method === 'DELETE') return answer('204 No Content', '');
    if (path.startsWith('/v1/conversations/')) return answer('200 OK', conversation);
    if (path === '/v1/conversations') return answer('200 OK', `{"has_more":false,"data":[${conversation}]}`);
    if (path !== '/v1/messages') return found(path.split('/').at(-1) ?? '');
    const rows = [...messages.keys()].reverse().map(wire);
    return answer('200 OK', `{"has_more":false,"data":[${rows.join(',')}]}`);
  };
  const serve = (socket: Socket, asked: Asked): void => {
    const isFaulty = armed !== null && armed.method === asked.method && !asked.path.startsWith('/v1/conversations');
    const meeting = isFaulty ? armed : null;
    if (meeting !== null) armed = null;
    const newId = meeting === null || meeting.isApplied ? apply(asked) : null;
    server.onAsked(asked, newId, isFaulty);
    const well =
      newId === null && asked.method === 'POST' ? answer('201 Created', '{"id":"x"}') : answerTo(asked, newId);
    if (meeting === null) socket.write(well);
    else meeting.fault(socket, well);
  };
  const raw: Server = createServer((socket) => {
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
  await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done));
  const address = raw.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const server: FaultServer = {
    url: `http://127.0.0.1:${port}`,
    messages,
    arm: (method, fault, isApplied) => {
      armed = { method, fault, isApplied };
    },
    isMet: () => armed === null,
    onAsked: () => undefined,
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
