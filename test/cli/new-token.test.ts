/** When a token that is given in the chat is kept for the next start. */
import { expect, test } from 'vitest';
import { createTokenKeeper } from '../../src/cli/new-token.ts';
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
