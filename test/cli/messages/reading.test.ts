/** The commands that read, in this process, against our server; every document is held against docs/json.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Account, withSession } from '../../../src/cli/headless/account.ts';
import { Deadline } from '../../../src/cli/headless/deadline.ts';
import { type ConversationsOptions, conversations } from '../../../src/cli/messages/conversations.ts';
import type { Open } from '../../../src/cli/messages/open.ts';
import { type ReadOptions, read } from '../../../src/cli/messages/read.ts';
import { search } from '../../../src/cli/messages/search.ts';
import { sendContent } from '../../../src/cli/messages/send.ts';
import { tail } from '../../../src/cli/messages/tail.ts';
import { unreadTotal } from '../../../src/cli/messages/unread.ts';
import { wait } from '../../../src/cli/messages/wait.ts';
import type { Output } from '../../../src/cli/output/print.ts';
import { ExitError } from '../../../src/cli/process/exit.ts';
import { defaultSettings, type Settings } from '../../../src/state/model/settings.ts';
import { selectUnreadTotal } from '../../../src/state/select/selectors.ts';
import { addNotice } from '../../../src/state/view/notices.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { expectShape } from './documented-shapes.ts';
import { type WritingWorld, writingWorld } from './writing-world.ts';

afterEach(() => void vi.unstubAllEnvs());

interface Printed {
  code: number;
  error: string;
  out: string;
  remarks: string[];
}

/** Polls at once, over and over, until the condition holds. */
async function polling(poll: () => void, holds: () => void): Promise<void> {
  await vi.waitFor(
    () => {
      poll();
      holds();
    },
    { timeout: 30_000, interval: 100 },
  );
}

type Command = (output: Output, open: Open) => Promise<void>;

interface RunOptions {
  readonly settings?: Settings;
  readonly deadline?: Deadline;
  readonly onText?: (text: string) => void;
  /** Polls are made at once when this is called. */
  readonly onAccount?: (poll: () => void) => void;
}

/** Runs a command on the account of the world. */
async function run(
  { account }: WritingWorld,
  command: Command,
  { settings = defaultSettings, deadline = new Deadline(60), onText, onAccount }: RunOptions = {},
): Promise<Printed> {
  const printed: Printed = { code: 0, error: '', out: '', remarks: [] };
  const print = (text: string): void => {
    printed.out += text;
    onText?.(text);
  };
  const output: Output = { text: print, json: print, remark: (line) => void printed.remarks.push(line), columns: null };
  const open: Open = (act, listeners) => {
    const acting = (account: Account): Promise<void> => {
      onAccount?.(account.session.engine.pollNow);
      return act(account);
    };
    return withSession(account, settings, deadline, acting, listeners);
  };
  try {
    await command(output, open);
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    Object.assign(printed, { code: error.code, error: error.message });
  }
  return printed;
}

const listing =
  (options: Partial<ConversationsOptions> = {}): Command =>
  (output, open) =>
    conversations({ view: 'all', timeout: 60, ...options }, output, open);
const reading =
  (name: string, options: Partial<ReadOptions> = {}): Command =>
  (output, open) =>
    read(name, { timeout: 60, ...options }, output, open);

/** A world of which the server refuses to give the older of the messages with ann. */
async function worldWithNewestPart(): Promise<WritingWorld> {
  const world = await writingWorld();
  for (let count = 0; count < 12; count++) await world.server.as('ann').send('me', `line ${count}`);
  world.server.setHook(async (request, next) => {
    const { pathname, searchParams } = new URL(request.url);
    const names = [...searchParams.keys()].filter((name) => name !== 'conversation_id');
    if (pathname !== '/v1/messages' || names.length === 0) return next();
    const body = JSON.stringify({ error: { message: 'unknown parameter' } });
    return new Response(body, { status: 400, headers: { 'content-type': 'application/json' } });
  });
  return world;
}

test('read says so if the server gives only the newest part of a history', async () => {
  const world = await worldWithNewestPart();
  const { out, remarks } = await run(world, reading('ann', { limit: 50 }));
  expect(out.trim().split('\n')).toHaveLength(10);
  expect(remarks).toEqual(['older messages cannot be fetched from this server']);
  expect((await run(world, reading('ann', { limit: 5 }))).remarks).toEqual([]);
});

describe('conversations', () => {
  test('says at every run that nothing is cached while the server was never reached', async () => {
    const world = await writingWorld();
    world.server.setHook(() => Promise.resolve(Response.json({ message: 'not today' }, { status: 503 })));
    const expected = { code: 4, error: expect.stringMatching(/; nothing is cached$/) };
    expect(await run(world, listing())).toMatchObject(expected);
    const again = await run(world, listing({ json: true }));
    expect(again).toMatchObject(expected);
    expect(JSON.parse(again.out)).toMatchObject({ cached: true, as_of: null, conversations: [] });
  });

  test('does not say that nothing is cached above what the first run has read', async () => {
    const world = await writingWorld();
    world.server.setHook(async (request, next) =>
      new URL(request.url).pathname === '/v1/messages'
        ? Response.json({ message: 'not today' }, { status: 503 })
        : next(),
    );
    const { out, ...rest } = await run(world, listing());
    expect(out).not.toBe('');
    expect(rest).toMatchObject({
      code: 4,
      error: expect.stringMatching(/; only what was read before that is cached$/),
    });
  });

  test('lists names, unread counts and last messages on the first run', async () => {
    const world = await writingWorld();
    await world.server.as('bob').send('me', 'Hello?');
    const { out, code } = await run(world, listing({ json: true }));
    const document = JSON.parse(out);
    expectShape('`conversations`', document);
    expect(code).toBe(0);
    expect(document).toMatchObject({ schema: 1, cached: false, total: 2 });
    const seen = document.conversations.map((one: Record<string, unknown>) => [one.name, one.unread]);
    expect(seen).toEqual([
      ['bob', 1],
      ['ann', 0],
    ]);
    const text = (await run(world, listing({ cached: true }))).out;
    expect(text).toMatch(/^\S{16} {2}bob {2}1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}- {2}bob: Hello\?\n/);
  });

  test('does not count own messages of a group as unread on the first run', async () => {
    const group = (username: string, at: number) => ({ from: username, text: `of ${username}`, at });
    const world = await writingWorld({
      users: [{ username: 'me' }, { username: 'ann' }, { username: 'bob' }],
      groups: [{ name: 'crew', members: ['me', 'ann', 'bob'] }],
      conversations: [
        { between: ['me', 'ann'], messages: [group('ann', -7_000), group('me', -6_000)] },
        { group: 'crew', messages: [group('ann', -5_000), group('me', -4_000)] },
      ],
    });
    await world.server.as('ann').send('me', 'answer');
    await world.server.as('ann').send('crew', 'one');
    await world.server.me.send('crew', 'two');
    await world.server.as('bob').send('crew', 'three');
    const { out } = await run(world, listing({ json: true }));
    const counts = JSON.parse(out).conversations.map(({ unread }: { unread: number }) => unread);
    expect(counts.sort()).toEqual([1, 1]);
  });

  test('counts what is unread in more conversations than the chat reads at its start', async () => {
    const people = Array.from({ length: 30 }, (_, index) => `person${index}`);
    const world = await writingWorld({
      users: [{ username: 'me' }, ...people.map((username) => ({ username }))],
      groups: [],
      conversations: people.map((name) => ({ between: ['me', name], messages: [{ from: name, text: 'hi', at: -60 }] })),
    });
    for (const name of people) await world.server.as(name).send('me', 'news');
    const { out, remarks } = await run(world, listing({ json: true, view: 'unread' }));
    expect(JSON.parse(out).total).toBe(people.length);
    expect(remarks).toEqual([]);
  });

  test('takes the views of the chat and a limit, and shows what is queued', async () => {
    const world = await writingWorld();
    await world.server.as('bob').send('me', 'Hello?');
    const names = async (options: Partial<ConversationsOptions>): Promise<string[]> => {
      const { out } = await run(world, listing({ json: true, ...options }));
      return JSON.parse(out).conversations.map(({ name }: { name: string }) => name);
    };
    expect(await names({ view: 'unread' })).toEqual(['bob']);
    expect(await names({ limit: 1, cached: true })).toEqual(['bob']);
    await world.server.stop();
    await run(world, (_, open) =>
      open(async ({ session, store }) => {
        const bob = [...store.getState().cache.conversations.values()].find(({ id }) => id !== '');
        session.engine.enqueue({ kind: 'conversation.pin', conversationId: bob?.id ?? '', value: true });
      }),
    );
    expect(await names({ view: 'pinned', cached: true })).toHaveLength(1);
    expect(await names({ view: 'archived', cached: true })).toEqual([]);
  });

  test('without the server the cached list is printed with its age, and the exit code is 4', async () => {
    const world = await writingWorld();
    await run(world, listing());
    await world.server.stop();
    const late = await run(world, listing({ json: true }));
    expect(late.code).toBe(4);
    expect(late.error).toMatch(/this is the cached copy, last changed just now$/);
    const document = JSON.parse(late.out);
    expectShape('`conversations`', document);
    expect(document).toMatchObject({ cached: true, total: 2 });
    expect((await run(world, listing({ cached: true }))).code).toBe(0);
  });
});

describe('read', () => {
  test('prints messages oldest first, finds names that only messages have, and marks nothing as read', async () => {
    const world = await writingWorld();
    await world.server.as('bob').send('me', 'Hello?');
    const first = await run(world, reading('bob', { json: true }));
    const document = JSON.parse(first.out);
    expectShape('`read`', document);
    expect(document.messages.map(({ message }: { message: string }) => message)).toEqual([
      'Did you read it?',
      'Hello?',
    ]);
    expect(document.conversation.unread).toBe(1);
    const { out } = await run(world, reading('@ann'));
    expect(out).toMatch(
      /^[-\d]{10} [:\d]{5} {2}ann: The ferry leaves at nine\n[-\d]{10} [:\d]{5} {2}.*: I will be there\n$/,
    );
    expect(world.server.asked.filter(({ path }) => /\/v1\/conversations\//.test(path))).toEqual([]);
    expect(JSON.parse((await run(world, listing({ json: true, cached: true }))).out).conversations[0].unread).toBe(1);
  });

  test.each([
    ['the server learns of it', true, 1],
    ['with reveal_reading = false it does not', false, 0],
  ])('--mark-read: %s', async (_, revealReading, asked) => {
    const world = await writingWorld();
    await world.server.as('bob').send('me', 'Hello?');
    const settings = { ...defaultSettings, revealReading };
    await run(world, reading('bob', { markRead: true }), { settings });
    const retrieved = world.server.asked.filter(({ path }) => /\/v1\/conversations\//.test(path));
    expect(retrieved).toHaveLength(asked);
    expect(JSON.parse((await run(world, listing({ json: true, view: 'unread' }))).out).total).toBe(0);
  });

  test('--mark-read: where the disk refuses the mark, the command fails and the server is not told', async () => {
    const { server, account } = await writingWorld();
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    const output: Output = { text: print, json: print, remark: print, columns: null };
    const open: Open = (act) =>
      withSession(account, defaultSettings, new Deadline(60), async (opened) => {
        const text = 'Not saved on this machine: the disk is full';
        const refused = addNotice({ tone: 'error', text, at: 0, until: null, about: 'local' });
        await act({ ...opened, session: { ...opened.session, flush: () => opened.store.setState(refused) } });
      });
    const ending = read('bob', { timeout: 60, markRead: true }, output, open);
    await expect(ending).rejects.toMatchObject({ code: 1, message: 'Not saved on this machine: the disk is full' });
    expect(printed.join('')).toContain('Did you read it?');
    expect(server.asked.filter(({ path }) => /\/v1\/conversations\//.test(path))).toEqual([]);
  });

  test('fetches older messages as far as the limit or the date needs them', async () => {
    const world = await writingWorld();
    for (let i = 0; i < 130; i++) await world.server.as('bob').send('me', `n${i}`);
    const texts = async (options: Partial<ReadOptions>): Promise<string[]> => {
      const { out } = await run(world, reading('bob', { json: true, ...options }));
      return JSON.parse(out).messages.map(({ message }: { message: string }) => message);
    };
    expect(await texts({ limit: 3 })).toEqual(['n127', 'n128', 'n129']);
    const all = await texts({ limit: 125 });
    expect([all.length, all[0], all.at(-1)]).toEqual([125, 'n5', 'n129']);
    expect((await texts({ since: '1h' }))[0]).toBe('Did you read it?');
    expect(await texts({ before: '2m', limit: 5 })).toEqual(['Did you read it?']);
    expect(await texts({ before: '1d' })).toEqual([]);
  });

  test('prints the messages that are there and ends with 4 if the time is over before older ones are fetched', async () => {
    const world = await writingWorld();
    for (let i = 0; i < 60; i++) await world.server.as('bob').send('me', `n${i}`);
    world.server.setHook((request, next) => {
      const isNewestPage = [...new URL(request.url).searchParams.keys()].every((name) =>
        /^(conversation_id|limit|archived)$/.test(name),
      );
      return isNewestPage ? next() : new Promise(() => undefined);
    });
    const soon = new Deadline(2);
    const { code, error, out } = await run(world, reading('bob', { json: true, limit: 60 }), { deadline: soon });
    expect([code, error]).toEqual([
      4,
      expect.stringMatching(/^no answer from the server within 2 s; older messages are left out$/),
    ]);
    expect(JSON.parse(out)).toMatchObject({ has_more: true, messages: { length: 50 } });
  });

  test('prints the messages that are there and ends with 4 if the server fails to give older ones', async () => {
    const world = await writingWorld();
    for (let i = 0; i < 60; i++) await world.server.as('bob').send('me', `n${i}`);
    world.server.setHook((request, next) => {
      if (!/starting_after|ending_before/.test(request.url)) return next();
      return Promise.resolve(Response.json({ error: { message: 'broken' } }, { status: 500 }));
    });
    const { code, error, out } = await run(world, reading('bob', { json: true, limit: 60 }));
    expect([code, error]).toEqual([4, expect.stringMatching(/^older messages could not be read: /)]);
    expect(JSON.parse(out)).toMatchObject({ has_more: true, messages: { length: 50 } });
  });

  test('says that no messages are kept here, not that there are none, when the server fails', async () => {
    const world = await writingWorld();
    const { conversation_id: id } = await world.server.me.find('ann', 'I will be there');
    world.server.setHook(async ({ url }, next) =>
      new URL(url).pathname === '/v1/messages' ? new Response('{}', { status: 500 }) : next(),
    );
    const failed = await run(world, reading(id));
    expect([failed.code, failed.remarks]).toEqual([4, ['no messages are kept here']]);
    expect((await run(world, reading(id, { cached: true }))).remarks).toEqual(['no messages are kept here']);
  });

  test('finds a name also if the server refuses a conversation whose name is not known yet', async () => {
    const world = await writingWorld();
    const { conversation_id: refused } = await world.server.me.find('ann', 'I will be there');
    world.server.setHook((request, next) => {
      if (new URL(request.url).searchParams.get('conversation_id') !== refused) return next();
      return Promise.resolve(Response.json({ error: { message: 'no' } }, { status: 403 }));
    });
    const { code, out } = await run(world, reading('bob'));
    expect([code, out]).toEqual([0, expect.stringMatching(/bob: Did you read it\?\n$/)]);
  });

  test.each([
    ['nobody', {}, 5, /^there is no conversation "nobody"; msg-tui conversations lists them/],
    ['ann', { since: 'soon' }, 2, /^--since: "soon" is not a date/],
    ['ann', { before: '2026-02-30T10:00' }, 2, /^--before: "2026-02-30T10:00" is not a date/],
  ])('%s %j ends with %i', async (name, options, code, error) => {
    const ran = await run(await writingWorld(), reading(name, options));
    expect(ran).toMatchObject({ code, out: '' });
    expect(ran.error).toMatch(error);
  });

  test('--ids prints the id before the name', async () => {
    const world = await writingWorld();
    const { id } = await world.server.as('bob').send('me', 'Hello?');
    const { out } = await run(world, reading('bob', { limit: 1, ids: true }));
    expect(out).toMatch(new RegExp(`^\\S+ \\S+  ${id}  bob: Hello\\?\\n$`));
  });

  test('several lines of a text cannot look like another message', async () => {
    const world = await writingWorld();
    await world.server.as('bob').send('me', 'yes\n2026-11-19 14:02  ann: no\u001b[2J');
    const { out } = await run(world, reading('bob', { limit: 1 }));
    expect(out.split('\n')[1]).toBe('    2026-11-19 14:02  ann: no␛[2J');
  });
});

test('conversations names the files of the last message, which may have no text', async () => {
  const plan = { file_url: 'https://files.example/plan.pdf', filename: 'plan.pdf' };
  const world = await writingWorld({
    users: [{ username: 'me' }, { username: 'ann' }, { username: 'bob' }],
    groups: [],
    conversations: [
      { between: ['me', 'ann'], messages: [{ from: 'ann', text: '', at: -60, attachments: [plan] }] },
      { between: ['me', 'bob'], messages: [{ from: 'bob', text: 'Here it is', at: -120, attachments: [plan] }] },
    ],
  });
  const { out } = await run(world, listing());
  expect(out).toMatch(/ann: \[plan\.pdf\]\n.*bob: Here it is \[plan\.pdf\]\n/);
});

test('search prints the messages found, and how much was searched', async () => {
  const world = await writingWorld();
  await run(world, listing());
  const finding =
    (words: string[], options: { json?: boolean; in?: string }): Command =>
    (output, open) =>
      search(words, options, output, open);
  const asked = world.server.asked.length;
  const { out, remarks } = await run(world, finding(['ferry', 'nine'], {}));
  expect(out).toMatch(/ann \/ ann: The ferry leaves at nine\n$/);
  expect(remarks).toEqual([expect.stringMatching(/^1 found; searched 3 cached messages of 2 conversations, back to /)]);
  const document = JSON.parse((await run(world, finding(['ferry'], { json: true, in: 'bob' }))).out);
  expectShape('`search`', document);
  expect(document).toMatchObject({ total: 0, messages: [] });
  const inOne = await run(world, finding(['ferry'], { in: 'bob' }));
  expect(inOne.remarks).toEqual([expect.stringMatching(/; searched 1 cached message of 1 conversation, back to /)]);
  expect((await run(world, finding(['ferry'], { in: 'nobody' }))).code).toBe(5);
  expect((await run(world, finding([' '], {}))).code).toBe(2);
  expect(await run(world, finding(['ferry', 'after:soon'], {}))).toMatchObject({
    code: 2,
    out: '',
  });
  // As the shell passes on `in:"harbour crew"`: without the quotation marks.
  const { remarks: ofOne } = await run(world, finding(['in:no such', 'ferry'], {}));
  expect(ofOne[0]).toBe('in:"no such" was searched as one value; give other words as arguments of their own');
  expect(ofOne[1]).toMatch(/^0 found; searched 0 /);
  // With --json, stderr has nothing but the document of an error.
  expect((await run(world, finding(['in:no such', 'ferry'], { json: true }))).remarks).toEqual([]);
  expect(world.server.asked.length).toBe(asked);
});

test('unread counts what the screen counts, without a request', async () => {
  const world = await writingWorld();
  await run(world, listing());
  await world.server.as('ann').send('me', 'And another');
  await world.server.as('bob').send('me', 'Hello?');
  await world.server.as('bob').send('me', 'Are you there?');
  const chat = await world.openChat();
  await expect.poll(() => selectUnreadTotal(chat.store.getState())).toBe(3);
  const directories = { data: world.account.dataDirectory, cache: world.account.cacheDirectory };
  const counted = async (isJson: boolean, at = directories): Promise<string> => {
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    await unreadTotal(at, isJson, { text: print, json: print, remark: print, columns: null });
    return printed.join('');
  };
  expect(await counted(false)).toBe('3\n');
  const document = JSON.parse(await counted(true));
  expectShape('`unread`', document);
  expect(document).toMatchObject({ unread: 3 });
  const bob = document.conversations.find(({ name }: { name: string }) => name === 'bob');
  expect(bob.unread).toBe(2);
  // Muted here, and still queued: the screen leaves it out at once.
  await world.server.stop();
  chat.engine.enqueue({ kind: 'conversation.mute', conversationId: bob.id, value: true });
  expect(await counted(false)).toBe(`${selectUnreadTotal(chat.store.getState())}\n`);
  expect(await counted(false)).toBe('1\n');
  const nowhere = { data: join(directories.data, 'none'), cache: join(directories.cache, 'none') };
  expect(await counted(false, nowhere)).toBe('0\n');
});

describe('wait', () => {
  const waiting =
    (options: Parameters<typeof wait>[0]): Command =>
    (output, open) =>
      wait(options, output, open);

  test('ends with the first new message that matches, and not with an older one', async () => {
    const world = await writingWorld();
    let poll = (): void => undefined;
    const onAccount = (own: () => void): void => {
      poll = own;
    };
    const ended = run(world, waiting({ from: 'ann', match: 'b.at', json: true, timeout: 60 }), { onAccount });
    await expect.poll(() => world.server.asked.length).toBeGreaterThan(3);
    await world.server.as('bob').send('me', 'my boat');
    await world.server.as('ann').send('me', 'not this');
    await world.server.as('ann').send('me', 'the boat');
    let end: Printed | null = null;
    void ended.then((printed) => {
      end = printed;
    });
    await polling(poll, () => expect(end).not.toBe(null));
    const { code, out } = await ended;
    const document = JSON.parse(out);
    expect(code).toBe(0);
    expectShape('`wait`', document);
    expect(document.message).toMatchObject({ message: 'the boat', conversation_name: 'ann', is_own: false });
  });

  test('for a message of the user is refused: it would never end', async () => {
    const world = await writingWorld();
    await run(world, reading('ann'));
    await world.run((account, output) =>
      sendContent(account, 'ann', { text: 'mine', attachments: [] }, { json: true }, output),
    );
    expect(await run(world, waiting({ from: '@me', timeout: 1 }))).toMatchObject({
      code: 2,
      error: '--from: "@me" is you, and your own messages end no wait',
    });
  });

  test('ends with 1 when nothing comes, with 4 when the server is not reached, with 5 for an unknown person', async () => {
    const world = await writingWorld();
    expect(await run(world, waiting({ in: 'bob', timeout: 1 }))).toMatchObject({ code: 1, out: '' });
    expect(await run(world, waiting({ from: 'nobody', timeout: 1 }))).toMatchObject({ code: 5 });
    expect(await run(world, waiting({ match: '(', timeout: 1 }))).toMatchObject({ code: 2 });
    await world.server.stop();
    expect(await run(world, waiting({ in: 'bob', timeout: 1 }))).toMatchObject({ code: 4, out: '' });
  });
});

test('gives up after its timeout also if the server is silent', async () => {
  const world = await writingWorld();
  const home = temporaryDirectory();
  for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, home);
  vi.stubEnv('MSG_TUI_SERVER', world.server.url);
  vi.stubEnv('MSG_TUI_TOKEN', world.server.me.token);
  world.server.setHook(() => new Promise(() => undefined));
  const began = performance.now();
  await expect(wait({ timeout: 0.5 })).rejects.toMatchObject({ code: 4 });
  vi.stubEnv('MSG_TUI_TOKEN', world.server.me.token);
  await expect(wait({ in: 'ann', timeout: 0.5 })).rejects.toMatchObject({ code: 4 });
  expect(performance.now() - began).toBeLessThan(10_000);
});

describe('tail', () => {
  test('prints messages and changes of a conversation, one object a line, while a chat reads the same one', async () => {
    const world = await writingWorld();
    await run(world, listing());
    await world.openChat();
    const lines: Record<string, unknown>[] = [];
    const types = (): unknown[] => lines.map(({ type }) => type);
    let poll = (): void => undefined;
    const ended = run(world, (output, open) => tail(['ann'], { json: true, since: '150s' }, output, open), {
      onText: (text) => void lines.push(JSON.parse(text)),
      onAccount: (own) => {
        poll = own;
      },
    });
    const expectTypes = (...expected: string[]) => polling(poll, () => expect(types()).toEqual(expected));
    await expect.poll(types).toEqual(['message']);
    const ann = world.server.as('ann');
    const sent = await ann.send('me', 'new');
    await expectTypes('message', 'message');
    await ann.edit(sent.id, 'newer');
    await expectTypes('message', 'message', 'edited');
    await ann.react(sent.id, '👍');
    await expectTypes('message', 'message', 'edited', 'reactions');
    await ann.remove(sent.id);
    await expectTypes('message', 'message', 'edited', 'reactions', 'deleted');
    process.emit('SIGTERM', 'SIGTERM');
    expect((await ended).code).toBe(143);
    for (const line of lines) expectShape(line.type === 'deleted' ? 'deleted line' : 'tail line', line);
    expect(lines[0]?.message).toMatchObject({ message: 'I will be there' });
    expect(lines[2]?.message).toMatchObject({ message: 'newer' });
  });

  test.each([
    { names: ['ann', 'bob'], options: {} },
    { names: [], options: { all: true } },
    { names: ['ann', 'bob'], options: { json: true } },
    { names: [], options: { all: true, json: true } },
  ])('says of each message which conversation it is from: $names $options', async ({ names, options }) => {
    const world = await writingWorld();
    await run(world, listing());
    let text = '';
    let poll = (): void => undefined;
    const ended = run(world, (output, open) => tail(names, { since: '150s', ...options }, output, open), {
      onText: (printed) => {
        text += printed;
      },
      onAccount: (own) => {
        poll = own;
      },
    });
    await expect.poll(() => text).toContain('I will be there');
    for (const name of ['bob', 'ann'] as const) {
      await world.server.as(name).send('me', `from ${name}`);
      await polling(poll, () => expect(text).toContain(`from ${name}`));
    }
    process.emit('SIGTERM', 'SIGTERM');
    await ended;
    const lines = text.trimEnd().split('\n').slice(-2);
    if (options.json !== true) {
      const times = /^[-\d]{10} [:\d]{5} {2}/;
      expect(lines.map((line) => line.replace(times, ''))).toEqual(['bob / bob: from bob', 'ann / ann: from ann']);
      return;
    }
    const documents = lines.map((line) => JSON.parse(line));
    for (const document of documents) expectShape('tail line', document);
    expect(documents.map(({ message }) => message.conversation_name)).toEqual(['bob', 'ann']);
  });

  test.each([false, true])('reports from which time on history is missing, json: %j', async (json) => {
    const world = await worldWithNewestPart();
    const ended = await run(world, (output, open) => tail(['ann'], { since: '2d', json }, output, open), {
      onText: () => process.emit('SIGTERM', 'SIGTERM'),
    });
    expect(ended.remarks).toEqual(['ann: older messages cannot be fetched from this server']);
  });

  test('takes either names or --all, and not both', async () => {
    const world = await writingWorld();
    const both = await run(world, (output, open) => tail(['ann'], { all: true }, output, open));
    expect(both).toMatchObject({ code: 2, error: expect.stringContaining('not both') });
  });
});

test('docs/json.md names the codes of errors', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/json.md'), 'utf8');
  for (const code of ['failure', 'usage', 'ambiguous', 'not_signed_in', 'not_reached', 'not_found', 'forbidden'])
    expect(page).toContain(`\`${code}\``);
});
