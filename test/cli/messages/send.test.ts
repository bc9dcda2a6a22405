/** `msg-tui send` without a screen: alone, beside a chat, without the server, refused, unsure, interrupted. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Account } from '../../../src/cli/headless/account.ts';
import { Deadline } from '../../../src/cli/headless/deadline.ts';
import { orNothingQueued } from '../../../src/cli/headless/write.ts';
import { editOp, retryOp } from '../../../src/cli/messages/outbox.ts';
import { contentOf, sendContent } from '../../../src/cli/messages/send.ts';
import type { Output } from '../../../src/cli/output/print.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import type { RequestHook } from '../../../src/server/http/start.ts';
import type { Op } from '../../../src/state/model/app-state.ts';
import { until } from '../../../src/state/store.ts';
import { openOutbox } from '../../../src/storage/outbox/open.ts';
import { acquireSenderLock } from '../../../src/storage/outbox/sender-lock.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { expectShape } from './documented-shapes.ts';
import { type WritingWorld, writingWorld } from './writing-world.ts';

const sending =
  (to: string, text: string, options: { wait?: boolean; json?: boolean; reply?: string } = {}) =>
  (account: Account, output: Output): Promise<void> =>
    sendContent(account, to, { text, attachments: [] }, options, output);

const count = async ({ server }: WritingWorld, text: string): Promise<number> =>
  (await server.me.texts('ann')).filter((one) => one === text).length;

const isPost = (request: Request): boolean => request.method === 'POST';

const answer = (status: number): RequestHook => {
  const body = JSON.stringify({ error: { message: `refused with ${status}` } });
  return async (request, next) =>
    isPost(request) ? new Response(body, { status, headers: { 'content-type': 'application/json' } }) : next();
};

describe('when no other program sends', () => {
  test('with --json stderr has only the document of an error, however long the text is', async () => {
    const world = await writingWorld();
    const long = 'x'.repeat(5_000);
    expect((await world.run(sending('ann', long))).remarks).toEqual([expect.stringMatching(/^a long message/)]);
    expect((await world.run(sending('ann', long, { json: true }))).remarks).toEqual([]);
  });

  test('the message is sent, and its id is printed', async () => {
    const world = await writingWorld();
    const ran = await world.run(sending('ann', 'Hello'));
    expect(ran).toMatchObject({ code: 0, remarks: [] });
    expect((await world.server.me.find('ann', 'Hello')).id).toBe(ran.out.trim());
    expect((await world.stored()).getState().local.outbox).toEqual([]);
  });

  test('JSON names the op, the conversation and the message; a reply contains a quote', async () => {
    const world = await writingWorld();
    const { id } = await world.server.me.find('ann', 'The ferry leaves at nine');
    const { code, out } = await world.run(sending('@ann', 'Good', { json: true, reply: id }));
    const text = '> ann wrote:\n> The ferry leaves at nine\nGood';
    const message = await world.server.me.find('ann', text);
    expect(code).toBe(0);
    expectShape('change of a message', JSON.parse(out));
    expect(JSON.parse(out)).toEqual({
      schema: 1,
      state: 'sent',
      op: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_id: message.conversation_id,
      message_id: message.id,
      warnings: [],
    });
  });

  test('an unknown name ends with 5, and nothing is sent', async () => {
    const world = await writingWorld();
    expect(await world.run(sending('nobody', 'Hello'))).toMatchObject({ code: 5, out: '' });
    expect((await world.stored()).getState().local.outbox).toEqual([]);
  });

  test('two at once both end, and each message is sent once', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'first'));
    const texts = ['a', 'b', 'c'];
    const ends = await Promise.all(texts.map((text) => world.run(sending('ann', text))));
    expect(ends.map(({ code, error }) => [code, error])).toEqual(texts.map(() => [0, '']));
    for (const text of texts) expect(await count(world, text)).toBe(1);
    // Each has waited for its own message, whoever has sent it: nobody stays to do so later.
    const ids = await Promise.all(texts.map(async (text) => (await world.server.me.find('ann', text)).id));
    expect(ends.map(({ out }) => out.trim())).toEqual(ids);
  });
});

describe('while a chat is open', () => {
  test('the command ends once the message is on disk, and the chat sends it', async () => {
    const world = await writingWorld();
    const chat = await world.openChat();
    await until(chat.store, ({ view }) => view.connection.listComplete);
    const ran = await world.run(sending('ann', 'Hello'));
    expect(ran).toMatchObject({
      code: 0,
      out: '',
      remarks: [expect.stringMatching(/^queued; the msg-tui .* sends it$/)],
    });
    await until(chat.store, ({ cache }) => [...cache.lastMessages.values()].some(({ text }) => text === 'Hello'));
    expect(await count(world, 'Hello')).toBe(1);
  });

  test('--wait waits for the server, and takes over when the chat ends first', async () => {
    const world = await writingWorld();
    const chat = await world.openChat();
    await until(chat.store, ({ view }) => view.connection.listComplete);
    const { code, out } = await world.run(sending('ann', 'Hello', { wait: true }));
    expect([code, out.trim()]).toEqual([0, (await world.server.me.find('ann', 'Hello')).id]);
    await chat.close();
    expect(await world.run(sending('ann', 'Alone', { wait: true }))).toMatchObject({ code: 0 });
    expect(await count(world, 'Alone')).toBe(1);
  });

  test('--wait ends with 4 when the server does not answer, and says that the chat sends the message', async () => {
    const world = await writingWorld();
    const chat = await world.openChat();
    await until(chat.store, ({ view }) => view.connection.listComplete);
    // What the chat has read is on the disk now, so that the name is found without the server.
    expect(await world.run(sending('ann', 'First', { wait: true }))).toMatchObject({ code: 0 });
    await world.server.stop();
    const ran = await world.run(sending('ann', 'Hello', { wait: true }), new Deadline(1));
    expect(ran).toMatchObject({ code: 4, isQueued: true });
    expect(ran.error).toMatch(/: queued; the msg-tui that is open sends it as soon as it can$/);
  });
});

test('without time and without a chat, the error does not say that a program sends it now', async () => {
  const world = await writingWorld();
  await world.run(sending('ann', 'before'));
  const ran = await world.run(sending('ann', 'Hello'), new Deadline(0));
  expect(ran).toMatchObject({ code: 4, isQueued: true });
  expect(ran.error).toMatch(/: queued; it is sent when the chat is opened, or by "msg-tui outbox retry"$/);
});

test('a token command that takes the whole time is named, and not the server', async () => {
  const world = await writingWorld();
  await world.run(sending('ann', 'before'));
  const read = (signal: AbortSignal) => wait(60_000, '', { signal });
  const slow = { ...world.account, token: { read } };
  const commanded = { ...slow, lateTokenFrom: 'command' } as const;
  const ran = await world.run(sending('ann', 'Hello'), new Deadline(0.3), commanded);
  expect(ran).toMatchObject({ code: 4, isQueued: true });
  expect(ran.error).toMatch(/^not sent within 0.3 s \(the token command did not end\): queued; /);
  const reading = await world.run(sending('dora', 'Hello'), new Deadline(0.3), commanded);
  expect(reading.error).toMatch(/^the token command did not end within 0.3 s/);
  const locked = { ...slow, lateTokenFrom: 'keyring' } as const;
  const kept = await world.run(sending('ann', 'Hello'), new Deadline(0.3), locked);
  expect(kept.error).toMatch(/^not sent within 0.3 s \(the keyring did not answer\): /);
});

test.each([
  ['has not written its process id yet', null],
  ['has left the id of a process that is gone', '4194303'],
])('a process that has the sender role for a moment and %s is not taken for a chat', async (_, pid) => {
  const world = await writingWorld();
  await world.run(sending('ann', 'before'));
  const { dataDirectory } = world.account;
  const lock = acquireSenderLock(dataDirectory);
  if (!('release' in lock)) throw new Error('somebody has the role');
  rmSync(join(dataDirectory, 'sender.pid'));
  if (pid !== null) writeFileSync(join(dataDirectory, 'sender.pid'), pid);
  const { code, out } = await world.run(async (account, output) => {
    void until(account.store, ({ local }) => local.outbox.length > 0).then(() => setImmediate(lock.release));
    await sending('ann', 'Hello')(account, output);
  });
  expect([code, out.trim()]).toEqual([0, (await world.server.me.find('ann', 'Hello')).id]);
});

test('a command that gives the role back after a while is not taken for a chat', async () => {
  const world = await writingWorld();
  await world.run(sending('ann', 'before'));
  const { dataDirectory } = world.account;
  const lock = acquireSenderLock(dataDirectory, true);
  if (!('release' in lock)) throw new Error('somebody has the role');
  const { code, out } = await world.run(async (account, output) => {
    const givesBack = async (): Promise<void> => {
      await until(account.store, ({ local }) => local.outbox.length > 0);
      await wait(800);
      rmSync(join(dataDirectory, 'sender.pid'));
      await wait(150);
      lock.release();
    };
    await Promise.all([givesBack(), sending('ann', 'Hello')(account, output)]);
  });
  expect([code, out.trim()]).toEqual([0, (await world.server.me.find('ann', 'Hello')).id]);
});

const hasText = ({ action }: Op, text: string): boolean => action.kind === 'message.send' && action.text === text;

describe('while the server is not there', () => {
  test('the message stays queued with 4, and the next command sends it first', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    await world.server.stop();
    const ran = await world.run(sending('ann', 'one'), new Deadline(0.3));
    expect(ran).toMatchObject({ code: 4, out: '', isQueued: true });
    expect(ran.error).toMatch(
      /^not sent within 0\.3 s( \(.*\))?: queued; it is sent when the chat is opened, or by "msg-tui outbox retry"$/,
    );
    expect(await world.run(sending('ann', 'two'), new Deadline(0))).toMatchObject({ code: 4, isQueued: true });
    const [first] = (await world.stored()).getState().local.outbox;
    expect(first).toMatchObject({ state: 'queued', attempts: [] });
    await world.server.start();
    expect(await world.run(sending('ann', 'three'))).toMatchObject({ code: 0 });
    expect((await world.server.me.texts('ann')).slice(-4)).toEqual(['before', 'one', 'two', 'three']);
  });

  test('with a name that only the server could know nothing is queued, and the error says so', async () => {
    const world = await writingWorld();
    await world.server.stop();
    const ran = await world.run((account, output) => orNothingQueued(() => sending('ann', 'one')(account, output)));
    expect(ran).toMatchObject({ code: 4, out: '', isQueued: false });
    expect(ran.error).toMatch(/ \(not done, and nothing is queued\)$/);
    expect((await world.stored()).getState().local.outbox).toEqual([]);
  });

  test('a signal ends the command with its exit code, and the error says what became of the message', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    await world.server.stop();
    const running = world.run(async (account, output) => {
      void until(account.store, ({ local }) => local.outbox.length > 0).then(() => process.emit('SIGTERM'));
      await sending('ann', 'one')(account, output);
    });
    expect(await running).toMatchObject({
      code: 143,
      error: 'interrupted: queued; it is sent when the chat is opened, or by "msg-tui outbox retry"',
      isQueued: true,
    });
    expect(process.listenerCount('SIGTERM')).toBe(0);
  });

  test('a signal names the open chat that sends the message, and says that it is lost if nothing is kept', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    await world.server.stop();
    const interrupted = (text: string, isVolatile: boolean) =>
      world.run(async (account, output) => {
        account.store.setState((state) => ({ ...state, view: { ...state.view, isVolatile } }));
        const isKept = until(account.store, ({ local }) => local.outbox.some((op) => hasText(op, text)));
        void isKept.then(() => setTimeout(() => process.emit('SIGINT'), 300));
        await sending('ann', text, { wait: true })(account, output);
      });
    const lost = 'interrupted: nothing is kept on disk here, so it is lost';
    expect(await interrupted('one', true)).toMatchObject({ code: 130, error: lost, isQueued: false });
    const chat = await world.openChat();
    const sentByChat = 'interrupted: queued; the msg-tui that is open sends it as soon as it can';
    expect(await interrupted('two', false)).toMatchObject({ code: 130, error: sentByChat });
    await chat.close();
  });
});

describe('when the server refuses the message', () => {
  test.each([
    [400, 1],
    [401, 3],
    [403, 6],
    [404, 5],
  ])('%i ends with %i; the text is kept as failed and not sent again by itself', async (status, code) => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    world.server.setHook(answer(status));
    const ran = await world.run(sending('ann', 'refused'));
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.error).toContain('kept as failed');
    const [op] = (await world.stored()).getState().local.outbox;
    expect(op).toMatchObject({ state: 'failed' });
    world.server.setHook(null);
    expect(await world.run(sending('ann', 'after'))).toMatchObject({ code: 0 });
    expect(await count(world, 'refused')).toBe(0);
    expect(ran.error).toContain(op?.uuid.slice(0, 8));
    const again = await world.run((account, output) => retryOp(account, op?.uuid.slice(0, 8), {}, output));
    expect(again).toMatchObject({ code: 0 });
    expect(await count(world, 'refused')).toBe(1);
  });
});

describe('when the answer does not come', () => {
  test('a message that arrived is found in the history, and is sent once', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    world.server.setHook(async (request, next, drop) => {
      const response = await next();
      if (isPost(request)) drop();
      return response;
    });
    const { code, out } = await world.run(sending('ann', 'Hello'));
    expect([code, out.trim()]).toEqual([0, (await world.server.me.find('ann', 'Hello')).id]);
    expect(await count(world, 'Hello')).toBe(1);
  });

  test('a message that is not found is unsure, which is a failure, and is not sent again', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    const deadline = new Deadline(60);
    world.server.setHook(async (request, next, drop) => {
      if (!isPost(request)) return next();
      drop();
      return new Response();
    });
    const ran = await world.run(async (account, output) => {
      const isUnsure = until(account.store, ({ local }) => local.outbox.some(({ state }) => state === 'unsure'));
      void isUnsure.then(() => deadline.pass());
      await sending('ann', 'Hello')(account, output);
    }, deadline);
    expect(ran).toMatchObject({ code: 1, name: 'unsure', out: '' });
    expect(ran.error).toMatch(/^unsure: the message may have arrived \(.*"msg-tui outbox list" shows/);
    world.server.setHook(null);
    const [op] = (await world.stored()).getState().local.outbox;
    expect(op).toMatchObject({ state: 'unsure' });
    const uuid = op?.uuid ?? '';
    const retried = await world.run((account, output) => retryOp(account, uuid, {}, output), new Deadline(0));
    expect(retried).toMatchObject({ code: 1, error: expect.stringMatching(/^unsure: .* sends it again where/) });
    const disk = openOutbox(world.account.dataDirectory);
    disk.changeOp(uuid, (held) => ({ ...held, hasPossibleCopy: true }));
    disk.close();
    const doubtful = await world.run((account, output) => retryOp(account, uuid, {}, output), new Deadline(0));
    expect(doubtful.error).toMatch(/outbox discard \w+" removes it here if that is the one, .* again if it is not$/);
    const behind = await world.run(sending('ann', 'behind it'), new Deadline(1));
    expect(behind).toMatchObject({ code: 4, error: expect.stringContaining(`outbox retry ${uuid.slice(0, 8)}`) });
    // Another conversation does not wait for it.
    expect(await world.run(sending('bob', 'to somebody else'))).toMatchObject({ code: 0 });
    const edited = await world.run((account, output) => editOp(account, uuid, 'other', {}, output));
    expect(edited).toMatchObject({ code: 1, error: expect.stringContaining('may have arrived') });
    // The first one, the one without an answer, and the one to somebody else.
    expect(world.server.asked.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  test('retry sends an unsure message again once the history has lacked it for long enough', async () => {
    const world = await writingWorld();
    await world.run(sending('ann', 'before'));
    const deadline = new Deadline(60);
    world.server.setHook(async (request, next, drop) => {
      if (!isPost(request)) return next();
      drop();
      deadline.pass();
      return new Response();
    });
    await world.run(sending('ann', 'Hello'), deadline);
    world.server.setHook(null);
    const [op] = (await world.stored()).getState().local.outbox;
    expect(op).toMatchObject({ state: 'unsure', scans: 0 });
    // The attempt ended long enough ago, but the history has not been read twice since when the command begins.
    const disk = openOutbox(world.account.dataDirectory);
    disk.changeOp(op?.uuid ?? '', (held) => ({
      ...held,
      attempts: held.attempts.map((attempt) => ({ ...attempt, ended: (attempt.ended ?? 0) - 31_000 })),
    }));
    disk.close();
    const retried = await world.run((account, output) => retryOp(account, op?.uuid ?? '', {}, output));
    expect(retried).toMatchObject({ code: 0, error: '' });
    expect(await count(world, 'Hello')).toBe(1);
  });
});

describe('the text', () => {
  const usage = async (...call: Parameters<typeof contentOf>): Promise<string> => {
    const error = await contentOf(...call).then(String, (thrown: unknown) => thrown);
    if (!(error instanceof ExitError)) throw new Error(`not refused: ${String(error)}`);
    expect(error.code).toBe(2);
    return error.message;
  };

  test('is checked before an account is looked for', async () => {
    expect(await usage(undefined, {})).toMatch(/there is no text; give it as an argument/);
    expect(await usage('', {})).toMatch(/the text is empty/);
    expect(await usage(' \n', {})).toMatch(/the text is empty/);
    expect(await usage('\x1b[31mred', {})).toMatch(/has a control character \(U\+001B\); take it out first/);
    expect(await usage('a', { file: 'b' })).toMatch(/not both/);
    expect(await usage(undefined, { file: '/no/such/file' })).toMatch(/--file: .* there is no such file/);
    expect(await usage(undefined, { file: '/dev/zero' })).toMatch(/longer than 1000000 bytes; nothing was sent/);
    expect(await usage('a', { attach: ['plan.pdf'] })).toMatch(/--attach: the service has no upload/);
    expect(await usage('a', { attach: ['nope'] })).toMatch(/--attach: give an address/);
  });

  test('is read from a file without the line end after it', async () => {
    const file = join(temporaryDirectory(), 'text');
    writeFileSync(file, 'two\r\nlines\n');
    const attach = ['https://files.example/a.png', 'name=value'];
    expect(await contentOf(undefined, { file, attach })).toEqual({
      text: 'two\nlines',
      attachments: [{ file_url: 'https://files.example/a.png' }, { name: 'value' }],
    });
    writeFileSync(file, Buffer.from([0x68, 0xff]));
    expect(await usage(undefined, { file })).toMatch(/not UTF-8/);
    writeFileSync(file, 'x'.repeat(1_000_001));
    expect(await usage(undefined, { file })).toMatch(/longer than 1000000 bytes; nothing was sent/);
    expect(await contentOf(undefined, { attach })).toMatchObject({ text: '' });
  });
});
