/** Asks a server: at full speed over a few connections, and as a thousand clients at the pace of people. */
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { percentile } from '../statistics.ts';
import { conversationOf, tokenOf } from './fill.ts';

export interface Timed {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

export interface Asked {
  readonly status: number;
  readonly tag: string;
}

export type Ask = (
  user: number,
  method: 'GET' | 'POST',
  path: string,
  more?: { tag?: string; body?: string },
) => Promise<Asked>;

/** The users are spread over the servers. */
export function openClients(urls: readonly string[], connections: number): { ask: Ask; close(): Promise<void> } {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(connections / urls.length), pipelining: 1 }));
  const ask: Ask = async (user, method, path, { tag, body } = {}) => {
    const pool = pools[user % pools.length];
    if (pool === undefined) throw new Error('no server');
    const headers = {
      authorization: `Bearer ${tokenOf(user)}`,
      ...(tag === undefined ? {} : { 'if-none-match': tag }),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const response = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
    // The measuring program takes as little of the processors as it can.
    await response.body.dump();
    return { status: response.statusCode, tag: String(response.headers.etag ?? '') };
  };
  return { ask, close: async () => void (await Promise.all(pools.map((pool) => pool.close()))) };
}

/** As many requests as the server answers, over this many connections. */
export async function saturate(
  seconds: number,
  connections: number,
  one: (n: number) => Promise<boolean>,
): Promise<Timed> {
  const times: number[] = [];
  let failures = 0;
  let count = 0;
  const began = performance.now();
  const run = async (): Promise<void> => {
    while (performance.now() - began < seconds * 1000) {
      count += 1;
      const at = performance.now();
      if (!(await one(count))) failures += 1;
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: connections }, run));
  return timed(times, failures, performance.now() - began);
}

const timed = (times: readonly number[], failures: number, ms: number): Timed => ({
  perSecond: (times.length * 1000) / ms,
  p50: percentile(times, 50),
  p99: percentile(times, 99),
  failures,
});

export interface Pace {
  readonly users: number;
  /** Each client polls every so often. */
  readonly pollEveryMs: number;
  readonly sendsPerSecond: number;
  readonly seconds: number;
}

/** Requests are begun at their time, whether or not those before are answered. */
export async function keepPace(ask: Ask, pace: Pace): Promise<{ readonly polls: Timed; readonly sends: Timed }> {
  const tags = new Map<number, string>();
  const polls: number[] = [];
  const sends: number[] = [];
  const failed = { polls: 0, sends: 0 };
  const under = new Set<Promise<void>>();
  const follow = (times: number[], kind: 'polls' | 'sends', request: Promise<boolean>): void => {
    const at = performance.now();
    const done = request
      .catch(() => false)
      .then((isRight) => {
        times.push(performance.now() - at);
        if (!isRight) failed[kind] += 1;
        under.delete(done);
      });
    under.add(done);
  };
  const poll = async (user: number): Promise<boolean> => {
    const { status, tag } = await ask(user, 'GET', '/v1/conversations?limit=50', { tag: tags.get(user) ?? '"none"' });
    tags.set(user, tag);
    return status === 200 || status === 304;
  };
  const send = async (n: number): Promise<boolean> => {
    const user = ((n * 7) % pace.users) + 1;
    const body = `conversation_id=${conversationOf(user)}&message=message+${n}`;
    return (await ask(user, 'POST', '/v1/messages', { body })).status === 201;
  };
  const began = performance.now();
  let polled = 0;
  let sent = 0;
  for (let ms = 0; ms < pace.seconds * 1000; ms = performance.now() - began) {
    for (; polled < (ms / pace.pollEveryMs) * pace.users; polled += 1)
      follow(polls, 'polls', poll((polled % pace.users) + 1));
    for (; sent < (ms / 1000) * pace.sendsPerSecond; sent += 1) follow(sends, 'sends', send(sent));
    await new Promise((resolve) => void setTimeout(resolve, 10));
  }
  await Promise.all(under);
  const ms = performance.now() - began;
  return { polls: timed(polls, failed.polls, ms), sends: timed(sends, failed.sends, ms) };
}
