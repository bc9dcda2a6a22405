/** Sends one HTTP request and reads its answer within the limits (R-LIMIT). */
import { Client, type Dispatcher, Pool } from 'undici';
import type { Method } from '../../protocol/routes.ts';
import { BodyProblem, readBody } from './body.ts';
import { errorCode } from './classify.ts';
import { type ConnectorSettings, createConnector } from './connector.ts';
import { startDeadline } from './deadline.ts';
import { type OnRequest, requestReporter, shownPath } from './sent-request.ts';

interface WireRequest {
  readonly method: Method;
  /** On the transport's origin. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal | undefined;
  /** What the request is for, in a few words. */
  readonly reason: string;
  /** The server was asked to wait so long for news before it answers. */
  readonly waitMs: number;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case; several values of one name joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body, as far as it could be read. */
  readonly text: string;
  /** The error that ended reading the body; null when it was read whole. */
  readonly problem: unknown;
}

/** The request got no answer. */
export class WireFailure extends Error {
  override readonly name = 'WireFailure';
  /** The connection was up, so that the server may have received the request. */
  readonly wasConnected: boolean;
  constructor(cause: unknown, wasConnected: boolean) {
    super('no answer', { cause });
    this.wasConnected = wasConnected;
  }
}

export interface Transport {
  /** Rejects with `WireFailure` alone. */
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
}

export interface TransportSettings extends ConnectorSettings {
  /** Called after each request that was made, also after one without an answer. */
  readonly onRequest?: OnRequest | undefined;
}

export function createTransport(origin: string, settings: TransportSettings, limits: Limits): Transport {
  const closing = new AbortController();
  const common = { limits, closing: closing.signal, onRequest: settings.onRequest };
  let connections = 0;
  const options = { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: limits.headerBytes };
  const createPool = (): Pool =>
    new Pool(origin, {
      ...options,
      connections: 6,
      keepAliveTimeout: 20_000,
      connect: createConnector(settings, () => {
        connections += 1;
      }),
    });
  let readers = createPool();

  /**
   * After a silence, uses none of the idle connections any more. When the network has changed, they are as dead as the one
   * that was silent, and each would keep a request waiting. Requests under way go on.
   */
  const leaveWhereSilent = (pool: Pool, problem: unknown): void => {
    if (pool !== readers || errorCode(problem) !== 'IDLE') return;
    readers = createPool();
    void pool.close();
  };

  const read = async (request: WireRequest): Promise<WireAnswer> => {
    const before = connections;
    const pool = readers;
    try {
      const answer = await exchange(pool, request, common, () => connections > before);
      if (answer.problem !== null) leaveWhereSilent(pool, answer.problem);
      return answer;
    } catch (error) {
      const cause = error instanceof WireFailure ? error.cause : null;
      leaveWhereSilent(pool, cause);
      if (connections > before || !isConnectionBreak(cause)) throw error;
      // The server had just closed an idle connection, which is no failure: the request is sent on a new one.
      return await write(request);
    }
  };

  /** Sends the request on a new connection (R-NOKEEP), so that a break can be distinguished from a stale connection. */
  const write = async (request: WireRequest): Promise<WireAnswer> => {
    let isConnected = false;
    const connect = createConnector(settings, () => {
      isConnected = true;
    });
    const client = new Client(origin, { ...options, pipelining: 0, connect });
    try {
      return await exchange(client, request, common, () => isConnected);
    } finally {
      await client.destroy();
    }
  };

  return {
    send: (request) => (request.method === 'GET' ? read(request) : write(request)),
    async close() {
      closing.abort();
      await readers.destroy();
    },
  };
}

interface ExchangeSettings {
  readonly limits: Limits;
  readonly closing: AbortSignal;
  readonly onRequest: OnRequest | undefined;
}

async function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  { limits, closing, onRequest }: ExchangeSettings,
  wasConnected: () => boolean,
): Promise<WireAnswer> {
  const { method, url, headers: sent, body, waitMs } = request;
  const outer = request.signal === undefined ? [closing] : [closing, request.signal];
  const wholeMs = (method === 'POST' ? limits.wholePostMs : limits.wholeMs) + waitMs;
  const deadline = startDeadline(wholeMs, limits.idleMs + waitMs, outer);
  const about = { method, host: url.host, path: shownPath(url), reason: request.reason };
  const report = requestReporter(about, onRequest);
  const bodyBytes = body === null ? 0 : Buffer.byteLength(body);
  try {
    if (method === 'GET') deadline.restartIdleTimer();
    const { signal } = deadline;
    const path = url.pathname + url.search;
    signal.throwIfAborted();
    report.begin();
    const answer = await deadline.limit(dispatcher.request({ method, path, headers: sent, body, signal }));
    deadline.restartIdleTimer();
    const headers = joinHeaders(answer.headers);
    const encoding = headers.get('content-encoding') ?? null;
    let received = 0;
    const onBytes = (bytes: number): void => {
      received = bytes;
      deadline.restartIdleTimer();
    };
    const { text, problem } = await readBody(answer.body, encoding, limits.bodyBytes, onBytes).then(
      (read) => ({ text: read, problem: null }),
      (error: unknown) => ({ text: '', problem: error ?? new BodyProblem('BODY_ENCODING', 'unreadable answer') }),
    );
    report.end({ status: answer.statusCode, sent: bodyBytes, received, problem });
    return { status: answer.statusCode, headers, text, problem };
  } catch (error) {
    const isConnected = wasConnected();
    report.end({ status: null, sent: isConnected ? bodyBytes : 0, received: 0, problem: error });
    throw new WireFailure(error, isConnected);
  } finally {
    deadline.end();
  }
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value] as const],
    ),
  );
}

function isConnectionBreak(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

export interface Limits {
  /** Milliseconds until the connection is up, TLS included. */
  readonly connectMs: number;
  /** Milliseconds for a whole GET, PUT or DELETE. */
  readonly wholeMs: number;
  /** Milliseconds for a whole POST. */
  readonly wholePostMs: number;
  /** Milliseconds without a byte: before the headers of a GET, and within the body of any answer. */
  readonly idleMs: number;
  readonly headerBytes: number;
  /** Bytes of the decompressed body, counted while it is read. */
  readonly bodyBytes: number;
}

export const defaultLimits: Limits = {
  connectMs: 10_000,
  wholeMs: 30_000,
  wholePostMs: 60_000,
  idleMs: 15_000,
  headerBytes: 16_384,
  bodyBytes: 8 * 1024 * 1024,
};
