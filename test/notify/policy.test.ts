/** Which messages notify. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isQuietTime, mayNotify } from '../../src/notify/policy.ts';
import { selectUnreadTotal } from '../../src/state/select/selectors.ts';
import * as eg from '../support/builders/eg.ts';
import { conversation, opened, stage, stateWith, withUnread } from './world.ts';

describe('the policy', () => {
  const moment = { isAttended: false, now: eg.now };

  test('does not notify for muted, archived, unknown and read conversations, nor at all with the method "none"', () => {
    const muted = stateWith({}, [conversation('ann', { isMuted: true }), conversation('bob', { archivedAt: 1 })]);
    expect(mayNotify(stateWith(), 'c-ann', moment)).toBe(true);
    expect(mayNotify(muted, 'c-ann', moment)).toBe(false);
    expect(mayNotify(muted, 'c-bob', moment)).toBe(false);
    expect(mayNotify(muted, 'c-cyd', moment)).toBe(false);
    expect(mayNotify(withUnread(stateWith(), []), 'c-ann', moment)).toBe(false);
    expect(mayNotify(stateWith({ method: 'none' }), 'c-ann', moment)).toBe(false);
    expect(selectUnreadTotal(muted)).toBe(0);
    expect(selectUnreadTotal(stateWith())).toBe(5);
  });

  test('notifies from a muted conversation for a message with a keyword, whatever its case and accents', async () => {
    const there = stage(stateWith({ keywords: ['Café', 'on call'] }, [conversation('ann', { isMuted: true })]));
    const say = (id: string, text: string): void =>
      there.notifier.onIncoming({
        conversationId: 'c-ann',
        messages: [eg.message({ id, text, createdAt: there.clock.now() })],
      });
    say('m1', 'at the harbour');
    await there.clock.advance(3_000);
    expect(there.shown).toEqual([]);
    say('m2', 'who is ON CALL?');
    await there.clock.advance(3_000);
    expect(there.shown).toHaveLength(1);
    await there.clock.advance(10_000);
    say('m3', 'at the cafe');
    await there.clock.advance(3_000);
    expect(there.shown).toHaveLength(2);
  });

  test('without a keyword, never notifies for a muted conversation or the one that is being read', () => {
    const cases = fc.record({
      isMuted: fc.boolean(),
      isOpen: fc.boolean(),
      isAttended: fc.boolean(),
      whileFocused: fc.boolean(),
      unread: fc.nat(3),
      now: fc.integer({ min: 0, max: 2e12 }),
    });
    fc.assert(
      fc.property(cases, ({ isMuted, isOpen, isAttended, whileFocused, unread, now }) => {
        const state = withUnread(stateWith({ whileFocused }, [conversation('ann', { isMuted })]), [['c-ann', unread]]);
        const may = mayNotify(opened(state, isOpen ? 'c-ann' : null), 'c-ann', { isAttended, now });
        if (isMuted || (isAttended && (isOpen || !whileFocused))) expect(may).toBe(false);
        else expect(may).toBe(isOpen || unread > 0);
      }),
    );
  });

  test.each([
    ['22:00-07:00', 22 * 60, 7 * 60, { '21:59': false, '22:00': true, '03:00': true, '06:59': true, '07:00': false }],
    ['12:00-13:00', 12 * 60, 13 * 60, { '11:59': false, '12:00': true, '12:59': true, '13:00': false }],
  ])('does not notify in the quiet hours %s', (_, from, to, times) => {
    for (const [time, isQuiet] of Object.entries(times)) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      const now = new Date(2026, 10, 22, hours, minutes).getTime();
      expect(isQuietTime({ from, to }, now), time).toBe(isQuiet);
      expect(mayNotify(stateWith({ quietHours: { from, to } }), 'c-ann', { ...moment, now }), time).toBe(!isQuiet);
    }
  });
});
