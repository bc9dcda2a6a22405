/** When messages become notifications, how many, and which of several chats shows them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as eg from '../support/builders/eg.ts';
import { fakeClock } from '../support/clocks/fake-clock.ts';
import { conversation, people, stage, stateWith, withUnread } from './world.ts';

test('a chat that was not used last notifies later', async () => {
  const there = stage();
  there.wait(1_500);
  there.say('ann');
  await there.clock.advance(3_400);
  expect(there.shown).toEqual([]);
  await there.clock.advance(200);
  expect(there.shown).toHaveLength(1);
});

test('the chat that was used last and is looked at keeps the others quiet', async () => {
  const there = stage();
  there.attend(true);
  there.say('ann', 'Seen');
  there.wait(1_500);
  there.say('ann', 'Seen in a terminal that was left');
  await there.clock.advance(5_000);
  expect([there.claimed, there.shown]).toEqual([['Seen'], []]);
  const both = stage(stateWith({ whileFocused: true }));
  both.attend(true);
  both.say('ann', 'Elsewhere');
  await both.clock.advance(3_000);
  expect([both.claimed, both.shown.length]).toEqual([['Elsewhere'], 1]);
});

test('while another chat on the account notifies nothing is shown, now or later', async () => {
  const there = stage();
  there.elsewhere(true);
  there.say('ann');
  await there.clock.advance(3_000);
  there.elsewhere(false);
  await there.clock.advance(10_000);
  expect(there.lines()).toEqual([]);
  there.say('ann');
  await there.clock.advance(3_000);
  expect(there.shown).toHaveLength(1);
});

test('of two chats the one that was used last notifies of all messages of a burst', async () => {
  const clock = fakeClock();
  const notified = new Set<string>();
  const [used, other] = [stage(stateWith(), clock, notified), stage(stateWith(), clock, notified)];
  other.wait(2_500);
  for (const text of ['One', 'Two', 'Three', 'Four']) {
    for (const there of [used, other]) there.say('ann', text);
    await clock.advance(2_500);
  }
  await clock.advance(30_000);
  expect(other.lines()).toEqual([]);
  expect(used.lines()).toEqual(['ann: One', 'ann: 2 new messages, the last: Three', 'ann: Four']);
});

test('of two chats the one that was used last notifies of messages in several conversations, with a pause between them', async () => {
  const clock = fakeClock();
  const notified = new Set<string>();
  const [used, other] = [stage(stateWith(), clock, notified), stage(stateWith(), clock, notified)];
  other.wait(2_500);
  for (const [who, ms] of [
    ['ann', 3_098],
    ['ann', 1_903],
    ['ann', 0],
    ['bob', 0],
  ] as const) {
    for (const there of [used, other]) there.say(who);
    await clock.advance(ms);
  }
  await clock.advance(30_000);
  expect([used.shown.length, other.lines()]).toEqual([3, []]);
});

test('a chat that waits for another one notifies of what that has not learned of', async () => {
  const clock = fakeClock();
  const notified = new Set<string>();
  const [used, other] = [stage(stateWith(), clock, notified), stage(stateWith(), clock, notified)];
  other.wait(2_500);
  for (const there of [used, other]) there.say('ann', 'One');
  await clock.advance(2_500);
  other.say('ann', 'Two');
  await clock.advance(30_000);
  expect([used.lines(), other.lines()]).toEqual([['ann: One'], ['ann: Two']]);
});

describe('gathering messages', () => {
  test('messages of two seconds become one notification, and the next one comes five seconds later', async () => {
    const { clock, say, lines, shown } = stage();
    say('ann', 'One');
    await clock.advance(1_000);
    say('ann', 'Two');
    say('ann', 'Three');
    await clock.advance(999);
    expect(lines()).toEqual([]);
    await clock.advance(1);
    expect(lines()).toEqual(['ann: 3 new messages, the last: Three']);
    say('ann', 'Four');
    await clock.advance(4_999);
    expect(lines()).toHaveLength(1);
    await clock.advance(1);
    expect(lines()[1]).toBe('ann: Four');
    expect(new Set(shown.map(({ id }) => id)).size).toBe(1);
    await clock.advance(60_000);
    expect(lines()).toHaveLength(2);
    expect(clock.pending()).toBe(0);
  });

  test('for many conversations one notification gives the total', async () => {
    const { clock, say, lines } = stage();
    for (const { id } of people) say(id);
    say('ann');
    await clock.advance(2_000);
    expect(lines()).toEqual(['msg-tui: 6 new messages in 5 conversations']);
  });

  test('shows at most three notifications in two seconds, and one of a conversation in five', async () => {
    const who = fc.constantFrom(...people.map(({ id }) => id));
    const script = fc.array(fc.tuple(who, fc.integer({ min: 0, max: 3_000 })), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(script, async (steps) => {
        const { clock, say, shown, times } = stage();
        for (const [one, pause] of steps) {
          say(one);
          await clock.advance(pause);
        }
        await clock.advance(20_000);
        const last = new Map<string, number>();
        for (const [index, { bursts }] of shown.entries()) {
          const now = times[index] ?? 0;
          expect(times.filter((one) => one <= now && now - one < 2_000).length).toBeLessThanOrEqual(3);
          for (const { conversationId } of bursts) {
            expect(now - (last.get(conversationId) ?? -1e9)).toBeGreaterThanOrEqual(5_000);
            last.set(conversationId, now);
          }
        }
        const told = shown.flatMap(({ bursts }) => bursts).reduce((sum, { count }) => sum + count, 0);
        expect(told).toBe(steps.length);
      }),
      { numRuns: 15 },
    );
  });

  test('leaves out messages that are read before their notification is due', async () => {
    const { clock, say, lines, set, attend } = stage();
    say('ann');
    set(withUnread(stateWith(), [['c-bob', 1]]));
    say('bob');
    attend(true);
    await clock.advance(2_000);
    expect(lines()).toEqual([]);
    attend(false);
    say('bob');
    await clock.advance(2_000);
    expect(lines()).toEqual(['bob: Hello']);
  });

  test('leaves out messages that were written long before the start', async () => {
    const { clock, say, lines } = stage();
    say('ann', 'Yesterday', 24 * 3_600_000);
    say('bob', 'A minute ago, by the clock of the server', 60_000);
    await clock.advance(10_000);
    expect(lines()).toEqual(['bob: A minute ago, by the clock of the server']);
  });

  test.each([-3, 3])('reports only new messages of a server whose clock is %s hours late', async (hours) => {
    const { clock, notifier, shown } = stage();
    const behindMs = hours * 3_600_000;
    const say = (id: string, at: number): void =>
      notifier.onIncoming({
        conversationId: 'c-ann',
        messages: [eg.message({ id, createdAt: at - behindMs })],
        behindMs,
      });
    say('m1', clock.now() - 3_600_000);
    await clock.advance(10_000);
    expect(shown).toEqual([]);
    say('m2', clock.now());
    await clock.advance(10_000);
    expect(shown).toHaveLength(1);
  });

  test('a notification is closed when its conversation is read, and all of them at the end', async () => {
    const { clock, say, shown, closed, set, notifier } = stage();
    say('ann');
    say('bob');
    await clock.advance(2_000);
    const [ann, bob] = shown.map(({ id }) => id);
    expect(notifier.conversationOf(bob ?? '')).toBe('c-bob');
    set(withUnread(stateWith(), [['c-bob', 1]]));
    expect(closed).toEqual([ann]);
    notifier.stop();
    expect(closed).toEqual([ann, bob]);
    expect(notifier.conversationOf('n-99')).toBe(null);
  });

  test('a notification is closed when its conversation is opened on another device after the message', async () => {
    const { clock, say, shown, closed, set } = stage();
    say('ann');
    const at = clock.now();
    await clock.advance(10_000);
    expect(shown).toHaveLength(1);
    const openedAt = (lastOpenedAt: number) =>
      set(
        stateWith(
          {},
          people.map(({ id }) => conversation(id, id === 'ann' ? { lastOpenedAt } : {})),
        ),
      );
    openedAt(at);
    expect(closed).toEqual([]);
    openedAt(at + 1_000);
    expect(closed).toEqual([shown[0]?.id]);
  });

  test('the total is closed when all of its conversations are read, or at the end', async () => {
    const { clock, say, shown, closed, set, notifier } = stage();
    const sayAll = async () => {
      for (const { id } of people) say(id);
      await clock.advance(7_000);
    };
    await sayAll();
    set(withUnread(stateWith(), [['c-bob', 1]]));
    expect(closed).toEqual([]);
    set(withUnread(stateWith(), []));
    expect(closed).toEqual([shown[0]?.id]);
    set(stateWith());
    await sayAll();
    notifier.stop();
    expect(closed).toEqual([shown[0]?.id, shown[1]?.id]);
  });
});
