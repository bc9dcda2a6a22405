/** `--debug-log FILE`: what is in it, and what never is. */
import { spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { withDebugLog } from '../../src/cli/global-options.ts';
import { ExitError } from '../../src/cli/process/exit.ts';
import { openSession } from '../../src/session.ts';
import { closeDebugLog, debug, debugError } from '../../src/storage/ledger/debug-log.ts';
import { openOwnTarget } from '../contract/target.ts';
import { temporaryDirectory } from '../storage/builders.ts';

const patience = { timeout: 10_000, interval: 20 };

test('the log has requests, the outbox and errors as lines of JSON, and no text, name or token', async () => {
  const target = await openOwnTarget();
  onTestFinished(() => target.close());
  const ann = createClient({ baseUrl: target.url, token: target.token });
  const { value: room } = await ann.createConversation({ contactId: target.contactId, idempotencyKey: 'k' });
  await ann.close();
  const directory = temporaryDirectory();
  const file = join(directory, 'debug.jsonl');
  writeFileSync(file, '', { mode: 0o644 });
  onTestFinished(closeDebugLog);
  expect(withDebugLog(['send', 'Ann', '--debug-log', file, 'secret words'])).toEqual(['send', 'Ann', 'secret words']);
  const session = openSession({
    label: 'x',
    server: target.url,
    token: target.token,
    insecureHttp: false,
    dataDirectory: join(directory, 'data'),
    cacheDirectory: join(directory, 'cache'),
  });
  await session.start();
  session.engine.enqueue({ kind: 'message.send', conversationId: room.id, text: 'secret words' });
  session.engine.enqueue({ kind: 'message.send', conversationId: 'no-such-room', text: 'secret words' });
  const states = () => session.store.getState().local.outbox.map(({ state }) => state);
  await vi.waitFor(() => expect(states()).toEqual(['failed']), patience);
  debugError('command', new ExitError(5, `nobody is called secret words ${target.token}`));
  debugError('crash', Object.assign(new TypeError('secret words'), { code: 'ERR_X', cause: 'secret words' }));
  debugError('crash', 'secret words');
  await session.close();
  closeDebugLog();
  debug('after', {});

  const text = readFileSync(file, 'utf8');
  for (const content of ['secret', target.token, target.other.username, 'Bearer']) expect(text).not.toContain(content);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (event: string) => lines.filter((line) => line.event === event);
  expect(of('start')).toMatchObject([{ command: 'send', node: process.version }]);
  expect(of('request')).toContainEqual(
    expect.objectContaining({ method: 'POST', path: '/v1/messages', status: 201, reason: 'send' }),
  );
  expect(
    of('op')
      .filter(({ conversation_id }) => conversation_id === room.id)
      .map(({ state }) => state),
  ).toEqual(['queued', 'sending']);
  expect(of('op')).toContainEqual(expect.objectContaining({ state: 'gone', before: 'sending' }));
  expect(of('op')).toContainEqual(
    expect.objectContaining({ conversation_id: 'no-such-room', state: 'failed', before: 'queued' }),
  );
  expect(of('connection')).toContainEqual(expect.objectContaining({ status: 'online' }));
  expect(of('error')).toMatchObject([
    {
      during: 'command',
      name: 'ExitError',
      code: 5,
      stack: expect.arrayContaining([expect.stringMatching(/^at .*debug-log\.test\.ts:\d+:\d+/)]),
    },
    { during: 'crash', name: 'TypeError', code: 'ERR_X' },
    { during: 'crash', name: 'string', stack: [] },
  ]);
  expect(of('after')).toEqual([]);
});

test('every command takes the option, and after -- it is text', () => {
  onTestFinished(closeDebugLog);
  const file = join(temporaryDirectory(), 'log');
  expect(withDebugLog([`--debug-log=${file}`, '--ascii'])).toEqual(['--ascii']);
  expect(existsSync(file)).toBe(true);
  expect(withDebugLog(['send', 'x', '--', '--debug-log', 'y'])).toEqual(['send', 'x', '--', '--debug-log', 'y']);
  for (const argv of [['--debug-log'], ['--debug-log='], ['--debug-log', '--', 'x']])
    expect(() => withDebugLog(argv)).toThrow('--debug-log needs a file');
  expect(() => withDebugLog(['--debug-log', join(file, 'below')])).toThrow(
    'cannot be written: a part of its path is not a folder (ENOTDIR)',
  );
});

test.skipIf(process.platform === 'win32')('a device or a pipe keeps its mode', () => {
  const pipe = join(temporaryDirectory(), 'pipe');
  spawnSync('mkfifo', ['-m', '666', pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(reader));
  onTestFinished(closeDebugLog);
  withDebugLog(['--debug-log', pipe]);
  expect(statSync(pipe).mode & 0o777).toBe(0o666);
});
