/** The guide of the demo gives a task, sees in the server's data that it was done, and gives the next. */
import { describe, expect, test } from 'vitest';
import { createKeymap } from '../../../src/commands/keymap.ts';
import { keyLabel } from '../../../src/commands/label.ts';
import { commands } from '../../../src/commands/table.ts';
import type { FormMap } from '../../../src/protocol/form-decode.ts';
import { startCast } from '../../../src/server/demo/cast.ts';
import { createDice } from '../../../src/server/demo/dice.ts';
import { startGuide } from '../../../src/server/demo/guide.ts';
import { lessons } from '../../../src/server/demo/guide-lessons.ts';
import { seedDemo } from '../../../src/server/demo/seed-demo.ts';
import { createService } from '../../../src/server/rules/service.ts';
import { parseSearch } from '../../../src/state/search/search-query.ts';
import { openFillingEngine } from './filling-engine.ts';

const query = (fields: Readonly<Record<string, string>> = {}): FormMap => new Map(Object.entries(fields));
const keyOf = (id: string): string => keyLabel(createKeymap(commands).keysOf(id)[0] ?? '');

/** Until the guide has looked at what changed. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
}

/** Callbacks run when the test says that the time has passed. */
function fakeClock() {
  let planned: (() => Promise<void>)[] = [];
  return {
    after: (_: number, callback: () => Promise<void>) => {
      planned.push(callback);
      return () => {
        planned = planned.filter((other) => other !== callback);
      };
    },
    pass: async () => {
      await settled();
      for (const callback of planned.splice(0)) await callback();
    },
    pending: async () => {
      await settled();
      return planned.length;
    },
  };
}

async function begin(keys = keyOf) {
  const { disk, engine } = openFillingEngine();
  const service = createService({ engine, now: () => 1_800_000_000, random: createDice(7).bytes });
  const { user } = await seedDemo(service);
  const clock = fakeClock();
  const guide = await startGuide({ service, user, clock, keyOf: keys });
  const conversation_id = guide.conversationId;
  const said = async () =>
    (await service.messages.list(user, query({ conversation_id }))).data
      .filter(({ contact }) => contact.username === 'guide')
      .reverse();
  const last = async () => (await said()).at(-1)!;
  const write = (message: string) => service.messages.send(user, query({ conversation_id, message }));
  const change = (id: string, fields: Readonly<Record<string, string>>) =>
    service.conversations.update(user, id, query(fields));
  const skipTo = async (lesson: number) => {
    for (let n = 0; n < lesson; n += 1) {
      await write('skip');
      await clock.pass();
    }
  };
  const isAt = async (lesson: number) => expect((await last()).message).toBe(lessons[lesson]!.task(keys, false));
  return { service, user, clock, disk, guide, said, last, write, change, skipTo, isAt };
}

describe('startGuide', () => {
  test('opens the newest conversation with a greeting and the first task, and sets no timer', async () => {
    const { service, user, guide, said, clock, isAt } = await begin();
    expect((await said())[0]?.message).toContain('I am the guide');
    await isAt(0);
    expect(await clock.pending()).toBe(0);
    const own = (await service.conversations.list(user, query({ limit: '100' }))).data;
    expect(own.map(({ id }) => id)).toContain(guide.conversationId);
  });

  test('notices each task that is done, in order, and says when that was all', async () => {
    const { service, user, guide, clock, last, write, change, isAt } = await begin();
    const written = await write('Hello');
    await clock.pass();
    await isAt(1);
    await write('> Reply to this message\n\nDone');
    await clock.pass();
    await isAt(2);
    await service.messages.update(
      user,
      (await last()).id,
      new Map([['reactions', new Map([['👍', [user.username]]])]]),
    );
    await clock.pass();
    await isAt(3);
    await service.messages.update(user, written.id, query({ message: 'Hello again' }));
    await clock.pass();
    await isAt(4);
    const { data } = await service.conversations.list(user, query({ limit: '100' }));
    const other = data.find(({ is_pinned }) => !is_pinned)!;
    await change(other.id, { is_pinned: 'true' });
    await clock.pass();
    await isAt(5);
    await write('At nine');
    await clock.pass();
    await isAt(6);
    await change(guide.conversationId, { is_muted: 'true' });
    await clock.pass();
    expect((await last()).message).toContain('That was all');
  });

  test('notices the edit of a message that was written after the task', async () => {
    const { service, user, clock, write, skipTo, isAt } = await begin();
    await skipTo(3);
    const written = await write('A new line');
    expect(await clock.pending()).toBe(0);
    await service.messages.update(user, written.id, query({ message: 'A better line' }));
    await clock.pass();
    await isAt(4);
  });

  test('the search that a lesson asks for finds the answer, and not the lesson', async () => {
    const { service, user, last, skipTo } = await begin();
    await skipTo(5);
    const { words, conditions } = parseSearch(/“([^”]*)”/.exec((await last()).message)?.[1] ?? '');
    const author = conditions.flatMap((one) => (one.kind === 'from' ? [one.name] : []));
    expect([words, author]).toEqual([['ferry'], ['ann']]);
    const found = (await service.messages.list(user, query({ limit: '100' }))).data.filter(
      ({ contact, message }) => contact.username.includes('ann') && message.includes('ferry'),
    );
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('leaves at nine')]);
  });

  test('does not take other changes for the task', async () => {
    const { service, user, guide, clock, write, change, skipTo, isAt } = await begin();
    const early = await write('Hello');
    await clock.pass();
    await skipTo(2);
    await isAt(3);
    // A reaction to an own message is no edit, and another message is none either.
    await service.messages.update(user, early.id, new Map([['reactions', new Map([['👍', [user.username]]])]]));
    await write('something');
    await change(guide.conversationId, { is_muted: 'true' });
    expect(await clock.pending()).toBe(0);
    await isAt(3);
  });

  test('continues with “skip” and starts over with “again”, also after the end', async () => {
    const { clock, last, write, skipTo, isAt } = await begin();
    await skipTo(lessons.length);
    expect((await last()).message).toContain('That was all');
    await write('Thanks');
    expect(await clock.pending()).toBe(0);
    await write('Again!');
    await clock.pass();
    await isAt(0);
  });

  test('asks to be unmuted and waits for that when somebody who has muted it starts over', async () => {
    const { guide, clock, last, write, change, skipTo } = await begin();
    await change(guide.conversationId, { is_muted: 'true' });
    await write('again');
    await clock.pass();
    await skipTo(lessons.length - 1);
    expect((await last()).message).toContain('I am muted. Let me be heard again');
    await write('I heard you');
    expect(await clock.pending()).toBe(0);
    await change(guide.conversationId, { is_muted: 'false' });
    await clock.pass();
    expect((await last()).message).toContain('That was all');
  });

  test('names the keys of the profile, and the palette for a command without a key', async () => {
    expect((await (await begin()).last()).message).toContain('press Enter');
    const without = (id: string) => (id === 'message.send' ? '' : keyOf(id));
    expect((await (await begin(without)).last()).message).toContain('choose “Send” in the palette (Ctrl-K, then >)');
    const ids = new Set<string>();
    for (const lesson of lessons) lesson.task((id) => String(ids.add(id).size), false);
    const known = new Set(commands.map(({ id }) => id));
    expect([...ids].filter((id) => !known.has(id))).toEqual([]);
  });

  test('goes on in a conversation that the user has deleted, and stops on request', async () => {
    const { service, user, guide, clock, write } = await begin();
    await write('Hello');
    await service.conversations.delete(user, guide.conversationId);
    await clock.pass();
    const { data } = await service.messages.list(user, query({ limit: '1' }));
    expect(data[0]?.contact.username).toBe('guide');
    guide.stop();
    expect(await clock.pending()).toBe(0);
  });

  test('goes on with the next change after a full disk', async () => {
    const { clock, disk, isAt, write } = await begin();
    await write('Hello');
    disk.isFull = true;
    await clock.pass();
    disk.isFull = false;
    await isAt(0);
    await write('Hello again');
    await clock.pass();
    await isAt(1);
  });

  test('is not answered for by the other people of the demo', async () => {
    const { service, user, clock, guide, write } = await begin();
    guide.stop();
    startCast({ service, user, clock });
    const planned = await clock.pending();
    await write('What time is it?');
    expect(await clock.pending()).toBe(planned);
  });
});
