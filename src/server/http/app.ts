/** Turns HTTP requests into plain data and answers into responses. Refuses some requests before that, and formats errors. */
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../rules/service-error.ts';
import { isUnavailable } from '../store/sql.ts';
import type { Connections } from './connections.ts';
import { type AnswerRequest, errorOf, type PlainRequest, problemOf } from './exchange.ts';
import { type GuardOptions, guard } from './guard.ts';
import { requestIdOf } from './monitoring/observe-requests.ts';
import { type Method, routes } from './operations.ts';
import { readBody } from './request-body.ts';
import { errorAnswer, responseOf } from './respond.ts';

export interface AppOptions {
  readonly answer: AnswerRequest;
  readonly guard: GuardOptions;
  readonly connections: Connections;
  /** Is given the failures that the caller sees only as a 500. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Is called for each request that the database could not serve, which is answered with 503. */
  readonly onUnavailable: (error: unknown) => void;
}

type App = { Bindings: HttpBindings; Variables: { requestId: string } };

export function createApp(options: AppOptions): Hono<App> {
  const app = new Hono<App>();
  app.use(async (context, next) => {
    context.set('requestId', requestIdOf(context.env.outgoing));
    if (options.connections.isTurnedAway(context.env.incoming.socket)) throw tooManyConnections;
    guard(context.env.incoming, options.guard);
    await next();
  });
  for (const route of Object.keys(routes)) app.all(route, (context) => respond(context, route, options));
  app.notFound((context) => respond(context, null, options));
  app.onError((thrown, context) => {
    const requestId = context.get('requestId');
    const error = isUnavailable(thrown) ? busy : thrown;
    if (error === busy) options.onUnavailable(thrown);
    if (!(error instanceof ServiceError)) options.onFailure(error, requestId);
    return errorAnswer(error, requestId);
  });
  return app;
}

async function respond(context: Context<App>, route: string | null, options: AppOptions): Promise<Response> {
  const { connections } = options;
  const { socket } = context.env.incoming;
  const onValidToken = connections.isTrusted(socket) ? null : () => connections.trust(socket);
  const { result } = await options.answer(await plainRequestOf(context, route), onValidToken);
  if ('problem' in result) throw errorOf(result.problem);
  return responseOf(result);
}

const noBytes = new Uint8Array();

async function plainRequestOf(context: Context<App>, route: string | null): Promise<PlainRequest> {
  const { req } = context;
  const header = (name: string): string | null => req.header(name) ?? null;
  const target = context.env.incoming.url ?? '';
  const mark = target.indexOf('?');
  const [, token] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(header('authorization') ?? '') ?? [];
  const request: PlainRequest = {
    method: req.method,
    route,
    id: route?.endsWith('/:id') === true ? (req.param('id') ?? '') : null,
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    token: token ?? null,
    ifNoneMatch: header('if-none-match'),
    idempotencyKey: header('idempotency-key'),
    prefer: header('prefer'),
    contentType: header('content-type'),
    body: noBytes,
    bodyProblem: null,
  };
  const takesBody = route !== null && req.method !== 'GET' && routes[route]?.[req.method as Method] !== undefined;
  if (!takesBody || token === undefined) return request;
  try {
    return { ...request, body: await readBody(context.env.incoming) };
  } catch (error) {
    // The token is checked before this problem is reported.
    return { ...request, bodyProblem: problemOf(error) };
  }
}

const busy = new ServiceError(503, 'busy', 'The database cannot be used at the moment; nothing was changed.', {
  headers: { 'Retry-After': '1' },
});

const tooManyConnections = new ServiceError(503, 'too_many_connections', 'The server has too many connections open.', {
  headers: { Connection: 'close', 'Retry-After': '1' },
});
