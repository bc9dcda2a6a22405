/** When a token that is given in the chat is kept for the next start. */
import { describe, expect, test } from 'vitest';
import { TokenSaver, watchingToken } from '../../../src/cli/chat/new-token.ts';
import type { Connection } from '../../../src/state/model/app-state.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { patchConnection } from '../../../src/state/view/connection.ts';

function chat(
  save?: (token: string) => Promise<string | null>,
  saveInFile: (token: string) => string = () => expect.unreachable(),
) {
  const store = createAppStore(initialState());
  const saved: string[] = [];
  const saver = new TokenSaver(store, {
    save:
      save ??
      (async (token) => {
        saved.push(token);
        return null;
      }),
    saveInFile,
  });
  return {
    saved,
    saver,
    now: (status: Connection['status']) => store.setState(patchConnection({ status })),
    notices: () => store.getState().screen.notices.map(({ text }) => text),
  };
}

test('a new token is saved once, when the server has accepted it, however long that takes', async () => {
  const { saver, saved, now, notices } = chat();
  saver.given('renewed');
  now('offline');
  await saver.settled();
  expect(saved).toEqual([]);
  now('online');
  now('offline');
  now('online');
  await saver.settled();
  expect([saved, notices()]).toEqual([['renewed'], []]);
});

test('a refused token is not saved and a notice says so; the next token is', async () => {
  const { saver, saved, now, notices } = chat();
  saver.given('mistyped');
  now('unauthorized');
  expect(notices()).toEqual(['The server refuses this token. It was not saved']);
  saver.given('renewed');
  now('offline');
  expect(notices()).toEqual([]);
  now('online');
  await saver.settled();
  expect(saved).toEqual(['renewed']);
});

test('what the keyring reports becomes a notice, and so does an error while saving', async () => {
  const fallen = chat(async () => 'No keyring');
  fallen.saver.given('renewed');
  fallen.now('online');
  await fallen.saver.settled();
  expect(fallen.notices()).toEqual(['No keyring']);
  const failed = chat(async () => {
    throw new Error('ENOSPC');
  });
  failed.saver.given('renewed');
  failed.now('online');
  await failed.saver.settled();
  expect(failed.notices()).toEqual(['The new token was not saved: ENOSPC']);
});

describe('when the chat ends', () => {
  const never = (): Promise<never> => new Promise(() => undefined);

  test('while the keyring has not answered, the token goes to the file, which is reported', async () => {
    const inFile: string[] = [];
    const { saver, now } = chat(never, (token) => `${inFile.push(token)} is in the file`);
    saver.given('renewed');
    now('online');
    expect(await saver.leave(Promise.resolve())).toBe('1 is in the file');
    expect(inFile).toEqual(['renewed']);
  });

  test('after a signal the keyring is not waited for, and the token is written once', () => {
    const inFile: string[] = [];
    const { saver, now } = chat(never, (token) => `${inFile.push(token)} is in the file`);
    saver.given('renewed');
    now('online');
    expect([saver.leaveNow(), saver.leaveNow()]).toEqual(['1 is in the file', null]);
    expect(inFile).toEqual(['renewed']);
  });

  test('a token that neither keyring nor file takes is reported as not saved', async () => {
    const { saver, now } = chat(never, () => {
      throw new Error('ENOSPC');
    });
    saver.given('renewed');
    now('online');
    expect(await saver.leave(Promise.resolve())).toBe('The new token was not saved: ENOSPC');
  });

  test('a token that the server has not answered to yet is reported as not saved', async () => {
    const { saver, now } = chat();
    saver.given('renewed');
    now('offline');
    expect(await saver.leave(never())).toBe('The new token was not saved: the server has not answered to it');
  });

  test('what the keyring answers at the end is returned, as no screen is left; nothing is when the token is saved', async () => {
    const late = chat(async () => 'No keyring');
    late.saver.given('renewed');
    late.now('online');
    expect([await late.saver.leave(never()), late.notices()]).toEqual(['No keyring', []]);
    const well = chat();
    expect(await well.saver.leave(never())).toBeNull();
    well.saver.given('renewed');
    well.now('online');
    expect(await well.saver.leave(never())).toBeNull();
    well.saver.given('mistyped');
    well.now('unauthorized');
    expect(well.saver.leaveNow()).toContain('refuses this token');
  });
});

test('a token that is read late is hidden from outputs before it is used', async () => {
  const account = {
    label: 'x',
    server: 'https://chat.example',
    dataDirectory: '',
    cacheDirectory: '',
    insecureHttp: false,
  };
  const hidden: string[] = [];
  const hide = (token: string): void => void hidden.push(token);
  expect(watchingToken({ ...account, token: 'early' }, hide, () => undefined).token).toBe('early');
  const { token } = watchingToken({ ...account, token: { read: async () => 'late' } }, hide, () => undefined);
  expect(hidden).toEqual(['early']);
  expect(typeof token === 'string' ? token : await token.read(new AbortController().signal)).toBe('late');
  expect(hidden).toEqual(['early', 'late']);
});
