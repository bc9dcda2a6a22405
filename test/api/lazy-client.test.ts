/** A client whose token comes late, or not at all. */
import { expect, test } from 'vitest';
import { ApiError, noTokenCode } from '../../src/api/errors.ts';
import { createLazyClient, type LateToken } from '../../src/api/lazy-client.ts';
import type { Client } from '../../src/api/operations.ts';

const client = { listConversations: async () => 'asked', close: async () => undefined } as unknown as Client;

function late(read: LateToken['read']): { readonly made: string[]; readonly client: Client } {
  const made: string[] = [];
  return {
    made,
    client: createLazyClient({ read }, async (text) => {
      made.push(text);
      return client;
    }),
  };
}

test('calls wait for the token, which is read once', async () => {
  let give = (_token: string): void => undefined;
  const asked: string[] = [];
  const one = late(() => {
    asked.push('read');
    return new Promise((resolve) => {
      give = resolve;
    });
  });
  const calls = [one.client.listConversations({}), one.client.listConversations({})];
  expect(one.made).toEqual([]);
  give('sesame');
  expect(await Promise.all(calls)).toEqual(['asked', 'asked']);
  expect([asked, one.made]).toEqual([['read'], ['sesame']]);
});

test('without a token every call fails before anything is sent, and the next call asks for the token again', async () => {
  let isLocked = true;
  const one = late(async () => {
    if (isLocked) throw new Error('it is locked');
    return 'sesame';
  });
  const failure = await one.client.listConversations({}).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({
    kind: 'unauthorized',
    message: 'it is locked',
    facts: { outcome: 'not-applied', code: noTokenCode },
  });
  isLocked = false;
  expect(await one.client.listConversations({})).toBe('asked');
});

test('the failure of a request that decides about the token stays what it is, and nothing was applied', async () => {
  const one = late(async () => {
    throw new ApiError({ kind: 'timeout', message: 'no answer', outcome: 'ambiguous' });
  });
  const failure = await one.client.listConversations({}).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: 'timeout', facts: { outcome: 'not-applied' } });
});

test('closing ends the wait for a token that does not come', async () => {
  const one = late(
    (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')));
      }),
  );
  const call = one.client.listConversations({}).catch((error: ApiError) => error.kind);
  await one.client.close();
  expect(await call).toBe('aborted');
});
