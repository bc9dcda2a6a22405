import { describe, expect, test } from 'vitest';
import { startCast } from '../../../src/server/demo/cast.ts';
import { createDice } from '../../../src/server/demo/dice.ts';
import { seedDemo } from '../../../src/server/demo/seed-demo.ts';
import { createService, type Service } from '../../../src/server/rules/service.ts';
import type { PersonRow } from '../../../src/server/store/people.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

/** A clock that only the test advances. */
function fakeClock() {
  let now = 0;
  let timers: { at: number; callback: () => void }[] = [];
  return {
    after: (delayMs: number, callback: () => void) => {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: (ms: number) => {
      const end = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
    pending: () => timers.length,
  };
}

const query = (fields: Readonly<Record<string, string>> = {}) => new Map(Object.entries(fields));
const open = () =>
  createService({ database: openDatabase(':memory:'), now: () => 1_800_000_000, random: createDice(7).bytes });

function everything(service: Service, user: PersonRow) {
  const all = [];
  for (let cursor = {}; ; ) {
    const page = service.messages.list(user, query({ limit: '100', ...cursor }));
    all.push(...page.data);
    if (!page.has_more) return all;
    cursor = { starting_after: page.data.at(-1)?.id ?? '' };
  }
}

describe('seedDemo', () => {
  test('has people, groups and all that a list can show', () => {
    const service = open();
    const { user, token } = seedDemo(service);
    expect(service.authenticate(token)?.id).toBe(user.id);
    const { data } = service.conversations.list(user, query({ limit: '100' }));
    expect(data.filter((item) => item.contact_id !== null)).toHaveLength(10);
    expect(data.filter((item) => item.group_id !== null)).toHaveLength(3);
    for (const fits of ['is_pinned', 'is_muted', 'archived_at', 'pinned_message_id'] as const) {
      expect(data.some((item) => Boolean(item[fits]))).toBe(true);
    }
    const messages = everything(service, user);
    expect(messages.length).toBeGreaterThan(300);
    expect(messages.some((message) => message.reactions.length > 0)).toBe(true);
    expect(messages.some((message) => message.attachments.length > 0)).toBe(true);
    expect(messages.some((message) => message.updated_at !== null)).toBe(true);
    expect(messages.some((message) => message.contact.id !== user.id && message.read_at === null)).toBe(true);
    // The notation of the scenes must not leak into the texts.
    for (const { message } of messages) expect(message).not.toMatch(/^[<>1-4][A-Z]| \| \S+$| ~$| @https/);
  });

  test('is the same each time', () => {
    const [one, other] = [open(), open()];
    const dump = (service: Service) => everything(service, seedDemo(service).user);
    expect(dump(one)).toEqual(dump(other));
  });
});

describe('startCast', () => {
  const begin = () => {
    const service = open();
    const { user } = seedDemo(service);
    const clock = fakeClock();
    const cast = startCast({ service, user, clock });
    const contact = service.admin.person('ann.wells');
    const { conversation } = service.conversations.create(user, query({ contact_id: contact.id }));
    const send = (message: string) => service.messages.send(user, query({ conversation_id: conversation.id, message }));
    const newest = () => service.messages.list(user, query({ conversation_id: conversation.id })).data;
    return { service, user, clock, cast, send, newest };
  };

  test('chatters at first and then is quiet, without a timer left', () => {
    const { service, user, clock } = begin();
    const before = everything(service, user).length;
    clock.advance(180_000);
    expect(everything(service, user).length).toBeGreaterThan(before + 3);
    expect(clock.pending()).toBe(0);
  });

  test('reads, answers, and is quiet again', () => {
    const { clock, send, newest } = begin();
    clock.advance(180_000);
    const sent = send('Shall we take the ferry?');
    expect(newest()[0]).toMatchObject({ id: sent.id, read_at: null });
    clock.advance(60_000);
    expect(newest().find((message) => message.id === sent.id)?.read_at).not.toBeNull();
    expect(newest()[0]?.contact.username).toBe('ann.wells');
    expect(clock.pending()).toBe(0);
  });

  test('reacts, edits and deletes now and then', () => {
    const { service, user, clock, send, newest } = begin();
    const seen = new Map<string, ReturnType<typeof newest>[number]>();
    const own = Array.from({ length: 60 }, (_, n) => {
      const { id } = send(`thank you ${n}`);
      for (let second = 0; second < 30; second += 1) {
        clock.advance(1000);
        for (const message of newest()) seen.set(message.id, message);
      }
      return id;
    });
    const now = new Map(everything(service, user).map((message) => [message.id, message]));
    expect(own.some((id) => now.get(id)!.reactions.length > 0)).toBe(true);
    expect([...now.values()].some(({ message }) => message.endsWith(' (I think)'))).toBe(true);
    expect([...seen.keys()].some((id) => !now.has(id))).toBe(true);
  });

  test('continues when the message it wanted to react to is gone, and stops on request', () => {
    const { service, user, clock, cast, send, newest } = begin();
    clock.advance(180_000);
    for (let n = 0; n < 10; n += 1) {
      const sent = send('thank you');
      service.messages.delete(user, sent.id);
      clock.advance(20_000);
    }
    send('one more');
    cast.stop();
    expect(clock.pending()).toBe(0);
    const before = newest().length;
    send('hello?');
    clock.advance(60_000);
    expect(newest().filter((message) => message.contact.id !== user.id).length).toBeLessThanOrEqual(before);
    expect(newest()[0]?.message).toBe('hello?');
  });
});
