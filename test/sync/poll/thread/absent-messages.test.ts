/** One message or conversation that a server hides from the user, as after leaving a group: all others are read as before. */
import { describe, expect, test } from 'vitest';
import { insert } from '../../../../src/state/composer/draft-edit.ts';
import { draftOf, updateDraft } from '../../../../src/state/composer/drafts.ts';
import { addNotice } from '../../../../src/state/view/notices.ts';
import { selectMessage } from '../../../../src/state/view/thread-place.ts';
import { setFocus } from '../../../../src/state/view/view.ts';
import { aboutLoss } from '../../../../src/sync/services/notices.ts';
import { apiFault } from '../../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../../support/worlds/sync-world.ts';

const answers = [
  apiFault('forbidden', 'not-applied', { status: 403 }),
  apiFault('invalid', 'rejected', { status: 451 }),
  apiFault('server', 'ambiguous', { status: 500 }),
];

async function opened(): Promise<SyncWorld> {
  const world = syncWorld({ revealReading: true });
  const { paging } = world.service;
  const { fetchNewest } = paging;
  // A server without validators: every page is a whole answer.
  Object.assign(paging, {
    fetchNewest: async ({ ifNoneMatch: _, ...request }: Parameters<typeof fetchNewest>[0]) => ({
      ...(await fetchNewest(request)),
      etag: null,
    }),
  });
  world.service.addConversation('c1');
  for (const id of ['c2', 'c3']) world.service.addConversation(id, { contactId: `with ${id}` });
  for (const text of ['one', 'two', 'three']) {
    world.service.say('c1', text);
    await world.clock.advance(2_000);
  }
  world.open('c1');
  await world.clock.advance(2_000);
  return world;
}

const connection = (world: SyncWorld) => world.store.getState().view.connection;

describe.each(answers)('$message', (error) => {
  test('as the answer for a message that a page lacks does not fail the page', async () => {
    const world = await opened();
    world.service.messages.delete('m2');
    world.service.fault = (operation) => (operation === 'retrieveMessage' ? { applies: false, error } : null);
    await world.clock.advance(90_000);
    expect(connection(world).failures.get('c1')).toBeUndefined();
    expect(world.texts()).toEqual(['one', 'two', 'three']);
    world.service.say('c1', 'four');
    await world.clock.advance(16_000);
    expect(world.texts()).toEqual(['one', 'two', 'three', 'four']);
    const looks = world.service.requests.filter((request) => request === 'retrieveMessage m2');
    expect(looks.length).toBeLessThan(4);
  });

  test('a conversation whose id no address can carry is removed once the list lacks it', async () => {
    const world = await opened();
    world.service.addConversation('..');
    await world.clock.advance(60_000);
    expect(world.store.getState().cache.conversations.has('..')).toBe(true);
    world.service.conversations.delete('..');
    await world.clock.advance(400_000);
    expect(world.store.getState().cache.conversations.has('..')).toBe(false);
    expect(connection(world)).toMatchObject({ status: 'online', reason: null });
  });

  test('as the answer for a conversation that the list lacks does not fail the list', async () => {
    const world = await opened();
    for (const id of ['c2', 'c3']) world.service.conversations.delete(id);
    world.service.fault = (operation, subject) =>
      operation === 'retrieveConversation' && subject === 'c2' ? { applies: false, error } : null;
    await world.clock.advance(400_000);
    expect(connection(world)).toMatchObject({ status: 'online', reason: null });
    expect([...world.store.getState().cache.conversations.keys()]).toEqual(['c1', 'c2']);
    expect(world.service.requests.filter((one) => one === 'retrieveConversation c2').length).toBeLessThan(6);
  });
});

test.each(['messages', 'composer'] as const)(
  'a selected message that somebody deletes is no longer selected, and no other one gets its keys (focus: %s)',
  async (focus) => {
    const world = await opened();
    world.store.setState((state) => setFocus(focus)(selectMessage('c1', 'm2')(state)));
    const seen = new Set<string>();
    world.store.subscribe(({ screen }) => screen.notices.forEach(({ text }) => void seen.add(text)));
    world.service.messages.delete('m2');
    await world.clock.advance(90_000);
    expect(world.texts()).toEqual(['one', 'three']);
    const { view, screen } = world.store.getState();
    expect([view.places.get('c1')?.selectedId, screen.focus]).toEqual([null, 'composer']);
    expect([...seen].some((text) => text.includes('has been deleted'))).toBe(focus === 'messages');
    // An Enter that was meant for the message asks before it sends what is in the composer.
    expect(typeof view.changedByItselfAt).toBe(focus === 'messages' ? 'number' : 'undefined');
  },
);

test('the notice that a message has lost something goes with the message', async () => {
  const world = await opened();
  const lasting = { tone: 'error', text: 'The message has lost 1 file.', at: 0, until: null } as const;
  for (const id of ['m1', 'm2']) world.store.setState(addNotice({ ...lasting, about: aboutLoss(id) }));
  world.service.messages.delete('m2');
  await world.clock.advance(90_000);
  expect(world.store.getState().screen.notices.map(({ about }) => about)).toEqual([aboutLoss('m1')]);
});

test('the failure of a conversation that is gone is shown in words, and an unsent text in it stays', async () => {
  const world = await opened();
  await world.clock.advance(600_000);
  world.store.setState(updateDraft('c1', (draft) => insert(draft, 'mine')));
  world.service.conversations.delete('c1');
  world.service.messages.clear();
  world.service.fault = (operation) =>
    operation === 'listMessages' ? { applies: false, error: apiFault('not-found', 'rejected', { status: 404 }) } : null;
  await world.clock.advance(90_000);
  expect(connection(world).failures.get('c1')).toMatch(/^the server finds nothing here/);
  expect(draftOf(world.store.getState(), 'c1').text).toBe('mine');
  expect(world.store.getState().view.openId).toBe('c1');
});

test('a conversation that is the only one that cannot be read has the age of its last reading, although the server answers for the list', async () => {
  const world = await opened();
  await world.clock.advance(60_000);
  const failsAt = world.clock.now();
  world.service.fault = (operation) =>
    operation === 'listMessages'
      ? { applies: false, error: apiFault('forbidden', 'not-applied', { status: 403 }) }
      : null;
  await world.clock.advance(600_000);
  const { asOf, lastReads } = connection(world);
  expect(asOf).toBeGreaterThan(failsAt + 500_000);
  expect(lastReads?.get('c1')).toBeGreaterThan(failsAt - 60_000);
  expect(lastReads?.get('c1')).toBeLessThanOrEqual(failsAt);
  world.service.fault = () => null;
  await world.clock.advance(120_000);
  expect(connection(world).lastReads?.get('c1')).toBeUndefined();
});

test.each([true, false])(
  'an own message that was just sent leaves a second chat once the deletion by another process is in the cache (%s)',
  async (isDeletedHere) => {
    const world = await opened();
    world.send('mine');
    await world.clock.advance(20_000);
    expect(world.texts()).toContain('mine');
    const id = [...world.service.messages.values()].find(({ text }) => text === 'mine')?.id ?? '';
    world.service.messages.delete(id);
    if (isDeletedHere) world.cache.removeMessages('c1', [id]);
    await world.clock.advance(20_000);
    expect(world.texts().includes('mine')).toBe(!isDeletedHere);
  },
);
