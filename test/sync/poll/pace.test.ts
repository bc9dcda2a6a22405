/** When the server is asked: within the stated number of requests, soon after news, and rarely at rest. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '../../support/campaigns/fixed-seed.ts';
import type { Polling } from '../../../src/state/model/settings.ts';
import {
  allowanceAt,
  fullAllowance,
  intervalMs,
  type Polled,
  paceRules,
  type Situation,
  spend,
} from '../../../src/sync/poll/pace.ts';
import { type MessageTime, rhythmOf, usualRhythm } from '../../../src/sync/poll/rhythm.ts';

const hour = 3_600_000;
const pollings: readonly Polling[] = ['calm', 'normal', 'eager'];

const situation = (patch: Partial<Situation> = {}): Situation => ({
  quietMs: 0,
  isFocused: true,
  rhythm: usualRhythm,
  wallNow: Date.UTC(2026, 10, 20, 14),
  allowance: allowanceAt(fullAllowance, paceRules.normal, 0),
  rule: paceRules.normal,
  ...patch,
});

const messageTimes = fc
  .array(fc.record({ gap: fc.integer({ min: 0, max: 86_400_000 }), isMine: fc.boolean() }), { maxLength: 60 })
  .map((gaps) => {
    let at = Date.UTC(2026, 10, 1);
    return gaps.map(({ gap, isMine }): MessageTime => {
      at += gap;
      return { at, isMine };
    });
  });

describe('time between two requests', () => {
  test.each([
    ['thread', [2_000, 5_000, 7_000, 15_000]],
    ['list', [5_000, 10_000, 30_000, 30_000]],
  ] as const)('grows with the time since the last news: %s', (what, expected) => {
    const quiet = [0, 20_000, 60_000, 600_000];
    expect(quiet.map((quietMs) => intervalMs(what, situation({ quietMs })))).toEqual(expected);
  });

  test.each([
    ['thread', [4_000, 10_000, 14_000, 30_000]],
    ['list', [10_000, 20_000, 60_000, 60_000]],
  ] as const)('is twice as long without the focus, and limited at rest: %s', (what, expected) => {
    const quiet = [0, 20_000, 60_000, 600_000];
    expect(quiet.map((quietMs) => intervalMs(what, situation({ quietMs, isFocused: false })))).toEqual(expected);
  });

  test('is at rest never shorter than without anything learned, and never endless', () => {
    fc.assert(
      fc.property(messageTimes, fc.boolean(), fc.constantFrom<Polled>('thread', 'list'), (times, isFocused, what) => {
        const rest = situation({ quietMs: hour, isFocused });
        const usual = intervalMs(what, rest);
        const learned = intervalMs(what, { ...rest, rhythm: rhythmOf(times) });
        expect(learned).toBeGreaterThanOrEqual(usual);
        expect(learned).toBeLessThanOrEqual(4 * usual);
      }),
    );
  });

  test('is never longer with the focus than without it, nor for a livelier setting', () => {
    const quietMs = fc.integer({ min: 0, max: hour });
    fc.assert(
      fc.property(
        quietMs,
        fc.constantFrom<Polled>('thread', 'list'),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (quiet, what, share) => {
          const every = (polling: Polling, isFocused: boolean): number => {
            const rule = paceRules[polling];
            const allowance = { requests: share * rule.hourly, at: 0 };
            return intervalMs(what, situation({ quietMs: quiet, isFocused, rule, allowance }));
          };
          for (const polling of pollings) expect(every(polling, true)).toBeLessThanOrEqual(every(polling, false));
          expect(every('normal', true)).toBeLessThanOrEqual(every('calm', true));
          expect(every('eager', true)).toBeLessThanOrEqual(every('normal', true));
        },
      ),
    );
  });

  test('grows slowly when the requests of the hour are used up', () => {
    const at = (requests: number): number => intervalMs('thread', situation({ allowance: { requests, at: 0 } }));
    expect([900, 450, 225, 90, 0].map(at)).toEqual([2_000, 2_000, 4_000, 10_000, 15_000]);
  });
});

describe('the number of requests in an hour', () => {
  test.each(pollings)('is kept over a day in which somebody writes all the time: %s', (polling) => {
    const rule = paceRules[polling];
    let allowance = fullAllowance;
    const asked = { thread: 0, list: 0 };
    const next = { thread: 0, list: 0 };
    for (let now = 0; now < 24 * hour; now = Math.min(next.thread, next.list)) {
      const what = next.thread <= next.list ? 'thread' : 'list';
      asked[what] += 1;
      allowance = spend(allowance, rule, now);
      next[what] = now + intervalMs(what, situation({ rule, allowance }));
    }
    const all = asked.thread + asked.list;
    // What an hour gives may have been saved before.
    expect(all).toBeLessThanOrEqual(25 * rule.hourly);
    expect(all).toBeGreaterThan(12 * rule.hourly);
  });

  test('saves unused requests for an hour, and no longer', () => {
    const spent = { requests: 0, at: 0 };
    expect(allowanceAt(spent, paceRules.normal, hour / 2).requests).toBeCloseTo(450);
    expect(allowanceAt(spent, paceRules.normal, 30 * hour).requests).toBe(900);
  });
});

describe('the rhythm', () => {
  const every = (seconds: number, count: number): readonly MessageTime[] =>
    Array.from({ length: count }, (_, index) => ({ at: index * seconds * 1_000, isMine: false }));

  test('of a conversation without messages is the default one', () => {
    expect(rhythmOf([])).toEqual(usualRhythm);
  });

  test('of answers after half a minute shortens the interval there', () => {
    const { within } = rhythmOf(every(30, 50));
    expect(within[1]).toBeLessThan(0.6);
    expect(within[0]).toBeGreaterThan(1);
  });

  test('does not count messages of the user as arrivals', () => {
    const mine = every(30, 50).map(({ at }) => ({ at, isMine: true }));
    expect(rhythmOf(mine).within[1]).toBeGreaterThan(1);
  });

  test('makes the intervals at rest longer at hours in which no exchange has ever begun', () => {
    const mornings = Array.from({ length: 40 }, (_, day) => ({
      at: new Date(2026, 7, 1 + day, 9, 30).getTime(),
      isMine: false,
    }));
    const { atRest } = rhythmOf(mornings);
    expect(atRest[9]).toBe(1);
    expect(atRest[3]).toBeGreaterThan(1.2);
  });

  test('is within its limits for any times, also for a clock that was set back', () => {
    const times = fc.array(fc.record({ at: fc.integer({ min: 0, max: 2e12 }), isMine: fc.boolean() }));
    fc.assert(
      fc.property(times, (messages) => {
        const { within, atRest } = rhythmOf(messages);
        expect(within.every((factor) => factor >= 0.4 && factor <= 3)).toBe(true);
        expect(atRest.every((factor) => factor >= 1 && factor <= 4)).toBe(true);
      }),
    );
  });
});
