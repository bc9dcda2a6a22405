/** Starts and stops the HTTP server with the limits of R-SERVER. */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createService, type Service } from '../rules/service.ts';
import { ServiceError } from '../rules/service-error.ts';
import type { RandomBytes } from '../store/secrets.ts';
import type { Engine } from '../store/sql.ts';
import { type Answerer, createAnswerer } from './answerer.ts';
import { createApp } from './app.ts';
import { limitConnections } from './connections.ts';
import { createRateLimiter, createSharedRateLimiter } from './rate-limit.ts';
import type { RequestHook } from './request-hook.ts';
import { errorAnswer, errorBody } from './respond.ts';

export interface StartOptions {
  /** An open database, which the server closes. */
  readonly engine: Engine;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly readOnOpen?: boolean;
  /** Allows a host that is not a loopback address. */
  readonly allowNonLoopback?: boolean;
  /** Limits requests per token. Default: off on loopback addresses, on elsewhere. */
  readonly rateLimit?: 'off' | 'on';
  /** Connections at the same time. Default 1,000. */
  readonly maximumConnections?: number;
  readonly requestHook?: RequestHook;
  /** Milliseconds; defaults 10,000 and 30,000. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** Integer Unix seconds. */
  readonly now?: () => number;
  readonly random?: RandomBytes;
  readonly onFailure?: (error: unknown, requestId: string) => void;
}

export interface RunningServer {
  /** `http://127.0.0.1:8787`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly service: Service;
  /** Waits for answers under way, then closes the connections and the database. */
  close(): Promise<void>;
}

const defaultMaximumConnections = 1000;

/** Rejects when the address cannot be listened on, or is not loopback without `allowNonLoopback`. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const host = options.host ?? '127.0.0.1';
  const isLoopback = isLoopbackAddress(host);
  if (!isLoopback && options.allowNonLoopback !== true)
    throw new Error(`${host} is not a loopback address, so it has to be allowed (--allow-remote)`);
  const service = createService(options);
  let port = options.port;
  const server = createHttpServer((incoming, outgoing) => void listener(incoming, outgoing), options);
  const connections = limitConnections(server, options.maximumConnections ?? defaultMaximumConnections);
  const rateLimiter =
    (options.rateLimit ?? (isLoopback ? 'off' : 'on')) === 'on' ? rateLimiterFor(options.engine) : null;
  const answerer = createAnswerer({ service, rateLimiter });
  const app = createApp({
    answer: answerer.answer,
    connections,
    guard: { port: () => port, loopbackOnly: isLoopback },
    onFailure: options.onFailure ?? (() => undefined),
  });
  const listener = getRequestListener(
    (request, env) => {
      const next = async () => app.fetch(request, env);
      const drop = () => void (env as HttpBindings).incoming.destroy();
      return options.requestHook === undefined ? next() : options.requestHook(request, next, drop);
    },
    { overrideGlobalObjects: false, errorHandler },
  );
  try {
    port = await listen(server, host, options.port);
  } catch (error) {
    await service.close();
    throw error;
  }
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${port}`, port, service, close: () => close(server, service, answerer) };
}

const rateLimiterFor = ({ sql }: Engine) =>
  sql.dialect.name === 'postgres' ? createSharedRateLimiter(sql) : createRateLimiter();

export function isLoopbackAddress(host: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(host) || host === '::1' || host === 'localhost';
}

/** Answers requests from which no `Request` can be made, because host and path form no address. */
function errorHandler(): Response {
  const requestId = randomUUID();
  return errorAnswer(new ServiceError(400, 'request_invalid', 'The request cannot be understood.'), requestId);
}

function createHttpServer(listener: RequestListener, options: StartOptions): Server {
  const headersTimeout = options.headersTimeoutMs ?? 10_000;
  const requestTimeout = options.requestTimeoutMs ?? 30_000;
  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      connectionsCheckingInterval: Math.min(5000, headersTimeout),
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16 * 1024,
    },
    listener,
  );
  // Every header is looked at; by itself node:http leaves out those beyond the first thousand. Their size is bounded
  // above.
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

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Milliseconds that a stop waits for answers under way. */
const closeGraceMs = 1000;

function close(server: Server, service: Service, answerer: Answerer): Promise<void> {
  answerer.stopWaiting();
  return new Promise((resolve, reject) => {
    const force = setTimeout(() => server.closeAllConnections(), closeGraceMs);
    server.close(() => {
      clearTimeout(force);
      service.close().then(resolve, reject);
    });
    server.closeIdleConnections();
  });
}
