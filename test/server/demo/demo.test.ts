import { describe, expect, test } from 'vitest';
import { startCast } from '../../../src/server/demo/cast.ts';
import { createDice } from '../../../src/server/demo/dice.ts';
import { seedDemo } from '../../../src/server/demo/seed-demo.ts';
import { createService, type Service } from '../../../src/server/rules/service.ts';
import type { PersonRow } from '../../../src/server/store/people.ts';
import { openFillingEngine } from './filling-engine.ts';

/** Until what a message made the cast plan is planned. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

/** A clock that only the test advances. */
function fakeClock() {
  let now = 0;
  let timers: { at: number; callback: () => Promise<void> }[] = [];
  return {
    after: (delayMs: number, callback: () => Promise<void>) => {
      const timer = { at: now + delayMs, callback };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance: async (ms: number) => {
      await settled();
      const end = now + ms;
      for (;;) {
        const next = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = next.at;
        await next.callback();
        await settled();
      }
      now = end;
    },
    pending: () => timers.length,
  };
}

const query = (fields: Readonly<Record<string, string>> = {}) => new Map(Object.entries(fields));
const open = (engine = openFillingEngine().engine) =>
  createService({ engine, now: () => 1_800_000_000, random: createDice(7).bytes });

async function everything(service: Service, user: PersonRow) {
  const all = [];
  for (let cursor = {}; ; ) {
    const page = await service.messages.list(user, query({ limit: '100', ...cursor }));
    all.push(...page.data);
    if (!page.has_more) return all;
    cursor = { starting_after: page.data.at(-1)?.id ?? '' };
  }
}

describe('seedDemo', () => {
  test('has people, groups and everything that a list can show', async () => {
    const service = open();
    const { user, token } = await seedDemo(service);
    expect((await service.authenticate(token))?.id).toBe(user.id);
    const { data } = await service.conversations.list(user, query({ limit: '100' }));
    expect(data.filter((item) => item.contact_id !== null)).toHaveLength(10);
    expect(data.filter((item) => item.group_id !== null)).toHaveLength(3);
    for (const fits of ['is_pinned', 'is_muted', 'archived_at', 'pinned_message_id'] as const) {
      expect(data.some((item) => Boolean(item[fits]))).toBe(true);
    }
    const messages = await everything(service, user);
    expect(messages.length).toBeGreaterThan(300);
    expect(messages.some((message) => message.reactions.length > 0)).toBe(true);
    expect(messages.some((message) => message.attachments.length > 0)).toBe(true);
    expect(messages.some((message) => message.updated_at !== null)).toBe(true);
    expect(messages.some((message) => message.contact.id !== user.id && message.read_at === null)).toBe(true);
    // The notation of the scenes must not leak into the texts.
    for (const { message } of messages) expect(message).not.toMatch(/^[<>1-4][A-Z]| \| \S+$| ~$| @https/);
  });

  test('is the same each time', async () => {
    const [one, other] = [open(), open()];
    const dump = async (service: Service) => everything(service, (await seedDemo(service)).user);
    expect(await dump(one)).toEqual(await dump(other));
  });
});

describe('startCast', () => {
  const begin = async () => {
    const { disk, engine } = openFillingEngine();
    const service = open(engine);
    const { user } = await seedDemo(service);
    const clock = fakeClock();
    const cast = startCast({ service, user, clock });
    const contact = await service.admin.person('ann.wells');
    const { conversation } = await service.conversations.create(user, query({ contact_id: contact.id }));
    const send = (message: string) => service.messages.send(user, query({ conversation_id: conversation.id, message }));
    const newest = async () => (await service.messages.list(user, query({ conversation_id: conversation.id }))).data;
    return { service, user, clock, cast, send, newest, disk };
  };

  test('writes often at first and then is quiet, without a timer left', async () => {
    const { service, user, clock } = await begin();
    const before = (await everything(service, user)).length;
    await clock.advance(180_000);
    expect((await everything(service, user)).length).toBeGreaterThan(before + 3);
    expect(clock.pending()).toBe(0);
  });

  test('is silent while the disk is full, and answers again when there is room', async () => {
    const { service, user, clock, send, newest, disk } = await begin();
    const before = (await everything(service, user)).length;
    disk.isFull = true;
    await clock.advance(180_000);
    expect((await everything(service, user)).length).toBe(before);
    disk.isFull = false;
    const sent = await send('Shall we take the ferry?');
    await clock.advance(60_000);
    expect((await newest())[0]?.id).not.toBe(sent.id);
  });

  test('reads, answers, and is quiet again', async () => {
    const { clock, send, newest } = await begin();
    await clock.advance(180_000);
    const sent = await send('Shall we take the ferry?');
    expect((await newest())[0]).toMatchObject({ id: sent.id, read_at: null });
    await clock.advance(60_000);
    expect((await newest()).find((message) => message.id === sent.id)?.read_at).not.toBeNull();
    expect((await newest())[0]?.contact.username).toBe('ann.wells');
    expect(clock.pending()).toBe(0);
  });

  test('reacts, edits and deletes now and then', async () => {
    const { service, user, clock, send, newest } = await begin();
    const seen = new Map<string, Awaited<ReturnType<typeof newest>>[number]>();
    const own: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const { id } = await send(`thank you ${n}`);
      for (let second = 0; second < 30; second += 1) {
        await clock.advance(1000);
        for (const message of await newest()) seen.set(message.id, message);
      }
      own.push(id);
    }
    const now = new Map((await everything(service, user)).map((message) => [message.id, message]));
    expect(own.some((id) => now.get(id)!.reactions.length > 0)).toBe(true);
    expect([...now.values()].some(({ message }) => message.endsWith(' (I think)'))).toBe(true);
    expect([...seen.keys()].some((id) => !now.has(id))).toBe(true);
  });

  test('continues when the message it wanted to react to is gone, and stops on request', async () => {
    const { service, user, clock, cast, send, newest } = await begin();
    await clock.advance(180_000);
    for (let n = 0; n < 10; n += 1) {
      const sent = await send('thank you');
      await service.messages.delete(user, sent.id);
      await clock.advance(20_000);
    }
    await send('one more');
    cast.stop();
    expect(clock.pending()).toBe(0);
    const before = (await newest()).length;
    await send('hello?');
    await clock.advance(60_000);
    expect((await newest()).filter((message) => message.contact.id !== user.id).length).toBeLessThanOrEqual(before);
    expect((await newest())[0]?.message).toBe('hello?');
  });
});
