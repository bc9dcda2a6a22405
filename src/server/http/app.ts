/** Answers HTTP requests: routes, authentication, limits, headers and errors. */
import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { once } from '../rules/idempotency.ts';
import { allowOnly } from '../rules/parameters.ts';
import type { Rules, Service } from '../rules/service.ts';
import { notFound, ServiceError } from '../rules/service-error.ts';
import type { PersonRow } from '../store/people.ts';
import { isUnavailable } from '../store/sql.ts';
import type { Connections } from './connections.ts';
import { type GuardOptions, guard } from './guard.ts';
import { type Method, type Operation, type OperationInput, type Operations, routes } from './operations.ts';
import type { RateLimiter } from './rate-limit.ts';
import { readForm, readQuery } from './request-body.ts';
import { answer, errorAnswer, noContent } from './respond.ts';

export interface AppOptions {
  readonly service: Service;
  readonly guard: GuardOptions;
  readonly connections: Connections;
  /** null when requests are not limited. */
  readonly rateLimiter: RateLimiter | null;
  /** Is given the failures that the caller sees only as a 500. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

type App = { Bindings: HttpBindings; Variables: { requestId: string } };

export function createApp(options: AppOptions): Hono<App> {
  const app = new Hono<App>();
  app.use(async (context, next) => {
    context.set('requestId', randomUUID());
    if (options.connections.isTurnedAway(context.env.incoming.socket)) throw tooManyConnections;
    guard(context.env.incoming, options.guard);
    await next();
    context.res.headers.set('Request-Id', context.get('requestId'));
  });
  for (const [path, operations] of Object.entries(routes)) addRoute(app, path, operations, options);
  app.notFound(async (context) => {
    await authenticate(context, options);
    throw notFound('address');
  });
  app.onError((thrown, context) => {
    const requestId = context.get('requestId');
    const error = isUnavailable(thrown) ? busy : thrown;
    if (!(error instanceof ServiceError)) options.onFailure(error, requestId);
    return errorAnswer(error, requestId);
  });
  return app;
}

function addRoute(app: Hono<App>, path: string, operations: Operations, options: AppOptions): void {
  app.all(path, async (context) => {
    const caller = await authenticate(context, options);
    // Hono answers HEAD by the GET handler without its body; the method is still the one that was asked.
    const isHead = context.req.method === 'HEAD';
    const method = isHead ? 'GET' : context.req.method;
    const operation = operations[method as Method];
    if (operation === undefined) {
      const allow = Object.keys(operations).join(', ');
      throw new ServiceError(405, 'method_not_allowed', `This address knows ${allow}.`, { headers: { Allow: allow } });
    }
    return run(context, { caller, isHead }, operation, method as Method, options.service);
  });
}

async function run(
  context: Context<App>,
  asked: Pick<OperationInput, 'caller' | 'isHead'>,
  operation: Operation,
  method: Method,
  service: Service,
): Promise<Response> {
  const request = context.req.raw;
  const id = idOf(context.req.param('id'));
  const query = readQuery(request);
  if (method === 'GET') {
    const { status, body } = await operation(service, { ...asked, id, form: query });
    return answer(status, JSON.stringify(body), true, request.headers.get('if-none-match'));
  }
  const { raw, form } = await readForm(request);
  allowOnly(query, []);
  const work = async (rules: Rules) => {
    const { status, body } = await operation(rules, { ...asked, id, form });
    return { status, body: body === undefined ? '' : JSON.stringify(body) };
  };
  const key = method === 'POST' ? request.headers.get('idempotency-key') : null;
  const path = new URL(request.url).pathname;
  const done = key === null ? await work(service) : await once(service, { caller: asked.caller, key, path, raw }, work);
  if (done.status === 204) return noContent();
  const response = answer(done.status, done.body, false, null);
  if (key !== null) response.headers.set('Idempotency-Key', key);
  return response;
}

/** Our ids consist of letters and digits; any other text is the id of nothing. */
function idOf(parameter: string | undefined): string {
  if (parameter === undefined) return '';
  if (!/^[A-Za-z0-9]{1,64}$/.test(parameter)) throw notFound('item');
  return parameter;
}

async function authenticate(
  { req, env }: Context<App>,
  { service, connections, rateLimiter }: AppOptions,
): Promise<PersonRow> {
  const [, token] = /^Bearer +([\x21-\x7e]{1,4096})$/i.exec(req.header('authorization') ?? '') ?? [];
  const caller = token === undefined ? null : await service.authenticate(token);
  if (caller === null) {
    const challenge = token === undefined ? 'Bearer realm="msg-tui"' : 'Bearer realm="msg-tui", error="invalid_token"';
    throw new ServiceError(401, 'token_invalid', 'A valid access token is needed.', {
      headers: { 'WWW-Authenticate': challenge },
    });
  }
  connections.trust(env.incoming.socket);
  await rateLimiter?.(caller.seq);
  return caller;
}

const busy = new ServiceError(503, 'busy', 'The database cannot be used at the moment; nothing was changed.', {
  headers: { 'Retry-After': '1' },
});

const tooManyConnections = new ServiceError(503, 'too_many_connections', 'The server has too many connections open.', {
  headers: { Connection: 'close', 'Retry-After': '1' },
});
