/** Which rule a change of reactions shows. */
import { expect, test } from 'vitest';
import type { Reaction } from '../../../../src/protocol/types.ts';
import { observedRule } from '../../../../src/sync/outbox/safe-put/learn-from-put.ts';

const hearts = (...by: readonly string[]): readonly Reaction[] => [{ name: 'heart', by }];
const twice: readonly Reaction[] = [{ name: 'heart', by: ['ann', 'me'], repeats: 1 }];

test.each([
  ['what was not sent stays', hearts('ann'), hearts('me'), hearts('ann', 'me'), 'add'],
  ['what was not sent goes', hearts('ann'), hearts('me'), hearts('me'), 'replace'],
  ['what was sent goes', hearts('ann'), hearts('ann', 'me'), hearts('me'), 'toggle'],
  ['what was sent is listed twice', hearts('ann'), hearts('ann', 'me'), twice, 'append'],
  ['one’s own goes as it was not sent', hearts('ann', 'me'), hearts('ann'), hearts('ann'), 'replace'],
  ['one’s own stays though it was not sent', hearts('ann', 'me'), hearts('ann'), hearts('ann', 'me'), 'add'],
  ['one’s own goes by an empty value', hearts('ann', 'me'), hearts(), hearts('ann'), 'add'],
  ['all go by an empty value', hearts('ann', 'me'), hearts(), [], 'replace'],
  ['everything was sent and is there', hearts('ann'), hearts('ann', 'me'), hearts('ann', 'me'), null],
  ['nothing was there', [], hearts('me'), hearts('me'), null],
  ['nothing was sent', hearts('me'), [], [], null],
  ['what was sent did not come', hearts('ann'), hearts('me'), hearts('ann'), null],
] as const)('the rule for reactions is learned: %s', (_, before, sent, after, rule) => {
  expect(observedRule(before, sent, after, ['me'])).toBe(rule);
});
