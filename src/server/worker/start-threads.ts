/**
 * Answers requests in two threads beside that of the HTTP server, which therefore never waits for SQLite: one that writes, and
 * one that reads and never waits for a commit.
 */
import type { AnswerRequest, PlainRequest, Reply } from '../http/exchange.ts';
import { problemOf } from '../http/exchange.ts';
import { waitOf } from '../http/prefer.ts';
import { createRateLimiter } from '../http/rate-limit.ts';
import type { Backend } from '../http/start.ts';
import type { Role, WorkerOptions } from './contract.ts';
import { startThread } from './thread.ts';

export interface ThreadsOptions extends Omit<WorkerOptions, 'role'> {
  /** The file that each thread runs. */
  readonly program: string;
  readonly limitsRate: boolean;
}

export interface Threads extends Backend {
  /** Rejects when a thread ends by itself, and never resolves. */
  readonly failed: Promise<never>;
}

/** Milliseconds between two checks for writes of other processes, while a request waits for a change. */
const checkEveryMs = 250;

/** Rejects when a thread cannot open the data file. */
export async function startThreads({ program, limitsRate, ...options }: ThreadsOptions): Promise<Threads> {
  const writer = await startThread(program, { ...options, role: 'writer' }, (people) =>
    reader.say({ kind: 'changed', people }),
  );
  const reader = await startThread(program, { ...options, role: 'reader' }, () => undefined);
  const limiter = limitsRate ? createOwnerLimiter() : null;
  const failed = Promise.race([writer.failed, reader.failed]);
  failed.catch(() => undefined);
  let waiting = 0;
  // Another process does not announce what it writes to the data file.
  const checking = setInterval(() => waiting > 0 && writer.say({ kind: 'check' }), checkEveryMs).unref();

  const answer: AnswerRequest = async (request, onValidToken) => {
    const waits = waitOf(request) === null ? 0 : 1;
    waiting += waits;
    try {
      limiter?.check(request);
      const reply = await (roleOf(request) === 'reader' ? reader : writer).answer(request, onValidToken);
      limiter?.learn(request, reply);
      return reply;
    } catch (error) {
      return { person: null, result: { problem: problemOf(error) } };
    } finally {
      waiting -= waits;
    }
  };

  return {
    answer,
    failed,
    waiting: () => waiting,
    stopWaiting: () => reader.say({ kind: 'stopWaiting' }),
    ping: writer.ping,
    close: async () => {
      clearInterval(checking);
      await reader.close();
      await writer.close();
    },
  };
}

/** Chooses the thread. Retrieving a conversation is for the writer, as it marks the conversation as read. */
function roleOf({ method, route }: PlainRequest): Role {
  if (method === 'HEAD') return 'reader';
  return method === 'GET' && route !== '/v1/conversations/:id' ? 'reader' : 'writer';
}

/**
 * Counts the requests of each user here, since two threads answer them. The owner of a token is known from its first
 * answer on.
 */
function createOwnerLimiter() {
  const count = createRateLimiter();
  const owners = new Map<string, number>();
  return {
    check: ({ token }: PlainRequest): void => {
      const owner = token === null ? undefined : owners.get(token);
      if (owner !== undefined) void count(owner);
    },
    learn: ({ token }: PlainRequest, { person, result }: Reply): void => {
      if (token === null) return;
      if (person !== null) owners.set(token, person);
      // Nobody is known either where the database has failed, and then the token still belongs to its owner.
      else if ('problem' in result && result.problem.kind === 'refusal' && result.problem.status === 401)
        owners.delete(token);
    },
  };
}
