/** Starts and stops the HTTP server with the limits of R-SERVER. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { isLoopbackHost } from '../../protocol/base-url.ts';
import { createService, type Service } from '../rules/service.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { RandomBytes } from '../store/secrets.ts';
import type { DatabaseEngine } from '../store/sql.ts';
import { checkHost, listen, urlOf } from './address.ts';
import { createApp } from './app.ts';
import { limitConnections } from './connections.ts';
import type { AnswerRequest } from './exchange.ts';
import { toOriginForm } from './guard.ts';
import { type AnsweredRequest, observeRequests, type RequestObserver } from './monitoring/observe-requests.ts';
import { createRateLimiter, createSharedRateLimiter, type RateLimiter } from './rate-limit.ts';
import { createAnswerer } from './request-pipeline.ts';
import { errorAnswer, errorBody } from './respond.ts';
import { stopListening } from './stop.ts';

export interface HttpOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Allows a host that is not a loopback address. */
  readonly allowNonLoopback?: boolean;
  /** Connections at the same time. Default 1,000. */
  readonly maximumConnections?: number;
  readonly requestHook?: RequestHook;
  /** Milliseconds in which the headers of a request must come. Default 10,000. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds in which the whole request must come. Default 30,000. */
  readonly requestTimeoutMs?: number;
  /** Is given the failures that the caller sees only as a 500. */
  readonly onFailure?: (error: unknown, requestId: string) => void;
  /** Is called when a request was answered with 503 because of the database. */
  readonly onUnavailable?: (error: unknown) => void;
  readonly onAnswered?: (request: AnsweredRequest) => void;
  /** Milliseconds that `close` waits for answers under way. Default 1,000. */
  readonly stopGraceMs?: number;
}

export interface AnswerOptions {
  readonly readOnOpen?: boolean;
  /** Limits requests per user. Default: off on loopback addresses, on elsewhere. */
  readonly rateLimit?: 'off' | 'on';
}

export interface StartOptions extends HttpOptions, AnswerOptions {
  /** An open database, which the server closes. */
  readonly engine: DatabaseEngine;
  /** Integer Unix seconds. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
}

/** What answers the requests, in this thread or in others. */
export interface Backend {
  readonly answer: AnswerRequest;
  /** How many requests wait for a change. */
  waiting(): number;
  /** Answers the requests that wait, and lets none wait from now on. */
  stopWaiting(): void;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface RunningHttp {
  /** `http://127.0.0.1:8787`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly requests: RequestObserver;
  /** How many requests wait for a change. */
  waiting(): number;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  /** Waits for answers under way, then closes the connections and the database. */
  close(): Promise<void>;
}

export interface RunningServer extends RunningHttp {
  readonly service: Service;
}

const defaultMaximumConnections = 1000;
const defaultStopGraceMs = 1000;

/**
 * Starts a server whose requests are answered in this thread. Rejects when the address cannot be listened on, or is not
 * loopback without `allowNonLoopback`.
 */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const service = createService(options);
  const rateLimiter = limitsRate(options) ? rateLimiterFor(options.engine) : null;
  const backend: Backend = {
    ...createAnswerer({ service, rateLimiter, onChange: service.onVisible }),
    ping: async () => void (await options.engine.sql.get('SELECT 1')),
    close: service.close,
  };
  return { ...(await startHttp(backend, options)), service };
}

export const limitsRate = ({ host, rateLimit }: HttpOptions & AnswerOptions): boolean =>
  (rateLimit ?? (isLoopbackHost(host ?? defaultHost) ? 'off' : 'on')) === 'on';

const rateLimiterFor = ({ sql }: DatabaseEngine): RateLimiter =>
  sql.dialect.name === 'postgres' ? createSharedRateLimiter(sql) : createRateLimiter();

const defaultHost = '127.0.0.1';

/** Closes the backend where it rejects. */
export async function startHttp(backend: Backend, options: HttpOptions): Promise<RunningHttp> {
  const host = options.host ?? defaultHost;
  let port = options.port;
  const server = createHttpServer((incoming, outgoing) => {
    toOriginForm(incoming);
    void listener(incoming, outgoing);
  }, options);
  const requests = observeRequests(server, options.onAnswered ?? (() => undefined));
  const app = createApp({
    answer: backend.answer,
    connections: limitConnections(server, options.maximumConnections ?? defaultMaximumConnections),
    guard: { port: () => port, loopbackOnly: isLoopbackHost(host) },
    onFailure: options.onFailure ?? (() => undefined),
    onUnavailable: options.onUnavailable ?? (() => undefined),
  });
  const listener = getRequestListener(
    (request, env) => {
      const next = async () => app.fetch(request, env);
      const drop = () => void (env as HttpBindings).incoming.destroy();
      return options.requestHook === undefined ? next() : options.requestHook(request, next, drop);
    },
    { errorHandler },
  );
  try {
    checkHost(host, options.allowNonLoopback === true);
    port = await listen(server, host, options.port);
  } catch (error) {
    await backend.close();
    throw error;
  }
  const { waiting, ping } = backend;
  const close = async (): Promise<void> => {
    backend.stopWaiting();
    await stopListening(server, requests, options.stopGraceMs ?? defaultStopGraceMs);
    await backend.close();
  };
  return { url: urlOf(host, port), port, requests, waiting, ping, close };
}

/** Answers requests from which no `Request` can be made, because host and path form no address. */
function errorHandler(): Response {
  const requestId = randomUUID();
  return errorAnswer(new ServiceError(400, 'request_invalid', 'The request cannot be understood.'), requestId);
}

function createHttpServer(listener: RequestListener, options: HttpOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const requestTimeout = options.requestTimeoutMs ?? 30_000;
  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(5000, headersTimeout),
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16 * 1024,
      // `guard` refuses a request without a Host, with the body that errors have.
      requireHostHeader: false,
    },
    listener,
  );
  // By default node:http answers an unknown expectation with 417, without the body that errors have. RFC 9110 §10.1.1 allows a
  // server to ignore the expectation.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing));
  // All headers are read: by default node:http leaves out those beyond the first thousand. `maxHeaderSize` limits their
  // size.
  server.maxHeadersCount = 0;
  server.on('clientError', answerBrokenRequest);
  return server;
}

const brokenRequests: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/** Milliseconds in which the caller can read the answer to a broken request. */
const brokenRequestGraceMs = 1000;

/** Answers requests that node:http could not parse, which never reach the app. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket | NodeJS.WritableStream): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    (socket as Socket).destroy();
    return;
  }
  const [status, phrase] = brokenRequests[error.code ?? ''] ?? [400, 'Bad Request'];
  const requestId = randomUUID();
  const body = errorBody(status, { code: 'request_invalid', message: `${phrase}.`, param: null }, requestId);
  const head = `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: application/json\r\nRequest-Id: ${requestId}`;
  socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
  // A caller who never closes the connection would otherwise hold it for ever.
  setTimeout(() => (socket as Socket).destroy(), brokenRequestGraceMs).unref();
}

/**
 * The hook may wait, answer by itself, call `next` and change or discard the answer, or `drop` the connection; what it
 * resolves to is then ignored.
 */
export type RequestHook = (request: Request, next: () => Promise<Response>, drop: () => void) => Promise<Response>;
