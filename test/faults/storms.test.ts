/** However a server fails, and for however long: no more than twelve requests in any minute (suite TP8, S9; I7). */
import { expect, test } from 'vitest';
import type { ApiError } from '../../src/api/errors.ts';
import { apiFault } from '../support/servers/fake-service.ts';
import { syncWorld } from '../support/worlds/sync-world.ts';

const minuteMs = 60_000;

const failures: Readonly<Record<string, ApiError>> = {
  'connection refused': apiFault('network', 'not-applied'),
  'connection lost': apiFault('network', 'ambiguous'),
  timeout: apiFault('timeout', 'ambiguous'),
  'false certificate': apiFault('tls', 'not-applied'),
  'moved elsewhere': apiFault('redirect', 'not-applied', { status: 308 }),
  'captive portal': apiFault('not-api', 'ambiguous', { status: 200 }),
  '401': apiFault('unauthorized', 'not-applied', { status: 401 }),
  '429': apiFault('rate-limited', 'not-applied', { status: 429 }),
  '429, one second': apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 1_000 }),
  '429, one hour': apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 3_600_000 }),
  '500': apiFault('server', 'ambiguous', { status: 500 }),
  '503, one second': apiFault('server', 'ambiguous', { status: 503, retryAfterMs: 1_000 }),
};

test.each(Object.entries(failures))('requests stay few while every one ends with: %s', async (_, error) => {
  const world = syncWorld({ random: () => 0 });
  for (let index = 0; index < 20; index++) world.service.addConversation(`c${index}`);
  await world.clock.advance(1_000);
  world.open('c1');
  await world.clock.advance(10_000);
  const before = world.service.requestTimes.length;
  world.service.fault = () => ({ applies: false, error });
  for (let index = 0; index < 20; index++) world.send('words', `c${index}`);
  for (let minute = 0; minute < 10; minute++) {
    // A user who does something now and then makes it no worse.
    world.open(`c${minute}`);
    await world.clock.advance(minuteMs);
  }
  const times = world.service.requestTimes.slice(before);
  const most = Math.max(
    ...times.map((at, index) => times.slice(index).filter((other) => other - at < minuteMs).length),
  );
  expect(times.length).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(12);
  await world.engine.stop();
});
