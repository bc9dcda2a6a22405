/** Observes every request from its headers to the end of its answer, apart from the code that answers. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { operationOf } from '../openapi/operation-of.ts';

/** What may be written down about a request: no content, no token, no query and no id of a resource. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** As in the table of the routes; null for an address that is none. */
  readonly route: string | null;
  /** As in the OpenAPI document; null for an address or method that is none. */
  readonly operation: string | null;
  /** null when the caller closed the connection before the answer. */
  readonly status: number | null;
  readonly seconds: number;
  /** The length of the body of the answer. */
  readonly bytes: number;
}

export interface RequestObserver {
  connections(): number;
  requestsInProgress(): number;
  /** From now on each answer closes its connection. */
  closeAfterAnswers(): void;
  /** Closes the connections on which no request is being answered. */
  closeIdle(): void;
}

const header = 'Request-Id';

/** Each answer gets its id before the code that answers sees the request. */
export const requestIdOf = (outgoing: ServerResponse): string => String(outgoing.getHeader(header));

export function observeRequests(server: Server, onAnswered: (request: AnsweredRequest) => void): RequestObserver {
  /** The answers that are not complete, by their connection. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  let inProgress = 0;
  let isClosing = false;

  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const began = performance.now();
    const { socket } = incoming;
    const answers = connections.get(socket);
    outgoing.setHeader(header, randomUUID());
    if (isClosing) outgoing.shouldKeepAlive = false;
    inProgress += 1;
    answers?.add(outgoing);
    // This comes after the last byte, and also when the caller closes the connection.
    outgoing.once('close', () => {
      inProgress -= 1;
      answers?.delete(outgoing);
      if (isClosing) socket.destroySoon();
      onAnswered(answered(incoming, outgoing, (performance.now() - began) / 1000));
    });
  });
  return {
    connections: () => connections.size,
    requestsInProgress: () => inProgress,
    closeAfterAnswers: () => {
      isClosing = true;
      for (const answers of connections.values()) for (const outgoing of answers) outgoing.shouldKeepAlive = false;
    },
    closeIdle: () => {
      for (const [socket, answers] of connections) if (answers.size === 0) socket.destroy();
    },
  };
}

function answered(incoming: IncomingMessage, outgoing: ServerResponse, seconds: number): AnsweredRequest {
  const method = incoming.method ?? '';
  const { route, operation } = operationOf(method, incoming.url ?? '');
  const hasBody = method !== 'HEAD' && outgoing.statusCode !== 304;
  return {
    requestId: requestIdOf(outgoing),
    method,
    route,
    operation: operation?.id ?? null,
    status: outgoing.headersSent ? outgoing.statusCode : null,
    seconds,
    bytes: hasBody ? Number(outgoing.getHeader('Content-Length') ?? 0) : 0,
  };
}
