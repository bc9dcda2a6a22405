/** What is tried so that a reaction comes or goes. */
import { expect, test } from 'vitest';
import { requestBodies } from '../../../../src/sync/outbox/update/reaction-strategy.ts';

const wish = { name: 'heart', present: false, mine: ['me'] };
const mineAlone = [{ name: 'heart', by: ['me'] }];

test('where the own string is repeated, sending it again does not take it back', () => {
  expect(requestBodies(mineAlone, wish, 'append', false)).not.toContainEqual(mineAlone);
  expect(requestBodies(mineAlone, wish, 'append', false)).toContainEqual([{ name: 'heart', by: [] }]);
  expect(requestBodies(mineAlone, wish, 'add', false)).toContainEqual(mineAlone);
});
