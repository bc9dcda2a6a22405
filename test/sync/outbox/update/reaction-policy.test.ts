/** What is sent under each rule so that a reaction comes or goes, and when nothing is sent. */
import { describe, expect, test } from 'vitest';
import type { CapabilityName, CapabilityValues } from '../../../../src/protocol/capabilities.ts';
import { policyOf } from '../../../../src/protocol/server-policy.ts';
import type { Message } from '../../../../src/protocol/types.ts';
import { bodiesFor, type Circumstances } from '../../../../src/sync/outbox/update/reaction-policy.ts';
import { message } from '../../../support/builders/eg.ts';

const add = { name: 'heart', present: true, mine: ['me'] };
const remove = { ...add, present: false };
const own = [{ name: 'heart', by: ['me'] }];
const anns = [{ name: 'heart', by: ['ann'] }];
const both = [{ name: 'heart', by: ['ann', 'me'] }];
const emptyName = [{ name: 'heart', by: [] }];

type Observed = Partial<CapabilityValues>;

const policyWhere = (observed: Observed) =>
  policyOf(
    Object.fromEntries(
      (Object.keys(observed) as CapabilityName[]).map((name) => [
        name,
        { value: observed[name], at: 1, from: 'a test' },
      ]),
    ),
  );

const plan = (
  observed: Observed,
  shown: Partial<Message>,
  wish: typeof add,
  circumstances: Partial<Circumstances> = {},
) =>
  bodiesFor(policyWhere(observed), message(shown), wish, {
    isConfirmed: true,
    isOwnMessage: true,
    people: new Set(['ann', 'me']),
    ...circumstances,
  });

const ruled = (reactionRule: CapabilityValues['reactionRule'] | undefined): Observed => ({
  omittedText: 'kept',
  omittedFiles: 'kept',
  ...(reactionRule === undefined ? {} : { reactionRule }),
});

describe('a reaction beside one of somebody else is sent', () => {
  test.each([
    ['replace', [both], [anns]],
    ['add', [own], [own, emptyName]],
    ['append', [own], [emptyName]],
    ['toggle', [own], [own]],
    [undefined, [both, own], [anns, own, emptyName]],
  ] as const)('under the rule %s', (rule, adding, removing) => {
    expect(plan(ruled(rule), { reactions: anns }, add)).toEqual({ bodies: adding });
    expect(plan(ruled(rule), { reactions: both }, remove)).toEqual({ bodies: removing });
  });

  test.each([
    ['replace', [own], [[]]],
    ['add', [own], [own, emptyName]],
    [undefined, [own], [[], own, emptyName]],
  ] as const)("under the rule %s, if only the user's own may be sent", (rule, adding, removing) => {
    const observed: Observed = { ...ruled(rule), ownReactionsOnly: true };
    expect(plan(observed, { reactions: anns }, add)).toEqual({ bodies: adding });
    expect(plan(observed, { reactions: both }, remove)).toEqual({ bodies: removing });
  });

  test('the user is named in one way only, whatever the server turns out to read', () => {
    const wish = { ...add, mine: ['me', 'u1'] };
    expect(plan(ruled('add'), { reactions: anns }, wish)).toEqual({ bodies: [own] });
    expect(plan(ruled('add'), {}, wish)).toEqual({ bodies: [own, [{ name: 'heart', by: ['u1'] }]] });
  });
});

test('the only reaction of a message is removed by sending none, if the server replaces reactions', () => {
  expect(plan(ruled('replace'), { reactions: own }, remove)).toEqual({ bodies: [[]] });
});

test('a name that cannot be sent is left alone where reactions are added', () => {
  const bracketed = [{ name: 'a[b]', by: ['ann'] }];
  expect(plan(ruled('add'), { reactions: bracketed }, add)).toEqual({ bodies: [own] });
});

describe('nothing is sent', () => {
  const counted = [{ name: 'heart', by: [], unnamed: 2 }];
  const bracketed = [{ name: 'a[b]', by: ['ann'] }];
  const byPerson = [{ name: 'ann', by: ['heart'] }];
  const file = { label: 'a.txt', url: null, size: null, mediaType: null, fields: { id: 'f1' } };
  test.each([
    ['reactions whose people are not named', ruled('add'), { reactions: counted }, {}, 'does not name everybody'],
    ['reactions by person', ruled('add'), { reactions: byPerson }, {}, 'does not name everybody'],
    ['a name that cannot be sent, an unknown rule', {}, { reactions: bracketed }, {}, 'a name that cannot be sent'],
    ['a name that cannot be sent, replacing', ruled('replace'), { reactions: bracketed }, {}, 'cannot be sent'],
    ['a message of which a part is kept', ruled('add'), { isCut: true }, {}, 'than are kept here'],
    ['an unknown rule, unasked', {}, { reactions: anns }, { isConfirmed: false }, 'React again to confirm'],
    ['a text of somebody else, unasked', {}, {}, { isConfirmed: false, isOwnMessage: false }, 'keeps the text'],
    [
      'files of somebody else, unasked',
      { omittedText: 'kept' },
      { attachments: [file] },
      { isConfirmed: false, isOwnMessage: false },
      'React again to confirm',
    ],
    [
      "others' reactions that would go and cannot be put back",
      { omittedReactions: 'dropped', ownReactionsOnly: true },
      { reactions: anns },
      {},
      'does not let them be put back',
    ],
  ] as const)('%s', (_, observed, shown, circumstances, words) => {
    expect(plan(observed, shown, add, circumstances)).toEqual({ refusal: expect.stringContaining(words) });
  });
});
