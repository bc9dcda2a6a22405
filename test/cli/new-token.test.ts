/** When a token that is given in the chat is kept for the next start. */
import { expect, test } from 'vitest';
import { createTokenKeeper, watchingToken } from '../../src/cli/new-token.ts';
import { patchConnection } from '../../src/state/connection.ts';
import type { Connection } from '../../src/state/state.ts';
import { createAppStore, initialState } from '../../src/state/store.ts';

function chat(keep?: (token: string) => Promise<string | null>) {
  const store = createAppStore(initialState());
  const kept: string[] = [];
  const keeper = createTokenKeeper(
    store,
    keep ??
      (async (token) => {
        kept.push(token);
        return null;
      }),
  );
  return {
    kept,
    keeper,
    now: (status: Connection['status']) => store.setState(patchConnection({ status })),
    notices: () => store.getState().view.notices.map(({ text }) => text),
  };
}

test('when the server has taken it, however long that takes; once', async () => {
  const { keeper, kept, now, notices } = chat();
  keeper.given('renewed');
  now('offline');
  await keeper.settled();
  expect(kept).toEqual([]);
  now('online');
  now('offline');
  now('online');
  await keeper.settled();
  expect([kept, notices()]).toEqual([['renewed'], []]);
});

test('one that is refused is not kept; the next one is', async () => {
  const { keeper, kept, now } = chat();
  keeper.given('mistyped');
  now('unauthorized');
  keeper.given('renewed');
  now('online');
  await keeper.settled();
  expect(kept).toEqual(['renewed']);
});

test('what there is to say is said, and so is what went wrong', async () => {
  const fallen = chat(async () => 'No keyring');
  fallen.keeper.given('renewed');
  fallen.now('online');
  await fallen.keeper.settled();
  expect(fallen.notices()).toEqual(['No keyring']);
  const failed = chat(async () => {
    throw new Error('ENOSPC');
  });
  failed.keeper.given('renewed');
  failed.now('online');
  await failed.keeper.settled();
  expect(failed.notices()).toEqual(['The new token is not kept for the next start: ENOSPC']);
});

test('a token that comes late is hidden before anybody else has it', async () => {
  const target = {
    label: 'x',
    server: 'https://chat.example',
    dataDirectory: '',
    cacheDirectory: '',
    insecureHttp: false,
  };
  const hidden: string[] = [];
  const hide = (token: string): void => void hidden.push(token);
  expect(watchingToken({ ...target, token: 'early' }, hide, () => undefined).token).toBe('early');
  const { token } = watchingToken({ ...target, token: { read: async () => 'late' } }, hide, () => undefined);
  expect(hidden).toEqual(['early']);
  expect(typeof token === 'string' ? token : await token.read(new AbortController().signal)).toBe('late');
  expect(hidden).toEqual(['early', 'late']);
});
