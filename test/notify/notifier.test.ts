/** Which messages are notified, when, and in which words. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Notification, Notifier } from '../../src/notify/notifier.ts';
import { isQuietTime, mayNotify } from '../../src/notify/policy.ts';
import { firstLine, titleOf } from '../../src/notify/words.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { defaultSettings, type NotifySettings } from '../../src/state/model/settings.ts';
import { selectUnreadTotal } from '../../src/state/select/selectors.ts';
import * as eg from '../support/builders/eg.ts';
import { fakeClock } from '../support/clocks/fake-clock.ts';

const people = ['ann', 'bob', 'cyd', 'dee', 'eve'].map((id) => eg.contact({ id, username: id }));

function stateWith(
  notify: Partial<NotifySettings> = {},
  conversations = people.map(({ id }) => conversation(id)),
): AppState {
  const state = eg.state({
    conversations,
    contacts: people,
    cache: { unread: new Map(conversations.map(({ id }) => [id, 1])) },
  });
  return { ...state, settings: { ...defaultSettings, notify: { ...defaultSettings.notify, ...notify } } };
}

const conversation = (contactId: string, more: object = {}) =>
  eg.conversation({ id: `c-${contactId}`, contactId, ...more });

const opened = (state: AppState, openId: string | null): AppState => ({ ...state, view: { ...state.view, openId } });
const withUnread = (state: AppState, unread: Iterable<[string, number]>): AppState => ({
  ...state,
  cache: { ...state.cache, unread: new Map(unread) },
});

/** @param notified the messages of which a program on the account has notified */
function stage(first: AppState = stateWith(), clock = fakeClock(), notified = new Set<string>()) {
  const shown: Notification[] = [];
  const times: number[] = [];
  const closed: string[] = [];
  let state = first;
  let isAttended = false;
  const claimed: string[] = [];
  let delayMs = 0;
  let isElsewhere = false;
  let said = 0;
  const notifier = new Notifier({
    get: () => state,
    clock,
    isAttended: () => isAttended,
    delayMs: () => delayMs,
    notifiedElsewhere: (ids) => new Set(ids.filter((id) => isElsewhere || notified.has(id))),
    claim: (ids) => {
      claimed.push(...ids.map((id) => id.replace(/ \d+$/, '')));
      for (const id of ids) notified.add(id);
      return new Set(ids);
    },
    show: (notification) => {
      shown.push(notification);
      times.push(clock.monotonic());
    },
    close: (id) => closed.push(id),
    idPrefix: 'n',
  });
  return {
    clock,
    shown,
    times,
    closed,
    claimed,
    notifier,
    attend: (is: boolean) => {
      isAttended = is;
    },
    elsewhere: (is: boolean) => {
      isElsewhere = is;
    },
    wait: (ms: number) => {
      delayMs = ms;
    },
    set(next: AppState) {
      state = next;
      notifier.onState();
    },
    say(who: string, text = 'Hello', ago = 0) {
      const contact = people.find(({ id }) => id === who) ?? null;
      const createdAt = clock.now() - ago;
      const id = `${text} ${++said}`;
      const message = eg.message({ id, conversationId: `c-${who}`, contact, text, createdAt });
      notifier.onIncoming({ conversationId: `c-${who}`, messages: [message] });
    },
    lines: () => shown.map(({ title, body }) => `${title}: ${body}`),
  };
}

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

test('and of messages in several conversations, between which it pauses', async () => {
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

  test('never notifies for a muted conversation or the one that is being read', () => {
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
  ])('in quiet hours: %s', (_, from, to, times) => {
    for (const [time, isQuiet] of Object.entries(times)) {
      const [hours = 0, minutes = 0] = time.split(':').map(Number);
      const now = new Date(2026, 10, 22, hours, minutes).getTime();
      expect(isQuietTime({ from, to }, now), time).toBe(isQuiet);
      expect(mayNotify(stateWith({ quietHours: { from, to } }), 'c-ann', { ...moment, now }), time).toBe(!isQuiet);
    }
  });
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

describe('the texts', () => {
  const told = async (privacy: NotifySettings['privacy'], texts: readonly string[]) => {
    const { clock, say, lines } = stage(stateWith({ privacy }));
    for (const text of texts) say('ann', text);
    await clock.advance(2_000);
    return lines();
  };

  test('say as much as the privacy level lets them', async () => {
    expect(await told('full', ['Secret'])).toEqual(['ann: Secret']);
    expect(await told('sender', ['Secret'])).toEqual(['ann: New message']);
    expect(await told('none', ['Secret'])).toEqual(['msg-tui: New message']);
    expect(await told('none', ['Secret', 'Secret'])).toEqual(['msg-tui: 2 new messages']);
    const open = opened(stateWith({ privacy: 'none' }), 'c-ann');
    expect(titleOf(open, 3)).toBe('(3) msg-tui');
    expect(titleOf(opened(stateWith(), 'c-ann'), 3)).toBe('(3) msg-tui - ann');
    expect(titleOf(stateWith(), 0)).toBe('msg-tui');
  });

  test('name the sender in a group, also where they show no text', async () => {
    const toldInGroup = async (privacy: NotifySettings['privacy'], count: number) => {
      const group = eg.conversation({ id: 'c-ann', contactId: null, groupId: 'g-1' });
      const { clock, say, shown } = stage(stateWith({ privacy }, [group]));
      for (let n = 0; n < count; n += 1) say('ann', 'Secret');
      await clock.advance(2_000);
      return shown.map(({ body }) => body);
    };
    expect(await toldInGroup('sender', 1)).toEqual(['New message from ann']);
    expect(await toldInGroup('sender', 2)).toEqual(['2 new messages, the last from ann']);
    expect(await toldInGroup('full', 2)).toEqual(['2 new messages, the last: ann: Secret']);
    expect(await toldInGroup('none', 1)).toEqual(['New message']);
  });

  test('show the first line, without control characters and short', () => {
    const line = (text: string): string => firstLine({ text, attachments: [] });
    expect(line('\n\n  First \r\nsecond')).toBe('First');
    expect(line('\x1b]0;x\x07\u202eabc\x9b31m')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    expect(line('x'.repeat(5_000))).toBe(`${'x'.repeat(199)}…`);
    expect(line('')).toBe('(no text)');
    expect(line('\u200b')).toBe('(no text)');
  });

  test('cover spoilers, also those of several lines, and show no control characters of messages', () => {
    const line = (text: string): string => firstLine({ text, attachments: [] });
    expect(line('It was ||the butler||, and ||x||')).toBe('It was ||…||, and ||…||');
    expect(line('||the\nbutler|| did it')).toBe('||…|| did it');
    for (const code of ['if (a || b || c)', 'a||b||c', '||', '|| open', '|a||b|']) expect(line(code)).toBe(code);
  });
});
