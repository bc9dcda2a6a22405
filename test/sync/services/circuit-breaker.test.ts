import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { CircuitBreaker } from '../../../src/sync/services/circuit-breaker.ts';

type UnderWay = ReturnType<CircuitBreaker['begin']>;

test('an answer to a request that left before the pause does not end the pause', () => {
  let now = 1_000;
  const circuitBreaker = new CircuitBreaker({ monotonic: () => now }, () => 0.5);
  const [first, second] = [circuitBreaker.begin('write'), circuitBreaker.begin('poll')];
  first.fail(rateLimited(30_000));
  second.succeed();
  expect(circuitBreaker.nextAllowedAt('write')).toBe(31_000);
  expect(circuitBreaker.pausedUntil()).toBe(31_000);
  now = 31_000;
  expect(circuitBreaker.pausedUntil()).toBeNull();
  circuitBreaker.begin('poll').succeed();
  expect(circuitBreaker.nextAllowedAt('poll')).toBeLessThanOrEqual(now);
});

test.each([
  ['an answer', (request: UnderWay) => request.succeed()],
  [
    'a refusal',
    (request: UnderWay) => request.fail(new ApiError({ ...failing.facts, kind: 'not-found', status: 404 })),
  ],
])('%s to a request that left before the outage does not allow writes', (_, end) => {
  let now = 1_000;
  const circuitBreaker = new CircuitBreaker({ monotonic: () => now }, () => 0);
  const [first, second] = [circuitBreaker.begin('poll'), circuitBreaker.begin('poll')];
  first.fail(new ApiError({ ...failing.facts, kind: 'network', status: 0 }));
  end(second);
  expect(circuitBreaker.nextAllowedAt('write')).toBeNull();
  now = circuitBreaker.nextAllowedAt('poll') ?? Number.NaN;
  circuitBreaker.begin('poll').succeed();
  expect(circuitBreaker.nextAllowedAt('write')).toBeLessThanOrEqual(now);
});

test('one failure amid successful requests delays nobody; further ones are counted', () => {
  let now = 0;
  const circuitBreaker = new CircuitBreaker({ monotonic: () => now }, () => 0);
  for (; now < 60_000; now += 2_000) {
    circuitBreaker.begin('poll').succeed();
  }
  circuitBreaker.begin('poll').fail(failing);
  expect(circuitBreaker.nextAllowedAt('poll')).toBeLessThanOrEqual(now);
  const times: number[] = [now];
  while (now < 400_000) {
    const at = circuitBreaker.nextAllowedAt('poll');
    now = Math.max(now, at ?? now);
    circuitBreaker.begin('poll').fail(failing);
    times.push(now);
  }
  for (const [index, at] of times.entries())
    expect(times.filter((other) => other >= at && other < at + 60_000).length, `${index}`).toBeLessThanOrEqual(12);
});

const failing = new ApiError({
  kind: 'server',
  status: 503,
  outcome: 'ambiguous',
  message: 'out',
  requestId: null,
  code: null,
  retryAfterMs: null,
});

function rateLimited(retryAfterMs: number): ApiError {
  const facts = {
    kind: 'rate-limited',
    status: 429,
    outcome: 'not-applied',
    message: 'slowly',
    requestId: null,
    code: null,
  } as const;
  return new ApiError({ ...facts, retryAfterMs });
}

test('a server that says when it is back is not asked earlier', () => {
  let now = 1_000;
  const circuitBreaker = new CircuitBreaker({ monotonic: () => now }, () => 0);
  const { facts } = failing;
  circuitBreaker.begin('write').fail(new ApiError({ ...facts, kind: 'server', status: 503, retryAfterMs: 120_000 }));
  expect(circuitBreaker.nextAllowedAt('poll')).toBe(121_000);
  expect(circuitBreaker.nextAllowedAt('write')).toBe(121_000);
  // What was about to leave has not left.
  expect(circuitBreaker.blockedBy()?.facts).toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
  now = 121_000;
  expect(circuitBreaker.nextAllowedAt('poll')).toBe(121_000);
  circuitBreaker.begin('poll').succeed();
  expect(circuitBreaker.nextAllowedAt('write')).toBe(0);
});
