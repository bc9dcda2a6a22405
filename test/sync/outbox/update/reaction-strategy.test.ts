/** What is sent under each rule so that a reaction comes or goes. */
import { describe, expect, test } from 'vitest';
import { requestBodies, type StrategyPolicy } from '../../../../src/sync/outbox/update/reaction-strategy.ts';

const add = { name: 'heart', present: true, mine: ['me'] };
const remove = { ...add, present: false };
const own = [{ name: 'heart', by: ['me'] }];
const anns = [{ name: 'heart', by: ['ann'] }];
const both = [{ name: 'heart', by: ['ann', 'me'] }];
const emptyName = [{ name: 'heart', by: [] }];

const policy = (changes: Partial<StrategyPolicy> = {}): StrategyPolicy => ({
  rule: undefined,
  sendsOwnOnly: false,
  mayTakeBackByEmptyValue: true,
  ...changes,
});

describe("beside somebody else's reaction", () => {
  test.each([
    ['replace', [both], [anns]],
    ['add', [own], [own, emptyName]],
    ['append', [own], [emptyName]],
    ['toggle', [own], [own]],
    [undefined, [both, own], [anns, own, emptyName]],
  ] as const)('under the rule %s', (rule, adding, removing) => {
    expect(requestBodies(anns, add, policy({ rule }))).toEqual(adding);
    expect(requestBodies(both, remove, policy({ rule }))).toEqual(removing);
  });

  test.each([
    ['replace', [own], [[]]],
    ['add', [own], [own, emptyName]],
    [undefined, [own], [own, emptyName]],
  ] as const)("under the rule %s, where only one's own may be sent", (rule, adding, removing) => {
    expect(requestBodies(anns, add, policy({ rule, sendsOwnOnly: true }))).toEqual(adding);
    expect(requestBodies(both, remove, policy({ rule, sendsOwnOnly: true }))).toEqual(removing);
  });
});

test('the only reaction of a message is taken back by sending none, where the server adds', () => {
  expect(requestBodies(own, remove, policy({ rule: 'add' }))).toEqual([[], own, emptyName]);
});

test('an empty value is not sent where the server keeps it as one more reaction', () => {
  const never = policy({ mayTakeBackByEmptyValue: false });
  expect(requestBodies(both, remove, { ...never, rule: 'append' })).toEqual([]);
  expect(requestBodies(both, remove, never)).toEqual([anns, own]);
});
