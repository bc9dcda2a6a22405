/** When a token that is given in the chat is kept for the next start. */
import { describe, expect, test } from 'vitest';
import { TokenKeeper, watchingToken } from '../../../src/cli/chat/new-token.ts';
import type { Connection } from '../../../src/state/model/app-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { patchConnection } from '../../../src/state/view/connection.ts';

function chat(
  keep?: (token: string) => Promise<string | null>,
  keepInFile: (token: string) => string = () => expect.unreachable(),
) {
  const store = createAppStore(initialState());
  const kept: string[] = [];
  const keeper = new TokenKeeper(store, {
    keep:
      keep ??
      (async (token) => {
        kept.push(token);
        return null;
      }),
    keepInFile,
  });
  return {
    kept,
    keeper,
    now: (status: Connection['status']) => store.setState(patchConnection({ status })),
    notices: () => store.getState().screen.notices.map(({ text }) => text),
  };
}

test('a new token is saved once, when the server has accepted it, however long that takes', async () => {
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

test('a refused token is not saved and a notice says so; the next token is', async () => {
  const { keeper, kept, now, notices } = chat();
  keeper.given('mistyped');
  now('unauthorized');
  expect(notices()).toEqual(['The server refuses this token. It was not saved']);
  keeper.given('renewed');
  now('online');
  await keeper.settled();
  expect(kept).toEqual(['renewed']);
});

test('what the keyring reports becomes a notice, and so does an error while saving', async () => {
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
  expect(failed.notices()).toEqual(['The new token was not saved: ENOSPC']);
});

describe('when the chat ends', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  test('while the keyring has not answered, the token goes to the file, which is reported', async () => {
    const inFile: string[] = [];
    const { keeper, now } = chat(never, (token) => `${inFile.push(token)} is in the file`);
    keeper.given('renewed');
    now('online');
    expect(await keeper.leave(Promise.resolve())).toBe('1 is in the file');
    expect(inFile).toEqual(['renewed']);
  });

  test('after a signal the keyring is not waited for, and the token is written once', () => {
    const inFile: string[] = [];
    const { keeper, now } = chat(never, (token) => `${inFile.push(token)} is in the file`);
    keeper.given('renewed');
    now('online');
    expect([keeper.leaveNow(), keeper.leaveNow()]).toEqual(['1 is in the file', null]);
    expect(inFile).toEqual(['renewed']);
  });

  test('a token that neither keyring nor file takes is reported as not saved', async () => {
    const { keeper, now } = chat(never, () => {
      throw new Error('ENOSPC');
    });
    keeper.given('renewed');
    now('online');
    expect(await keeper.leave(Promise.resolve())).toBe('The new token was not saved: ENOSPC');
  });

  test('a token that the server has not answered to yet is reported as not saved', async () => {
    const { keeper, now } = chat();
    keeper.given('renewed');
    now('offline');
    expect(await keeper.leave(never())).toBe('The new token was not saved: the server has not answered to it');
  });

  test('what the keyring answers at the end is returned, as no screen is left; nothing is when the token is saved', async () => {
    const late = chat(async () => 'No keyring');
    late.keeper.given('renewed');
    late.now('online');
    expect([await late.keeper.leave(never()), late.notices()]).toEqual(['No keyring', []]);
    const well = chat();
    expect(await well.keeper.leave(never())).toBeNull();
    well.keeper.given('renewed');
    well.now('online');
    expect(await well.keeper.leave(never())).toBeNull();
    well.keeper.given('mistyped');
    well.now('unauthorized');
    expect(well.keeper.leaveNow()).toContain('refuses this token');
  });
});

test('a token that is read late is hidden from outputs before it is used', async () => {
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
