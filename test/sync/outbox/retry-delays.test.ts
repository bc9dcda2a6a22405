/** What is remembered of attempts that failed. */
import { expect, test } from 'vitest';
import { addOp, removeOp } from '../../../src/state/local/outbox.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { RetryDelays } from '../../../src/sync/outbox/retry-delays.ts';
import * as eg from '../../support/builders/eg.ts';
import { fakeClock } from '../../support/clocks/fake-clock.ts';

test('a discarded op is forgotten with the next attempt that fails', () => {
  const store = createAppStore(initialState());
  const delays = new RetryDelays({ clock: fakeClock(), random: () => 0.5, store });
  const action = { kind: 'message.send', conversationId: 'c1', text: 'hello' } as const;
  const [discarded, kept] = [eg.op(action, { uuid: 'u1' }), eg.op(action, { uuid: 'u2' })];
  for (const op of [discarded, kept]) store.setState(addOp(op));
  for (const op of [discarded, kept]) delays.postpone(op, { countsAsFailure: true });
  store.setState(removeOp(discarded.uuid));
  delays.postpone(kept, { countsAsFailure: true });
  expect([discarded, kept].map((op) => delays.failuresOf(op))).toEqual([0, 2]);
});
