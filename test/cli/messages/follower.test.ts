/** What is new to a command that follows conversations, whoever has put it into the cache. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Follower } from '../../../src/cli/messages/follower.ts';
import type { Message } from '../../../src/protocol/types.ts';
import * as eg from '../../support/builders/eg.ts';

beforeEach(eg.restart);

const at = (id: string, seconds: number, fields: Partial<Message> = {}): Message =>
  eg.message({ id, createdAt: eg.now + seconds * 1000, text: `text of ${id}`, ...fields });

/** Follows one conversation: when it was last active, and its newest cached message, both at the beginning. */
function following(activeAt: number | null, last: Message | null): (...page: Message[]) => string[] {
  const one = eg.conversation({ id: 'c', lastActiveAt: activeAt === null ? null : eg.now + activeAt * 1000 });
  const lastMessages = new Map(last === null ? [] : [['c', last] as const]);
  const follower = new Follower({ conversations: new Map([['c', one]]), lastMessages }, eg.now);
  return (...messages) =>
    follower
      .take({ conversationId: 'c', messages, removed: [] })
      .map((one) => (one.type === 'deleted' ? 'deleted' : `${one.type} ${one.message.id}`));
}

describe('on the first page', () => {
  test.each<[string, number | null, Message | null, Message[], string[]]>([
    ['what stands after the newest cached message is new', 5, at('b', 5), [at('a', 1), at('b', 5), at('c', 5)], ['c']],
    ['so it is within the same second', 5, at('b', 5), [at('b', 5), at('c', 5), at('d', 6)], ['c', 'd']],
    ['where that one was deleted, what is later is', 5, at('b', 5), [at('a', 1), at('c', 6)], ['c']],
    [
      'where the cache is older, what came after the last activity is',
      9,
      at('b', 5),
      [at('b', 5), at('c', 9), at('d', 10)],
      ['d'],
    ],
    ['where nothing is cached, too', 9, null, [at('c', 9), at('d', 10)], ['d']],
    ['an empty conversation has nothing old', null, null, [at('a', 1)], ['a']],
  ])('%s', (_, activeAt, last, page, fresh) => {
    expect(following(activeAt, last)(...page)).toEqual(fresh.map((id) => `message ${id}`));
  });

  test('in a conversation that appears with a history, only what is later than all other activity is new', () => {
    const other = eg.conversation({ id: 'other', lastActiveAt: eg.now });
    const follower = new Follower({ conversations: new Map([['other', other]]), lastMessages: new Map() }, eg.now);
    const page = { conversationId: 'c', messages: [at('a', -86_400), at('b', 1)], removed: [] };
    expect(follower.take(page)).toMatchObject([{ type: 'message', message: { id: 'b' } }]);
  });

  test('if the server names no times of activity, what is later than the start is new', () => {
    const take = following(null, null);
    expect(take(at('a', -86_400), at('b', 1))).toEqual(['message b']);
  });

  test('in a conversation that was created since the start, everything is new', () => {
    const follower = new Follower({ conversations: new Map(), lastMessages: new Map() }, eg.now);
    const page = { conversationId: 'new', messages: [at('a', 1), at('b', 2)], removed: [] };
    expect(follower.take(page).map(({ type }) => type)).toEqual(['message', 'message']);
    expect(follower.take(page)).toEqual([]);
    expect(follower.take({ conversationId: 'new', messages: [], removed: ['a'] })).toEqual([
      { type: 'deleted', conversationId: 'new', messageId: 'a' },
    ]);
  });
});

test('later pages bring new messages and changes; older messages that come into a page are not new', () => {
  const take = following(5, at('b', 5));
  const reactions = [{ name: '👍', by: ['ann'] }];
  expect(take(at('b', 5))).toEqual([]);
  expect(take(at('a', 1), at('b', 5), at('c', 6))).toEqual(['message c']);
  expect(take(at('b', 5, { text: 'other' }), at('c', 6, { reactions }))).toEqual(['edited b', 'reactions c']);
  expect(take(at('b', 5, { text: 'other' }), at('c', 6, { reactions, readAt: eg.now }))).toEqual(['read c']);
  expect(take(at('c', 6, { reactions, readAt: eg.now + 1 }))).toEqual([]);
});

test('older messages of the same second that come into a page after deletions are not new', () => {
  const take = following(5, at('d', 5));
  expect(take(at('c', 5), at('d', 5))).toEqual([]);
  expect(take(at('c', 5), at('d', 5), at('e', 5))).toEqual(['message e']);
  expect(take(at('b', 5), at('c', 5), at('e', 5))).toEqual([]);
  expect(take(at('a', 5), at('b', 5), at('f', 5))).toEqual(['message f']);
});

test('if all known messages are gone from the page, those that are later are new', () => {
  const take = following(5, at('b', 5));
  expect(take(at('b', 5))).toEqual([]);
  expect(take(at('a', 1), at('c', 6))).toEqual(['message c']);
});

test('a message that was printed already is not new', () => {
  const follower = new Follower({ conversations: new Map(), lastMessages: new Map() }, eg.now);
  follower.skip('c', [at('a', 1)]);
  const messages = [at('a', 1), at('b', 2)];
  expect(follower.take({ conversationId: 'c', messages, removed: [] })).toHaveLength(1);
});
