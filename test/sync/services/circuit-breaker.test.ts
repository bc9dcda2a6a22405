import { expect, test } from 'vitest';
import { ApiError } from '../../../src/api/errors.ts';
import { CircuitBreaker } from '../../../src/sync/services/circuit-breaker.ts';

type UnderWay = ReturnType<CircuitBreaker['begin']>;

test('an answer to a request that left before the pause does not end the pause', () => {
  let now = 1_000;
  const gate = new CircuitBreaker({ monotonic: () => now }, () => 0.5);
  const [first, second] = [gate.begin('write'), gate.begin('poll')];
  first.fail(rateLimited(30_000));
  second.succeed();
  expect(gate.nextAllowedAt('write')).toBe(31_000);
  expect(gate.pausedUntil()).toBe(31_000);
  now = 31_000;
  expect(gate.pausedUntil()).toBeNull();
  gate.begin('poll').succeed();
  expect(gate.nextAllowedAt('poll')).toBeLessThanOrEqual(now);
});

test.each([
  ['an answer', (request: UnderWay) => request.succeed()],
  [
    'a refusal',
    (request: UnderWay) => request.fail(new ApiError({ ...failing.facts, kind: 'not-found', status: 404 })),
  ],
])('%s to a request that left before the way was lost does not open it for writes', (_, end) => {
  let now = 1_000;
  const gate = new CircuitBreaker({ monotonic: () => now }, () => 0);
  const [first, second] = [gate.begin('poll'), gate.begin('poll')];
  first.fail(new ApiError({ ...failing.facts, kind: 'network', status: 0 }));
  end(second);
  expect(gate.nextAllowedAt('write')).toBeNull();
  now = gate.nextAllowedAt('poll') ?? Number.NaN;
  gate.begin('poll').succeed();
  expect(gate.nextAllowedAt('write')).toBeLessThanOrEqual(now);
});

test('one failure amid healthy requests keeps nobody from asking; from then on they are counted', () => {
  let now = 0;
  const gate = new CircuitBreaker({ monotonic: () => now }, () => 0);
  for (; now < 60_000; now += 2_000) {
    gate.begin('poll').succeed();
  }
  gate.begin('poll').fail(failing);
  expect(gate.nextAllowedAt('poll')).toBeLessThanOrEqual(now);
  const times: number[] = [now];
  while (now < 400_000) {
    const at = gate.nextAllowedAt('poll');
    now = Math.max(now, at ?? now);
    gate.begin('poll').fail(failing);
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

test('a server that says when it is back is not asked before', () => {
  let now = 1_000;
  const gate = new CircuitBreaker({ monotonic: () => now }, () => 0);
  const { facts } = failing;
  gate.begin('write').fail(new ApiError({ ...facts, kind: 'server', status: 503, retryAfterMs: 120_000 }));
  expect(gate.nextAllowedAt('poll')).toBe(121_000);
  expect(gate.nextAllowedAt('write')).toBe(121_000);
  // What was about to leave has not left.
  expect(gate.blockedBy()?.facts).toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
  now = 121_000;
  expect(gate.nextAllowedAt('poll')).toBe(121_000);
  gate.begin('poll').succeed();
  expect(gate.nextAllowedAt('write')).toBe(0);
});
