import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { createGate } from '../../src/sync/gate.ts';

test('an answer to a request that left before the pause does not end the pause', () => {
  let now = 1_000;
  const gate = createGate({ monotonic: () => now }, () => 0.5);
  gate.begin();
  gate.begin();
  gate.fail(rateLimited(30_000));
  gate.succeed();
  expect(gate.opensAt('write')).toBe(31_000);
  expect(gate.pausedUntil()).toBe(31_000);
  now = 31_000;
  expect(gate.pausedUntil()).toBeNull();
  gate.begin();
  gate.succeed();
  expect(gate.opensAt('poll')).toBeLessThanOrEqual(now);
});

function rateLimited(retryAfterMs: number): ApiError {
  const facts = {
    kind: 'rate-limited',
    status: 429,
    outcome: 'N',
    message: 'slowly',
    requestId: null,
    code: null,
  } as const;
  return new ApiError({ ...facts, retryAfterMs });
}
