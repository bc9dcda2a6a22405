/** Lists that have not changed: validators of the server, our own where it gives none, and waiting for news (RFC 7240). */
import { afterEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Client } from '../../src/api/operations.ts';
import { factsOf } from '../support/builders/api-errors.ts';
import { httpServer, type WireServer } from '../support/servers/wire-server.ts';

const open: (WireServer | Client)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly afterMs?: number;
}

const list = (id: string): string => JSON.stringify({ has_more: false, data: [{ id, contact_id: 'p1' }] });

/** A server that answers with what `now` returns, and a client of it. */
async function serve(now: () => Given, limits = {}): Promise<{ readonly server: WireServer; readonly client: Client }> {
  const server = await httpServer((_request, response) => {
    const { status = 200, headers = {}, body = '', afterMs = 0 } = now();
    setTimeout(() => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body), afterMs);
  });
  const client = createClient({ baseUrl: server.url, token: 'tok-canary-Zx81', limits });
  open.push(client, server);
  return { server, client };
}

const etagOf = async (client: Client): Promise<string | undefined> => {
  const answer = await client.listConversations({});
  return 'notModified' in answer ? undefined : (answer.etag ?? undefined);
};

describe('a server without validators', () => {
  test('that answers with the same text again has changed nothing, and the text is not parsed', async () => {
    let given: Given = { body: list('c1') };
    const { server, client } = await serve(() => given);
    const ifNoneMatch = await etagOf(client);
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (...call: Parameters<typeof parse>) => {
      parsed += 1;
      return parse(...call);
    };
    try {
      expect(await client.listConversations({ ifNoneMatch })).toEqual({ notModified: true });
      expect(parsed).toBe(0);
    } finally {
      JSON.parse = parse;
    }
    given = { body: list('c2') };
    expect(await client.listConversations({ ifNoneMatch })).toMatchObject({ value: { items: [{ id: 'c2' }] } });
    expect(server.seen.every(({ headers }) => headers['if-none-match'] === undefined)).toBe(true);
  });

  test('that names another next page has changed something', async () => {
    let link = '</v1/conversations?page=2>; rel="next"';
    const { client } = await serve(() => ({ body: list('c1'), headers: { link } }));
    const ifNoneMatch = await etagOf(client);
    link = '</v1/conversations?page=3>; rel="next"';
    expect(await client.listConversations({ ifNoneMatch })).not.toHaveProperty('notModified');
  });

  test('that begins to fail is not taken for one that has changed nothing', async () => {
    let given: Given = { body: list('c1') };
    const { client } = await serve(() => given);
    const ifNoneMatch = await etagOf(client);
    given = { status: 500, body: list('c1') };
    expect((await factsOf(client.listConversations({ ifNoneMatch }))).kind).toBe('server');
    given = { status: 304 };
    expect((await factsOf(client.listConversations({ ifNoneMatch }))).kind).toBe('redirect');
  });
});

describe('waiting for news', () => {
  test('the preference to wait is sent, and the answer may take that much longer', async () => {
    const answer304 = { status: 304, headers: { 'preference-applied': 'wait=60' }, afterMs: 300 };
    const { server, client } = await serve(() => answer304, { wholeMs: 150, idleMs: 100 });
    const answer = await client.listConversations({ ifNoneMatch: '"v1"', waitSeconds: 60 });
    expect(answer).toEqual({ notModified: true, isWaitApplied: true });
    expect(server.seen[0]?.headers).toMatchObject({ prefer: 'wait=60', 'if-none-match': '"v1"' });
    expect((await factsOf(client.listConversations({ ifNoneMatch: '"v1"' }))).kind).toBe('timeout');
    expect(server.seen[1]?.headers.prefer).toBeUndefined();
  });

  test.each([
    ['nothing', undefined],
    ['another preference', 'respond-async'],
    ['a preference whose name ends so', 'no-wait=1'],
  ])('a server that answers Preference-Applied with %s has not waited', async (_, applied) => {
    const headers: Record<string, string> = applied === undefined ? {} : { 'preference-applied': applied };
    const { client } = await serve(() => ({ status: 304, headers }));
    expect(await client.listConversations({ ifNoneMatch: '"v1"', waitSeconds: 1 })).toEqual({ notModified: true });
  });

  test('a waiting request is ended at once, and delays no other', async () => {
    let isFirst = true;
    const { client } = await serve(() => {
      const afterMs = isFirst ? 5_000 : 0;
      isFirst = false;
      return { body: list('c1'), afterMs };
    });
    const calledOff = new AbortController();
    const waiting = client.listConversations({ ifNoneMatch: '"v1"', waitSeconds: 25 }, { signal: calledOff.signal });
    await client.listConversations({});
    calledOff.abort();
    expect((await factsOf(waiting)).kind).toBe('aborted');
  });
});
