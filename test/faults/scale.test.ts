/** Sizes far beyond anybody's day (suite TP12): everything still answers in time, and nothing grows faster than its input. */
import { rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parsePage } from '../../src/protocol/page.ts';
import { parseConversation, parseMessage } from '../../src/protocol/parse.ts';
import type { Message } from '../../src/protocol/types.ts';
import { applyConversations } from '../../src/state/cache/conversations.ts';
import type { AppState, Op } from '../../src/state/model/app-state.ts';
import { selectListOrder } from '../../src/state/select/listed-conversations.ts';
import { stepInList } from '../../src/state/view/list-place.ts';
import { openOutbox } from '../../src/storage/outbox/open.ts';
import { nextReady } from '../../src/sync/op/ordering.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { apiFault } from '../support/servers/fake-service.ts';
import { scratchDirectory } from '../support/system/scratch.ts';
import { syncWorld } from '../support/worlds/sync-world.ts';

/** A key, with a good margin for a slow and busy machine: what is quadratic takes seconds at these sizes. */
const keyMs = 250;

/** Milliseconds of processor time, the better of two. */
function cost(work: () => void): number {
  const once = (): number => {
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
  return Math.min(once(), once());
}

const panes = () => createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });

function draw(made: ReturnType<typeof panes>, state: AppState): void {
  const where = made.layout(state);
  for (const pane of ['list', 'thread'] as const) {
    const width = where[pane]?.width ?? 0;
    for (const row of made.rows(pane, state, where)) expect(rowWidth(row)).toBe(width);
  }
}

const withThread = (messages: readonly Message[]): AppState =>
  eg.state({
    conversations: [eg.conversation({ id: 'c1', contactId: 'ann' })],
    cache: { threads: new Map([['c1', eg.thread(messages)]]) },
    view: { openId: 'c1' },
    screen: { size: { columns: 100, rows: 40 } },
  });

test('with 100,000 conversations a key and a poll take little time', () => {
  const conversations = Array.from({ length: 100_000 }, (_, index) =>
    eg.conversation({ id: `c${index}`, contactId: `k${index}`, lastActiveAt: eg.now - index * 1000 }),
  );
  const made = panes();
  let state = eg.state({ conversations, screen: { focus: 'list', size: { columns: 100, rows: 40 } } });
  draw(made, state);
  const key = cost(() => {
    state = stepInList(selectListOrder(state), 'next')(state);
    draw(made, state);
  });
  expect(key).toBeLessThan(keyMs);
  const [first] = conversations;
  const poll = cost(() => {
    const news = { ...(first ?? eg.conversation()), lastActiveAt: (state.cache.conversations.size + eg.now) * 2 };
    state = applyConversations([news])(state);
    draw(made, state);
  });
  expect(poll).toBeLessThan(2 * keyMs);
});

test('10,000 reactions of 10,000 people are drawn within the time of a key', () => {
  const reactions = Array.from({ length: 10_000 }, (_, index) => ({ name: `r${index}`, by: [`k${index}`] }));
  const crowd = [{ name: 'thumbsup', by: reactions.map(({ by }) => by[0] ?? '') }];
  for (const many of [reactions, crowd]) {
    const state = withThread([eg.message({ conversationId: 'c1', reactions: many })]);
    expect(cost(() => draw(panes(), state))).toBeLessThan(keyMs);
  }
});

describe('10,000 entries in the outbox', () => {
  const op = (index: number): Omit<Op, 'seq'> =>
    eg.op({ kind: 'message.send', conversationId: `c${index % 100}`, text: `words ${index}` }, { uuid: `u${index}` });

  test('are opened within a second, and one more is taken at once', () => {
    const directory = scratchDirectory('scale');
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const writer = openOutbox(directory);
    for (let index = 0; index < 10_000; index++) writer.enqueue(op(index), null);
    writer.close();
    let count = 0;
    const load = cost(() => {
      const outbox = openOutbox(directory);
      count = outbox.load().outbox.length;
      outbox.close();
    });
    expect(count).toBe(10_000);
    expect(load).toBeLessThan(1_000);
    const outbox = openOutbox(directory);
    let extra = 10_000;
    expect(cost(() => outbox.enqueue(op(extra++), null))).toBeLessThan(keyMs);
    outbox.close();
  });

  test('wait for an unreachable server at no cost that grows with them', async () => {
    const ops = Array.from({ length: 10_000 }, (_, index): Op => ({ ...op(index), seq: index + 1 }));
    expect(
      cost(() =>
        nextReady(
          ops,
          0,
          () => 0,
          () => false,
        ),
      ),
    ).toBeLessThan(keyMs);
    const world = syncWorld();
    for (let index = 0; index < 10_000; index++) world.outbox.enqueue(op(index), null);
    world.service.fault = () => ({ applies: false, error: apiFault('network', 'not-applied') });
    world.restart();
    const began = process.cpuUsage();
    await world.clock.advance(59_000);
    const { user } = process.cpuUsage(began);
    expect(user / 1000).toBeLessThan(2_000);
    expect(world.service.requests.length).toBeLessThanOrEqual(12);
    await world.engine.stop();
  });
});

describe('long texts', () => {
  test.each([
    ['words', 'words and more words '],
    ['one word', 'x'],
    ['lines', '\n'],
    ['marks', 'Z\u0300\u0301'],
    ['emoji', '👨‍👩‍👧‍👦'],
  ])('10 MB of %s are stored up to the limit, and drawn in time', (_, part) => {
    const text = part.repeat(Math.ceil(10_000_000 / part.length));
    const parsed = parseMessage({ id: 'm1', conversation_id: 'c1', message: text });
    expect(parsed?.isTruncated).toBe(true);
    const state = withThread(parsed === null ? [] : [parsed]);
    expect(cost(() => draw(panes(), state))).toBeLessThan(2 * keyMs);
  });
});

test('a page of 100,000 rows is cut at 10,000, and says how many are missing', () => {
  const data = Array.from({ length: 100_000 }, (_, index) => ({ id: `c${index}` }));
  let page: ReturnType<typeof parsePage<{ id: string }>> = null;
  const ms = cost(() => {
    page = parsePage({ has_more: false, data }, (row) => parseConversation(row));
  });
  expect(page).toMatchObject({ skipped: 90_000 });
  expect(ms).toBeLessThan(2 * keyMs);
});
