/** What `msg-tui status` reports of the age of what was shown. */
import { expect, test } from 'vitest';
import { freshnessCheck, freshnessOf, freshnessWords, readFreshness } from '../../../src/cli/health/freshness.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import type { RequestEntry } from '../../../src/storage/ledger/entry.ts';
import { createRecorder } from '../../../src/storage/ledger/recorder.ts';
import { temporaryDirectory } from '../../storage/builders.ts';

const directories = (one: string) => ({ cacheDirectory: one, dataDirectory: one });

const poll = (at: number, patch: Partial<RequestEntry> = {}): RequestEntry => ({
  kind: 'request',
  at,
  method: 'GET',
  host: 'chat.example',
  path: '/v1/messages',
  status: 304,
  problem: null,
  sent: 0,
  received: 0,
  durationMs: 0,
  reason: 'newest messages of the open conversation',
  ...patch,
});
const every = (ms: number, count: number, patch: Partial<RequestEntry> = {}): readonly RequestEntry[] =>
  Array.from({ length: count }, (_, index) => poll(index * ms, patch));

test('with a poll every ten seconds, the age grows from 0 to ten seconds between two of them', () => {
  const freshness = freshnessOf([...every(10_000, 361), poll(5, { reason: 'send', method: 'POST', status: 201 })]);
  expect(freshness?.medianMs).toBeCloseTo(5_000, -2);
  expect(freshness?.p95Ms).toBeCloseTo(9_500, -2);
  expect(freshness?.requestsPerHour).toBeCloseTo(362);
  expect(freshness?.notModifiedPercent).toBe(100);
});

test('polls of the open conversation count as the session records them, and those of other conversations do not', async () => {
  const directory = temporaryDirectory();
  const recorder = createRecorder(directories(directory), createAppStore(initialState({ view: { openId: 'open' } })));
  const at = Date.now() - 3_600_000;
  for (let index = 0; index <= 60; index++)
    for (const [id, after] of [
      ['open', 0],
      ['other', 5_000],
    ] as const) {
      const { kind: _, ...request } = poll(at + index * 10_000 + after, { reason: 'newest messages' });
      recorder.onRequest({ ...request, path: `/v1/messages?conversation_id=${id}&limit=50` });
    }
  recorder.flush();
  expect((await readFreshness(directory))?.p95Ms).toBeCloseTo(9_500, -2);
});

test('what commands ask does not count, as no chat showed it', async () => {
  const directory = temporaryDirectory();
  const recorder = createRecorder(directories(directory), createAppStore(initialState()), true);
  const at = Date.now() - 3_600_000;
  for (let index = 0; index <= 60; index++) {
    const { kind: _, ...request } = poll(at + index * 10_000, { reason: 'conversation list', status: 200 });
    recorder.onRequest({ ...request, path: '/v1/conversations?limit=50' });
  }
  recorder.flush();
  expect(await readFreshness(directory)).toBeNull();
});

test('while the server holds a request, the age of what is shown is 0', () => {
  const held = every(25_000, 40, { durationMs: 24_900, reason: 'conversation list' });
  const other = every(25_000, 40).map((entry) => ({ ...entry, at: entry.at + 12_000, status: 200 }));
  const freshness = freshnessOf([...held, ...other]);
  expect(freshness?.medianMs).toBeLessThan(10);
  expect(freshness?.p95Ms).toBeLessThan(150);
  expect(freshness?.notModifiedPercent).toBe(50);
});

test('the time in which no chat ran is left out, and so are requests that failed', () => {
  const day = 86_400_000;
  const later = every(10_000, 100).map((entry) => ({ ...entry, at: entry.at + day }));
  const failed = every(1_000, 100, { status: 500 });
  const freshness = freshnessOf([...every(10_000, 100), ...later, ...failed]);
  expect(freshness?.medianMs).toBeCloseTo(5_000, -2);
});

test('the time between two chats is left out, also where it is short', async () => {
  const directory = temporaryDirectory();
  const start = Date.now() - 5 * 3_600_000;
  for (let chat = 0; chat < 10; chat++) {
    const recorder = createRecorder(directories(directory), createAppStore(initialState()));
    for (let index = 0; index <= 30; index++) {
      const at = start + chat * 600_000 + index * 10_000;
      const { kind: _, ...request } = poll(at, { reason: 'conversation list', status: index === 0 ? 503 : 304 });
      recorder.onRequest(request);
    }
    recorder.flush();
  }
  expect((await readFreshness(directory))?.p95Ms).toBeLessThan(12_000);
});

test('nothing is reported after a few minutes only', () => {
  expect(freshnessOf(every(10_000, 20))).toBeNull();
  expect(freshnessOf([])).toBeNull();
  expect(freshnessCheck(null)).toMatchObject({ verdict: 'ok', text: expect.stringContaining('not known') });
});

test('the text has both delays, the requests of an hour and how many found nothing new', () => {
  const freshness = { medianMs: 1_812, p95Ms: 6_030, requestsPerHour: 311.8, notModifiedPercent: 90.6 };
  expect(freshnessWords(freshness)).toBe('median 1.8 s, 95 % within 6.0 s, 312 requests an hour, 91 % not modified');
});
