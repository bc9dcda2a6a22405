import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createService } from '../../../src/server/rules/service.ts';
import { ServiceError } from '../../../src/server/rules/service-error.ts';
import { importSeed } from '../../../src/server/seed/seed.ts';
import { openSqlite } from '../../../src/server/store/sqlite/engine.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { call, type Reply } from '../../contract/call.ts';
import { openOwnTarget } from '../../contract/target.ts';
import { seedBulk } from '../../support/servers/seed-bulk.ts';
import { processorTime } from '../../support/system/processor-time.ts';

const now = 1_800_000_000;
const open = () => createService({ engine: openSqlite(openDatabase(':memory:')), now: () => now });
const query = (fields: Readonly<Record<string, string>> = {}) => new Map(Object.entries(fields));

const seed = {
  users: [{ username: 'ann' }, { username: 'bob', phone_number: '+1' }],
  contacts: [{ username: 'cyd' }],
  groups: [{ name: 'Crew', members: ['ann', 'bob', 'cyd'] }],
  conversations: [
    {
      between: ['ann', 'bob'],
      messages: [
        { from: 'ann', text: 'one', at: -300, reactions: { '👍': ['bob'] }, edited_at: -200 },
        { from: 'bob', text: 'two', at: -100, attachments: [{ file_url: 'https://a.example/x.png' }] },
        { from: 'bob', text: 'four', at: -10 },
      ],
      state: { ann: { is_pinned: true, unread: 1, pinned_message: 0 } },
    },
    {
      group: 'Crew',
      messages: [{ from: 'cyd', text: 'three', at: -50 }],
      state: { ann: { archived_at: -1, is_muted: true } },
    },
  ],
};

const address = 'https://a.example/x.png';
const between = ['ann', 'bob'];
const withMessage = (fields: object) => ({
  ...seed,
  conversations: [{ between, messages: [{ from: 'ann', text: 'x', ...fields }] }],
});
const withState = (state: object) => ({
  ...withMessage({}),
  conversations: [{ ...withMessage({}).conversations[0], state }],
});

test('the example in the documentation is imported', async () => {
  const page = readFileSync('docs/server.md', 'utf8').split('## Seed files')[1] ?? '';
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
  const service = open();
  await importSeed(service, JSON.parse(example));
  expect((await service.admin.users()).map(({ username }) => username)).toEqual(['ann']);
});

describe('importSeed', () => {
  test('writes what the file says, and the messages of all conversations in the order of time', async () => {
    const service = open();
    expect(await importSeed(service, seed)).toEqual({ people: 3, groups: 1, conversations: 2, messages: 4 });
    const ann = await service.admin.person('ann');
    const { data } = await service.messages.list(ann, query());
    expect(data.map((message) => message.message)).toEqual(['four', 'three', 'two', 'one']);
    expect(data.map((message) => message.read_at)).toEqual([null, now - 10, now - 60, now - 260]);
    expect(data[3]).toMatchObject({ reactions: [{ '👍': ['bob'] }], created_at: now - 300, updated_at: now - 200 });
    expect(data[2]?.attachments).toMatchObject([{ filename: 'x.png', created_at: now - 100 }]);
    const [pair, group] = (await service.conversations.list(ann, query())).data;
    expect(pair).toMatchObject({ is_pinned: true, pinned_message_id: data[3]?.id, last_active_at: now - 10 });
    expect(group).toMatchObject({ is_muted: true, archived_at: now - 1, last_active_at: now - 50 });
  });

  test('marks messages as unread and pinned in the order of time, also if the file has the newest first', async () => {
    const service = open();
    const [conversation] = seed.conversations;
    const messages = conversation?.messages?.toReversed();
    const state = { ann: { unread: 1, pinned_message: 2 } };
    await importSeed(service, { ...seed, conversations: [{ between, messages, state }] });
    const ann = await service.admin.person('ann');
    const { data } = await service.messages.list(ann, query());
    expect(data.map(({ message, read_at }) => [message, read_at === null])).toEqual([
      ['four', true],
      ['two', false],
      ['one', false],
    ]);
    const [pair] = (await service.conversations.list(ann, query())).data;
    expect(pair).toMatchObject({
      created_at: now - 300,
      last_opened_at: now - 60,
      pinned_message_id: data[2]?.id,
    });
  });

  test('opens a conversation before its first unread message, also if messages follow each other closely', async () => {
    const service = open();
    const messages = [-50, -45, -40].map((at) => ({ from: 'bob', text: 'x', at }));
    const users = [{ username: 'ann' }, { username: 'bob' }];
    await importSeed(service, { users, conversations: [{ between, messages, state: { ann: { unread: 2 } } }] });
    const ann = await service.admin.person('ann');
    const [pair] = (await service.conversations.list(ann, query())).data;
    expect(pair).toMatchObject({ last_opened_at: now - 46 });
  });

  test('takes nothing to be read or opened after the import, so that what arrives next is new', async () => {
    const service = open();
    const messages = [{ from: 'bob', text: 'just now' }];
    const users = [{ username: 'ann' }, { username: 'bob' }];
    await importSeed(service, { users, conversations: [{ between, messages }] });
    const ann = await service.admin.person('ann');
    expect((await service.messages.list(ann, query())).data).toMatchObject([{ created_at: now, read_at: now }]);
    expect((await service.conversations.list(ann, query())).data).toMatchObject([{ last_opened_at: now }]);
  });

  test('keeps what the file does not say of an existing conversation, whose times do not go back', async () => {
    const service = open();
    const messages = [{ from: 'bob', text: 'new', at: -100 }];
    const state = { ann: { is_pinned: true, is_muted: true, archived_at: -5, pinned_message: 0 } };
    const users = [{ username: 'ann' }, { username: 'bob' }];
    await importSeed(service, { users, conversations: [{ between, messages, state }] });
    const ann = await service.admin.person('ann');
    const conversationOf = async () => (await service.conversations.list(ann, query())).data[0];
    const before = await conversationOf();
    const older = [{ from: 'bob', text: 'old', at: -900 }];
    await importSeed(service, { conversations: [{ between, messages: older }] });
    expect(before).toMatchObject({ is_pinned: true, last_active_at: now - 100, last_opened_at: now - 60 });
    expect(await conversationOf()).toEqual(before);
    await importSeed(service, { conversations: [{ between, messages: [{ from: 'bob', text: 'x', at: -10 }] }] });
    expect(await conversationOf()).toEqual({ ...before, last_active_at: now - 10, last_opened_at: now });
    await importSeed(service, { conversations: [{ between, state: { ann: { is_muted: false } } }] });
    expect(await conversationOf()).toMatchObject({ is_pinned: true, is_muted: false, archived_at: now - 5 });
  });

  test('finds a person in any letter case, as author, reader and in reactions', async () => {
    const service = open();
    const messages = [
      { from: 'BOB', text: 'one', at: -20, reactions: { '👍': ['Ann'] } },
      { from: 'Ann', text: 'two', at: -10 },
    ];
    const state = { aNN: { is_pinned: true, unread: 1 } };
    await importSeed(service, { users: seed.users, conversations: [{ between: ['Ann', 'BOB'], messages, state }] });
    const ann = await service.admin.person('ann');
    const { data } = await service.messages.list(ann, query());
    expect(data.map(({ contact, read_at }) => [contact.username, read_at])).toEqual([
      ['ann', now],
      ['bob', null],
    ]);
    expect(data[1]?.reactions).toEqual([{ '👍': ['ann'] }]);
    expect((await service.conversations.list(ann, query())).data[0]).toMatchObject({ is_pinned: true });
  });

  test('accepts a blank message with attachments, which are named as those of the API', async () => {
    const service = open();
    const attachments = ['https://a.example/b/x.png?y=1/2', 'https://a.example/'].map((file_url) => ({ file_url }));
    await importSeed(service, withMessage({ text: '', attachments }));
    const [message] = (await service.messages.list(await service.admin.person('bob'), query())).data;
    expect(message?.message).toBe('');
    expect(message?.attachments).toMatchObject([{ filename: 'x.png' }, { filename: 'a.example' }]);
  });

  test('keeps the number and the picture of a contact who becomes a user, if the file does not say them', async () => {
    const service = open();
    await service.admin.createContact({ username: 'cyd', phoneNumber: '+1', avatarUrl: 'https://a.example/c.png' });
    await importSeed(service, { users: [{ username: 'cyd', phone_number: '+2' }] });
    const cyd = await service.admin.person('cyd');
    expect(cyd).toMatchObject({ is_user: 1, phone_number: '+2', avatar_url: 'https://a.example/c.png' });
  });

  test('shows a new conversation in a remembered list before the first message is written', async () => {
    const target = await openOwnTarget();
    onTestFinished(target.close);
    const before = await call(target, 'GET', '/v1/conversations');
    const headers = { 'If-None-Match': before.headers.get('etag') ?? '' };
    const answers: Reply[] = [];
    const conversations = [{ between: ['ann', 'bob'] }, { group: 'Crew' }];
    await importSeed(target.service, { conversations }, async () => {
      answers.push(await call(target, 'GET', '/v1/conversations', { headers }));
    });
    expect([before.json.data.length, answers[0]?.status, answers[0]?.json?.data.length]).toEqual([0, 200, 2]);
  });

  test.each([
    ['[]', []],
    ['users', { users: {} }],
    ['users[0].username', { users: [{}] }],
    ['users[1]: username: must be', { users: [{ username: 'ann' }, { username: 'a b' }] }],
    ['groups[0]: there is no person zed', { groups: [{ name: 'Crew', members: ['zed'] }] }],
    ['users[0].name', { users: [{ username: 'x', name: 'y' }] }],
    ['conversations[0].messages[0].at', { conversations: [{ messages: [{ from: 'ann', text: 'x', at: 'noon' }] }] }],
    ['conversations[0]', { users: [{ username: 'ann' }], conversations: [{ between: ['ann'] }] }],
    [
      'messages[0].from',
      { ...seed, conversations: [{ between: ['ann', 'bob'], messages: [{ from: 'cyd', text: 'x' }] }] },
    ],
    [
      'messages[0].text',
      { ...seed, conversations: [{ between: ['ann', 'bob'], messages: [{ from: 'ann', text: ' ' }] }] },
    ],
    ['zed', { ...seed, conversations: [{ between: ['ann', 'zed'] }] }],
    ['state.zed', withState({ zed: { unread: 1 } })],
    ['state.cyd', withState({ cyd: { is_muted: true } })],
    ['state.ANN', withState({ ann: { is_muted: true }, ANN: { is_pinned: true } })],
    ['state.ann.pinned_message', withState({ ann: { pinned_message: 77 } })],
    ['state.ann.unread', withState({ ann: { unread: -1 } })],
    [
      'messages[0].attachments: ',
      withMessage({ attachments: Array.from({ length: 11 }, () => ({ file_url: address })) }),
    ],
    ['messages[0].attachments[1][file_url]', withMessage({ attachments: [{ file_url: address }, { file_url: 'x' }] })],
    ['messages[0].attachments[0][file_url]', withMessage({ attachments: [{ file_url: '' }] })],
    ['attachments[0][filename]', withMessage({ attachments: [{ file_url: address, filename: 'x'.repeat(256) }] })],
    ['attachments[0][file_size]', withMessage({ attachments: [{ file_url: address, file_size: -1 }] })],
    [
      'messages[0].reactions',
      withMessage({ reactions: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, ['bob']])) }),
    ],
    ['messages[0].at: must be a time as whole Unix seconds', withMessage({ at: 1_700_000_000_000 })],
    ['messages[0].at: must be a time as whole Unix seconds', withMessage({ at: -1e11 })],
    ['messages[0].edited_at', withMessage({ edited_at: 1_700_000_000_000 })],
    ['state.ann.archived_at', withState({ ann: { archived_at: 1_700_000_000_000 } })],
    ['messages[0].text', withMessage({ text: 'a\0b' })],
    ['messages[0].text', withMessage({ text: ' '.repeat(10_001), attachments: [{ file_url: address }] })],
  ])('names %s when that is wrong, and writes nothing', async (place, json) => {
    const service = open();
    const attempt = () => importSeed(service, json);
    await expect(attempt()).rejects.toThrow(ServiceError);
    await expect(attempt()).rejects.toThrow(place === '[]' ? 'the seed' : place);
    expect(await service.admin.users()).toEqual([]);
  });
});

describe('seedBulk', () => {
  test('spreads the messages, with the first conversation on top', async () => {
    const service = open();
    const { user, firstConversationId } = await seedBulk(service, { conversations: 4, messages: 100, inFirst: 70 });
    const { data } = await service.conversations.list(user, query());
    expect(data).toHaveLength(4);
    expect(data[0]?.id).toBe(firstConversationId);
    const counts: number[] = [];
    for (const { id } of data)
      counts.push((await service.messages.list(user, query({ conversation_id: id, limit: '100' }))).data.length);
    expect(counts).toEqual([70, 10, 10, 10]);
  });

  test('a page deep in 30,000 messages costs no more than one at the top', async () => {
    const service = open();
    const { user, firstConversationId } = await seedBulk(service, {
      conversations: 10,
      messages: 30_000,
      inFirst: 25_000,
    });
    const page = async (cursor: Record<string, string>) => {
      const spent = processorTime();
      const list = await service.messages.list(
        user,
        query({ conversation_id: firstConversationId, limit: '100', ...cursor }),
      );
      return { list, ms: spent() };
    };
    await page({});
    const top = await page({});
    let cursor = top.list.data.at(-1)?.id ?? '';
    for (let n = 0; n < 100; n += 1) cursor = (await page({ starting_after: cursor })).list.data.at(-1)?.id ?? '';
    const deep: number[] = [];
    for (let n = 0; n < 5; n += 1) deep.push((await page({ starting_after: cursor })).ms);
    expect(Math.min(...deep)).toBeLessThan(top.ms * 10 + 10);
    await service.close();
  });
});
