/** Answers requests as plain data: checks token and rate limit, and carries out the operation unless nothing has changed. */
import { once } from '../rules/idempotency.ts';
import { allowOnly } from '../rules/parameters.ts';
import type { Rules, Service } from '../rules/service.ts';
import { notFound, ServiceError } from '../rules/service-error.ts';
import type { Caller } from '../store/people.ts';
import {
  type Answer,
  type AnswerRequest,
  errorOf,
  isList,
  isRead,
  type PlainRequest,
  problemOf,
  type Reply,
} from './exchange.ts';
import { createWaiters, type Waiters } from './held-requests.ts';
import { type Method, type Operation, routes } from './operations.ts';
import { waitOf } from './prefer.ts';
import type { RateLimiter } from './rate-limit.ts';
import { decodeBody, decodeQuery } from './request-body.ts';
import { answerJson, answerRead, etagOf, matches, noContent, notModified } from './respond.ts';
import { createUnchangedLists, type UnchangedLists } from './unchanged-lists.ts';

export interface AnswererOptions {
  readonly service: Service;
  /** null when requests are not limited. */
  readonly rateLimiter: RateLimiter | null;
  /** Calls back after each commit with those who can see a change (see `DatabaseEngine.onChange`). */
  readonly onChange: (listener: (people: readonly number[] | null) => void) => void;
}

export interface Answerer {
  readonly answer: AnswerRequest;
  /** How many requests wait for a change. */
  waiting(): number;
  /** Answers those that wait, and lets none wait from now on. */
  stopWaiting(): void;
}

interface Parts extends AnswererOptions {
  readonly lists: UnchangedLists;
  readonly waiters: Waiters;
}

export function createAnswerer(options: AnswererOptions): Answerer {
  const waiters = createWaiters();
  options.onChange(waiters.wake);
  const parts: Parts = { ...options, lists: createUnchangedLists(options.service.store.people), waiters };
  return {
    answer: (request, onValidToken) => answer(parts, request, onValidToken),
    waiting: waiters.count,
    stopWaiting: waiters.stop,
  };
}

async function answer(parts: Parts, request: PlainRequest, onValidToken: (() => void) | null): Promise<Reply> {
  let person: number | null = null;
  try {
    const caller = await authenticate(parts.service, request);
    person = caller.seq;
    onValidToken?.();
    await parts.rateLimiter?.(caller.seq);
    const wait = waitOf(request);
    const result =
      wait === null ? await carryOut(parts, caller, request) : await answerOrWait(parts, caller, request, wait);
    return { person, result };
  } catch (error) {
    return { person, result: { problem: problemOf(error) } };
  }
}

/** Answers at once when there is something new; else with the change, or with 304 after this time. */
async function answerOrWait(parts: Parts, caller: Caller, request: PlainRequest, seconds: number): Promise<Answer> {
  // The waiter is added before the list is read, so that no change is missed between the two.
  const waiter = parts.waiters.add(caller.seq, seconds);
  try {
    let current = caller;
    for (;;) {
      const result = await carryOut(parts, current, request);
      if (result.status !== 304 || waiter.isOver())
        return { ...result, headers: { ...result.headers, 'Preference-Applied': `wait=${seconds}` } };
      await waiter.next();
      // The token may have been revoked.
      current = await authenticate(parts.service, request);
    }
  } finally {
    waiter.remove();
  }
}

async function carryOut(parts: Parts, caller: Caller, request: PlainRequest): Promise<Answer> {
  const operations = request.route === null ? undefined : routes[request.route];
  if (operations === undefined) throw notFound('address');
  // HEAD is answered as GET; the method is still the one that was asked.
  const operation = operations[(request.method === 'HEAD' ? 'GET' : request.method) as Method];
  if (operation === undefined) {
    const methods = Object.keys(operations);
    const allow = (methods.includes('GET') ? ['HEAD', ...methods] : methods).join(', ');
    throw new ServiceError(405, 'method_not_allowed', `This path allows only ${allow}.`, { headers: { Allow: allow } });
  }
  return isRead(request) ? read(parts, caller, request, operation) : write(parts.service, caller, request, operation);
}

async function read(
  { service, lists }: Parts,
  caller: Caller,
  request: PlainRequest,
  operation: Operation,
): Promise<Answer> {
  const key = isList(request) ? `${caller.seq} ${request.route}?${request.query}` : null;
  const known = key === null ? null : await lists.find(key, caller.version);
  if (known !== null && known.json !== null) return answerRead(known.json, known.etag, request.ifNoneMatch);
  if (known !== null && matches(request.ifNoneMatch, known.etag)) return notModified(known.etag);
  const form = decodeQuery(request.query);
  const input = { caller, isHead: request.method === 'HEAD', id: idOf(request.id), form };
  const { json = '', lastActive } = await operation(service, input);
  const etag = etagOf(json);
  if (key !== null) lists.keep(key, caller.version, { etag, json }, lastActive);
  return answerRead(json, etag, request.ifNoneMatch);
}

async function write(service: Service, caller: Caller, request: PlainRequest, operation: Operation): Promise<Answer> {
  const id = idOf(request.id);
  const query = decodeQuery(request.query);
  if (request.bodyProblem !== null) throw errorOf(request.bodyProblem);
  const form = decodeBody(request);
  allowOnly(query, []);
  const work = async (rules: Rules) => {
    const { status, json = '' } = await operation(rules, { caller, isHead: false, id, form });
    return { status, body: json };
  };
  const key = request.method === 'POST' ? request.idempotencyKey : null;
  const done =
    key === null
      ? await work(service)
      : await once(service, { caller, key, path: request.path, raw: request.body }, work);
  if (done.status === 204) return noContent;
  const result = answerJson(done.status, done.body);
  const location = done.status === 201 ? { Location: `${request.route}/${JSON.parse(done.body).id}` } : {};
  return {
    ...result,
    headers: { ...result.headers, ...location, ...(key === null ? {} : { 'Idempotency-Key': key }) },
  };
}

/** Our ids consist of letters and digits; any other text is the id of nothing. */
function idOf(id: string | null): string {
  if (id === null) return '';
  if (!/^[A-Za-z0-9]{1,64}$/.test(id)) throw notFound('item');
  return id;
}

async function authenticate(service: Service, { token }: PlainRequest): Promise<Caller> {
  const caller = token === null ? null : await service.authenticate(token);
  if (caller !== null) return caller;
  const challenge = token === null ? 'Bearer realm="msg-tui"' : 'Bearer realm="msg-tui", error="invalid_token"';
  throw new ServiceError(401, 'token_invalid', 'A valid access token is needed.', {
    headers: { 'WWW-Authenticate': challenge },
  });
}
