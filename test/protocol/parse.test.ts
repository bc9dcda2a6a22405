/** Resources out of any JSON: never an exception, never a wrong id. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/protocol/json.ts';
import { parsePage } from '../../src/protocol/page.ts';
import { parseAttachments, parseConversation, parseMessage } from '../../src/protocol/parse.ts';
import { parseReactions } from '../../src/protocol/reactions.ts';

const message = {
  id: 'm1',
  conversation_id: 'c1',
  contact: {
    id: 'p1',
    username: 'ann',
    phone_number: '1',
    avatar_url: 'u',
    last_active_at: null,
    created_at: 1_700_000_000,
  },
  message: 'Hi',
  reactions: [],
  attachments: [],
  read_at: null,
  created_at: 1_700_000_000,
  updated_at: '2023-11-14T22:13:20Z',
};

describe('a message', () => {
  test('has every field of the document', () => {
    expect(parseMessage(message)).toEqual({
      id: 'm1',
      conversationId: 'c1',
      contact: {
        id: 'p1',
        username: 'ann',
        phoneNumber: '1',
        avatarUrl: 'u',
        lastActiveAt: null,
        createdAt: 1_700_000_000_000,
      },
      text: 'Hi',
      isTruncated: false,
      reactions: [],
      attachments: [],
      readAt: null,
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_000,
      rank: 0,
    });
  });

  test('is read inside one wrapper, and not inside two', () => {
    expect(parseMessage({ data: message })?.id).toBe('m1');
    expect(parseMessage({ message })?.id).toBe('m1');
    expect(parseMessage({ data: { data: message } })).toBeNull();
    expect(parseConversation({ conversation: { id: 'c1' } })?.id).toBe('c1');
  });

  test('keeps the text of its id, whatever its size', () => {
    expect(parseMessage(parseJson('{"id":12345678901234567890}'))?.id).toBe('12345678901234567890');
    expect(parseMessage({ id: 7 })?.id).toBe('7');
    // Too long for a path (R-ID), and shown all the same.
    expect(parseMessage({ id: 'x'.repeat(5000) })?.id).toHaveLength(5000);
    for (const id of ['', null, 1.5, 2 ** 60, true, {}, ['m1'], 'x'.repeat(10_000)])
      expect(parseMessage({ id })).toBeNull();
  });

  test('beyond 1 MB is cut and marked', () => {
    const parsed = parseMessage({ ...message, message: 'x'.repeat(2 ** 20 + 1) });
    expect(parsed).toMatchObject({ isTruncated: true });
    expect(parsed?.text.length).toBe(2 ** 20);
    expect(parseMessage({ ...message, message: 'x'.repeat(2 ** 20) })?.isTruncated).toBe(false);
  });

  test('does not get fields from a prototype', () => {
    const parsed = parseMessage(parseJson('{"__proto__":{"message":"forged"},"id":"m1"}'));
    expect(parsed?.text).toBe('');
    expect(parseMessage(Object.create({ id: 'm1' }))).toBeNull();
  });
});

test.each([
  [
    [{ like: ['a'] }, { heart: ['b'] }],
    ['like:a', 'heart:b'],
  ],
  [[{ like: ['a'], heart: ['b'] }], ['like:a', 'heart:b']],
  [{ like: ['a', 'b'] }, ['like:a,b']],
  [[{ like: ['a'] }, { like: ['b', 'a'] }], ['like:a,b']],
  [[{ like: [] }, { like: [''] }, { like: 0 }, {}, null], []],
  [[{ like: [7, { id: 'p', username: 'ann' }] }], ['like:7,ann']],
  [
    [
      { name: 'like', count: 2, users: ['a', 'b'] },
      { emoji: '👍', users: ['c'] },
      { name: 'heart', count: 0 },
    ],
    ['like:a,b', '👍:c'],
  ],
  [{ like: { count: 1, users: [{ id: 'p', username: 'ann' }] } }, ['like:ann']],
  [{ name: ['a'], emoji: ['b'], users: ['c'], count: ['d'] }, ['name:a', 'emoji:b', 'users:c', 'count:d']],
  // A number after the name, without the people.
  [{ like: 2, heart: 1 }, ['like:+2', 'heart:+1']],
  [[{ like: 2 }, { like: ['a'] }], ['like:a+2']],
  [[{ like: ['a', null, 1.5, true, {}, ['b']] }], ['like:a+5']],
  [[{ name: 'like', count: 3, users: ['a'] }], ['like:a+2']],
  [[{ name: 'like', count: 2 }], ['like:+2']],
  [[{ name: 'like', count: 'many', users: ['a'] }], ['like:a+1']],
  [[{ name: 'like', user: 'a' }], ['like:+1']],
  [{ like: true, heart: -1, joy: 1.5 }, ['like:+1', 'heart:+1', 'joy:+1']],
  [['👍', '👍'], ['👍:+2']],
  // Not even the name.
  [[{ reaction: 'like', user_id: 7 }, { like: 'a' }, 7, ['a']], [':+4']],
  [[{ ['x'.repeat(2000)]: ['a'] }], [':+1']],
  [7, [':+1']],
  [[JSON.parse('{"__proto__":["a"],"constructor":["b"]}')], ['__proto__:a', 'constructor:b']],
  [undefined, []],
])('reactions %# are read', (value, expected) => {
  const shown = parseReactions(value).reactions.map(
    ({ name, by, unnamed }) => `${name}:${by.join()}${unnamed === undefined ? '' : `+${unnamed}`}`,
  );
  expect(shown).toEqual(expected);
});

test.each([
  [
    { filename: 'a.pdf', file_url: 'https://x/y/z.pdf', file_size: 7, file_type: 't' },
    ['a.pdf', 'https://x/y/z.pdf', 7, 't'],
  ],
  [{ link: 'https://x/y/%C3%A9.png?w=1#f' }, ['é.png', 'https://x/y/%C3%A9.png?w=1#f', null, null]],
  [{ href: 'https://x/%E0', size: '12', mime_type: 'm' }, ['%E0', 'https://x/%E0', 12, 'm']],
  [{ id: 9, size: -1 }, ['9', null, null, null]],
  [{ a: 1, b: 2 }, ['attachment (2 fields)', null, null, null]],
  [{ a: 1 }, ['attachment (1 field)', null, null, null]],
  ['https://x/y', ['y', 'https://x/y', null, null]],
])('attachment %# is read', (value, expected) => {
  const [parsed] = parseAttachments([value]).attachments;
  expect([parsed?.label, parsed?.url, parsed?.size, parsed?.mediaType]).toEqual(expected);
});

test('an attachment can be echoed whole, without its prototype', () => {
  const [parsed] = parseAttachments([parseJson('{"x":{"y":[1,null]},"__proto__":{"z":1}}')]).attachments;
  expect(JSON.stringify(parsed?.fields)).toBe('{"x":{"y":[1,null]}}');
});

describe('a page', () => {
  const page = (value: unknown, link?: string) => parsePage(value, (row) => parseMessage(row), link);

  test('counts rows without an id, and keeps the last one of duplicates', () => {
    const rows = [{ id: 'a', message: '1' }, {}, null, { id: 'b' }, { id: 'a', message: '2' }];
    const parsed = page({ data: rows, has_more: true });
    expect(parsed?.items.map((item) => item.id + item.text)).toEqual(['a2', 'b']);
    expect(parsed).toMatchObject({ skipped: 2, hasMore: true, next: null });
    expect(page({ data: { data: rows, has_more: false } })?.hasMore).toBe(false);
    expect(page({ data: Array.from({ length: 10_005 }, (_, id) => ({ id })) })).toMatchObject({
      skipped: 5,
      hasMore: null,
    });
  });

  test.each([
    [{ next_cursor: 'x' }, { kind: 'query', parameters: { cursor: 'x' } }],
    [{ pagination: { next_cursor: 7 } }, { kind: 'query', parameters: { cursor: '7' } }],
    [{ response_metadata: { next_cursor: 'x' } }, { kind: 'query', parameters: { cursor: 'x' } }],
    [{ response_metadata: { next_cursor: '' } }, null],
    [{ links: { next: '/p2' } }, { kind: 'url', url: '/p2' }],
    [{ links: { next: { href: '/p2' } } }, { kind: 'url', url: '/p2' }],
    [{ meta: { next_page_url: '/p2' } }, { kind: 'url', url: '/p2' }],
    [{ links: { next: null } }, null],
    [{ next_cursor: 'x', has_more: false }, null],
  ])('has the next page of hint %#', (hint, next) => {
    expect(page({ data: [], ...hint })?.next).toEqual(next);
  });

  test('has the next address of a Link header', () => {
    const next = { kind: 'url', url: 'https://x/p2' };
    expect(page({ data: [] }, '<https://x/p1>; rel="prev", <https://x/p2>; rel="next"')?.next).toEqual(next);
    expect(page({ data: [] }, '<https://x/p2>; title=a; rel=next')?.next).toEqual(next);
    expect(page({ data: [] }, '<https://x/p1>; rel="prev"')?.next).toBeNull();
  });

  test.each([
    ['the rows alone', [{ id: 'a' }], null],
    ['named as the resource', { messages: [{ id: 'a' }], has_more: true }, true],
    ['named, one level in', { status: 'success', data: { conversations: [{ id: 'a' }], has_more: 'false' } }, false],
    ['has_more as a string', { data: [{ id: 'a' }], has_more: 'true' }, true],
    ['has_more as a number', { data: [{ id: 'a' }], has_more: 0 }, false],
    ['has_more beside the rows', { data: [{ id: 'a' }], meta: { has_more: true } }, true],
  ])('%s', (_, value, hasMore) => {
    expect(page(value)).toMatchObject({ items: [{ id: 'a' }], hasMore });
  });

  test.each([
    [[], null],
    [{ data: [] }, null],
    [{ has_more: false, data: null }, false],
    [{ has_more: false }, false],
    [{ meta: { has_more: false } }, false],
    [{ data: null }, null],
    [{ messages: null, request_id: 'r1' }, null],
    [{ status: 'success', data: { conversations: null } }, null],
    [{ data: { has_more: false, data: null } }, false],
    [{ status: 'success', data: { meta: { has_more: false } } }, false],
    [{}, null],
    [{ status: 'success', data: {} }, null],
  ])('is an empty list if the answer is %j', (value, hasMore) => {
    expect(page(value)).toMatchObject({ items: [], hasMore, skipped: 0 });
  });

  const complaint = { data: null, error: { message: 'no' } };
  const empty = { data: {}, error: 'no' };
  const other = { status: 'ok' };
  test.each([null, other, 'x', empty, { data: other }, { data: 'x' }, complaint, { data: 'x', has_more: false }, 7])(
    'is refused if the answer is %j',
    (value) => {
      expect(page(value)).toBeNull();
    },
  );
});

describe('any change of an answer', () => {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      undefined,
      0,
      -1,
      1e300,
      Number.POSITIVE_INFINITY,
      '',
      '0',
      'x',
      true,
      [],
      {},
      [null],
      '\u001b]52;c;x\u0007',
    ),
    fc.constantFrom<unknown>('2023-11-14T22:13:20Z', '1700000000', 1_700_000_000_000, 'x'.repeat(5000), ['a'], {
      id: 'x',
    }),
    fc.anything({ maxDepth: 3, withNullPrototype: true }),
  );
  const runs = { numRuns: 1000 };

  test('leaves a message readable, or without an id', () => {
    fc.assert(
      fc.property(fc.subarray(Object.keys(message)), fc.array(odd, { minLength: 9, maxLength: 9 }), (names, values) => {
        const mutant = { ...message, ...Object.fromEntries(names.map((name, index) => [name, values[index]])) };
        const parsed = parseMessage(mutant, Date.now());
        if (!names.includes('id')) expect(parsed?.id).toBe('m1');
        if (parsed !== null) expect(typeof parsed.text).toBe('string');
        expect(() => structuredClone(parsed)).not.toThrow();
      }),
      runs,
    );
  });

  test('leaves conversations and pages readable', () => {
    fc.assert(
      fc.property(odd, odd, odd, (a, b, c) => {
        parseConversation({ id: a, created_at: b, is_muted: c, archived_at: a });
        parsePage({ data: [a, b, { id: c }], has_more: a, links: b, meta: c, next_cursor: b }, (row) =>
          parseMessage(row),
        );
      }),
      runs,
    );
  });
});
