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
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';

const query = (fields: Readonly<Record<string, string>> = {}): FormMap => new Map(Object.entries(fields));
const keyOf = (id: string): string => keyLabel(createKeymap(commands).keysOf(id)[0] ?? '');

/** Callbacks run when the test says that the time has passed. */
function fakeClock() {
  let planned: (() => void)[] = [];
  return {
    after: (_: number, callback: () => void) => {
      planned.push(callback);
      return () => {
        planned = planned.filter((other) => other !== callback);
      };
    },
    pass: () => {
      for (const callback of planned.splice(0)) callback();
    },
    pending: () => planned.length,
  };
}

function begin(keys = keyOf) {
  const database = openDatabase(':memory:');
  const service = createService({ database, now: () => 1_800_000_000, random: createDice(7).bytes });
  const { user } = seedDemo(service);
  const clock = fakeClock();
  const guide = startGuide({ service, user, clock, keyOf: keys });
  const conversation_id = guide.conversationId;
  const said = () =>
    service.messages
      .list(user, query({ conversation_id }))
      .data.filter(({ contact }) => contact.username === 'guide')
      .reverse();
  const last = () => said().at(-1)!;
  const write = (message: string) => service.messages.send(user, query({ conversation_id, message }));
  const change = (id: string, fields: Readonly<Record<string, string>>) =>
    service.conversations.update(user, id, query(fields));
  const skipTo = (lesson: number) => {
    for (let n = 0; n < lesson; n += 1) {
      write('skip');
      clock.pass();
    }
  };
  const isAt = (lesson: number) => expect(last().message).toBe(lessons[lesson]!.task(keys));
  return { service, user, clock, guide, said, last, write, change, skipTo, isAt };
}

describe('startGuide', () => {
  test('opens the newest conversation with a greeting and the first task, and plans nothing', () => {
    const { service, user, guide, said, clock, isAt } = begin();
    expect(said()[0]?.message).toContain('I am the guide');
    isAt(0);
    expect(clock.pending()).toBe(0);
    const own = service.conversations.list(user, query({ limit: '100' })).data;
    expect(own.map(({ id }) => id)).toContain(guide.conversationId);
  });

  test('sees each task done, in order, and says when that was all', () => {
    const { service, user, guide, clock, last, write, change, isAt } = begin();
    const written = write('Hello');
    clock.pass();
    isAt(1);
    write('> Reply to this message\n\nDone');
    clock.pass();
    isAt(2);
    service.messages.update(user, last().id, new Map([['reactions', new Map([['👍', [user.username]]])]]));
    clock.pass();
    isAt(3);
    service.messages.update(user, written.id, query({ message: 'Hello again' }));
    clock.pass();
    isAt(4);
    const other = service.conversations.list(user, query({ limit: '100' })).data.find(({ is_pinned }) => !is_pinned)!;
    change(other.id, { is_pinned: 'true' });
    clock.pass();
    isAt(5);
    write('At nine');
    clock.pass();
    isAt(6);
    change(guide.conversationId, { is_muted: 'true' });
    clock.pass();
    expect(last().message).toContain('That was all');
  });

  test('does not take anything else for the task', () => {
    const { service, user, guide, clock, write, change, skipTo, isAt } = begin();
    const early = write('Hello');
    clock.pass();
    skipTo(2);
    isAt(3);
    // A reaction to an own message is no edit, and another message is none either.
    service.messages.update(user, early.id, new Map([['reactions', new Map([['👍', [user.username]]])]]));
    write('something');
    change(guide.conversationId, { is_muted: 'true' });
    expect(clock.pending()).toBe(0);
    isAt(3);
  });

  test('“skip” goes on, “again” starts over, also after the end', () => {
    const { clock, last, write, skipTo, isAt } = begin();
    skipTo(lessons.length);
    expect(last().message).toContain('That was all');
    write('Thanks');
    expect(clock.pending()).toBe(0);
    write('Again!');
    clock.pass();
    isAt(0);
  });

  test('names the keys of the profile, and the palette for a command without a key', () => {
    expect(begin().last().message).toContain('press Enter');
    const without = (id: string) => (id === 'message.send' ? '' : keyOf(id));
    expect(begin(without).last().message).toContain('choose “Send” in the palette (Ctrl-K, then >)');
    const ids = new Set<string>();
    for (const lesson of lessons) lesson.task((id) => String(ids.add(id).size));
    const known = new Set(commands.map(({ id }) => id));
    expect([...ids].filter((id) => !known.has(id))).toEqual([]);
  });

  test('goes on in a conversation that the user has deleted, and stops on request', () => {
    const { service, user, guide, clock, write } = begin();
    write('Hello');
    service.conversations.delete(user, guide.conversationId);
    clock.pass();
    const { data } = service.messages.list(user, query({ limit: '1' }));
    expect(data[0]?.contact.username).toBe('guide');
    guide.stop();
    expect(clock.pending()).toBe(0);
  });

  test('nobody of the cast answers for the guide', () => {
    const { service, user, clock, guide, write } = begin();
    guide.stop();
    startCast({ service, user, clock });
    const planned = clock.pending();
    write('What time is it?');
    expect(clock.pending()).toBe(planned);
  });
});
