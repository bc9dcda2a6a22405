/** A list of very many conversations: read in parts that leave room for everything else, and rarely again. */
import { beforeEach, expect, test } from 'vitest';
import type { Conversation } from '../../../../src/protocol/types.ts';
import { updateDraft } from '../../../../src/state/composer/drafts.ts';
import type { Paging } from '../../../../src/sync/services/services.ts';
import * as eg from '../../../support/builders/eg.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const pageOf = (number: number): readonly Conversation[] =>
  Array.from({ length: 100 }, (_, index) => eg.conversation({ id: `long ${number} ${index}`, lastActiveAt: 1 }));

interface Plan {
  /** Pages of the list. */
  readonly pages: number;
  /** Pages until a walk stops. */
  readonly cap: number;
  /** Rows that a page stands for, though fewer are on it. */
  readonly rowsEach: number;
  /** The page at which a walk fails, once. */
  failsAt: number | null;
  /** Whether no walk can go on where another one stopped. */
  readonly refusesPlaces?: boolean;
  readonly walks: number[];
  /** Whether rows may have moved between its pages, as where pages are numbered. */
  readonly isNumbered?: boolean;
  /** A conversation that is on no page any more. */
  gone: string | null;
}

const none = { ids: new Set<string>(), complete: true, isEnd: true, isGapless: true, resumeAt: null };

/** The walks of `plan`; each is noted with the page that it began at. */
function walker(plan: Plan): Paging['walkConversations'] {
  return async function* ({ from, capabilities, filter }) {
    if (filter?.archived === true) return { ...none, pages: 1, capabilities };
    const start = from?.number ?? 1;
    plan.walks.push(start);
    if (start > 1 && plan.refusesPlaces === true) throw apiFault('invalid', 'rejected', { status: 400 });
    const ids = new Set<string>();
    const end = Math.min(plan.pages, start + plan.cap - 1);
    for (let number = start; number <= end; number += 1) {
      if (plan.failsAt === number) {
        plan.failsAt = null;
        throw apiFault('network', 'ambiguous');
      }
      const first = number === 1 ? [eg.conversation({ id: 'c1', lastActiveAt: eg.now })] : [];
      const page = [...first, ...pageOf(number)].filter(({ id }) => id !== plan.gone);
      for (const { id } of page) ids.add(id);
      const position = { cursor: undefined, limit: 100, rowsBefore: (number - 1) * plan.rowsEach, number };
      yield { rows: page, position };
    }
    const isEnd = end === plan.pages;
    const rest = isEnd ? null : { cursor: undefined, limit: 100, rowsBefore: end * plan.rowsEach, number: end };
    const isGapless = plan.isNumbered !== true;
    const complete = isEnd && from === undefined && isGapless;
    return { ids, complete, isEnd, isGapless, resumeAt: rest, pages: end - start + 1, capabilities };
  };
}

let world: SyncWorld;

beforeEach(() => {
  world = syncWorld();
});

async function begin(options: Partial<Plan>): Promise<Plan> {
  const plan: Plan = { pages: 300, cap: 1000, rowsEach: 100, failsAt: null, walks: [], gone: null, ...options };
  Object.assign(world.service.paging, { walkConversations: walker(plan) });
  const { listConversations } = world.service.client;
  Object.assign(world.service.client, {
    listConversations: async (...call: Parameters<typeof listConversations>) => {
      const answer = await listConversations(...call);
      return 'value' in answer ? { ...answer, value: { ...answer.value, hasMore: true } } : answer;
    },
  });
  world.service.addConversation('c1', { lastActiveAt: eg.now });
  world.service.requests.length = 0;
  world.restart();
  return plan;
}

const known = (): number => world.store.getState().cache.conversations.size;
const rest = () => world.store.getState().view.connection.listRest;
const looks = (): number => world.service.requests.filter((request) => request.startsWith('listConversations')).length;

test('a long list is shown as it comes in, and its newest page is polled meanwhile', async () => {
  await begin({});
  await world.clock.advance(9_000);
  expect(known()).toBeGreaterThan(5_000);
  expect(known()).toBeLessThan(25_000);
  expect(rest()).toBe('coming');
  expect(looks()).toBeGreaterThanOrEqual(1);
  expect(world.store.getState().cache.conversations.has('c1')).toBe(true);
  expect(world.store.getState().view.connection.status).toBe('online');
  await world.clock.advance(20_000);
  expect(known()).toBeGreaterThanOrEqual(30_000);
  expect(rest()).toBe('none');
});

test('a long list is read slowly while the user types, and fast again afterwards', async () => {
  await begin({});
  await world.clock.advance(1_000);
  const before = known();
  for (let i = 0; i < 20; i++) {
    world.store.setState(updateDraft('c1', () => eg.draft('x'.repeat(i + 1))));
    await world.clock.advance(500);
  }
  // Twenty pages and those that were under way.
  expect(known() - before).toBeLessThanOrEqual(2_600);
  expect(known() - before).toBeGreaterThanOrEqual(1_000);
  await world.clock.advance(22_000);
  expect(known()).toBeGreaterThanOrEqual(30_000);
});

test('a long list is not read again as a whole for a long time', async () => {
  const { walks } = await begin({});
  await world.clock.advance(30_000);
  await world.clock.advance(14 * 60_000);
  expect(walks).toEqual([1]);
  await world.clock.advance(2 * 60_000);
  expect(walks).toEqual([1, 1]);
});

test('a list that cannot be read on after a stopped walk is not read from the start again and again', async () => {
  const { walks } = await begin({ cap: 100, refusesPlaces: true });
  await world.clock.advance(600_000);
  // A sweep, and what news the newest page has shown.
  expect(walks.length).toBeLessThanOrEqual(4);
});

test.each([2, 60])(
  'conversations on none of the %i numbered pages of a list are retrieved and removed',
  async (pages) => {
    world = syncWorld({ revealReading: true });
    const plan = await begin({ pages, isNumbered: true });
    await world.clock.advance(120_000);
    expect(known()).toBe(100 * pages + 1);
    plan.gone = 'long 2 7';
    await world.clock.advance(1_200_000);
    expect(world.store.getState().cache.conversations.has('long 2 7')).toBe(false);
    expect(known()).toBe(100 * pages);
  },
);

test('a reading that was stopped or failed continues where it was and removes no conversation', async () => {
  world.cache.saveConversations([eg.conversation({ id: 'kept', lastActiveAt: 2 })]);
  const { walks } = await begin({ cap: 200, failsAt: 120 });
  await world.clock.advance(60_000);
  expect(walks[0]).toBe(1);
  expect(walks[1]).toBe(119);
  expect(walks).toHaveLength(2);
  expect(known()).toBe(30_000 + 2);
  expect(rest()).toBe('none');
  expect(world.store.getState().cache.conversations.has('kept')).toBe(true);
});

test('a list that cannot be read to its end is reported as incomplete', async () => {
  await begin({ pages: 1_000_000, cap: 40, rowsEach: 10_100 });
  await world.clock.advance(30_000);
  expect(rest()).toBe('missing');
});
