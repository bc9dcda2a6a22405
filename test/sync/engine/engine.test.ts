import { describe, expect, test } from 'vitest';
import { noTokenCode } from '../../../src/api/errors.ts';
import { isEditConflict } from '../../../src/state/local/outbox.ts';
import type { OpAction } from '../../../src/state/model/app-state.ts';
import { addNotice } from '../../../src/state/view/notices.ts';
import { setFocus } from '../../../src/state/view/view.ts';
import { apiFault, contact, me, type ReactionsRule } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

async function ready(options: Parameters<typeof syncWorld>[0] = {}) {
  const world = syncWorld(options);
  world.service.addConversation('c1');
  world.service.say('c1', 'hello', me);
  world.service.say('c1', 'earlier');
  await world.clock.advance(100);
  world.open('c1');
  await world.clock.advance(1_000);
  return world;
}

const connection = (world: SyncWorld) => world.store.getState().view.connection;
const outage = { applies: false, error: apiFault('network', 'not-applied') };

describe('polling', () => {
  test('a message of somebody else arrives by itself, at once in the open thread', async () => {
    const world = await ready();
    world.service.say('c1', 'news');
    await world.clock.advance(2_500);
    expect(world.texts()).toEqual(['hello', 'earlier', 'news']);
  });

  test('own messages of a group no longer count as unread once it is known who the user is', async () => {
    const world = syncWorld();
    world.service.addConversation('g', { contactId: null, groupId: 'crew' });
    world.service.addConversation('g2', { contactId: null, groupId: 'other' });
    world.service.say('g', 'first', contact('ann'));
    world.service.say('g', 'mine', me);
    world.service.say('g', 'after', contact('bob'));
    world.service.say('g2', 'mine too', me);
    await world.clock.advance(20_000);
    const unread = () => world.store.getState().cache.unread;
    expect([unread().get('g'), unread().get('g2')]).toEqual([3, 1]);
    world.service.addConversation('c1');
    world.service.say('c1', 'hello', me);
    world.service.say('c1', 'answer');
    await world.clock.advance(60_000);
    expect(world.store.getState().local.me?.contactId).toBe('me');
    expect([unread().get('g'), unread().get('g2')]).toEqual([1, undefined]);
  });

  test('many conversations are recounted in several turns of the event loop, and keys are handled in between', async () => {
    const world = syncWorld();
    const groups = Array.from({ length: 25 }, (_, index) => `g${index}`);
    for (const id of groups) {
      world.service.addConversation(id, { contactId: null, groupId: `of-${id}` });
      world.service.say(id, 'mine', me);
    }
    await world.clock.advance(120_000);
    const unread = () => world.store.getState().cache.unread.size;
    expect(unread()).toBe(25);
    const left = new Set<number>();
    world.store.subscribe(() => left.add(unread()));
    world.service.addConversation('c1');
    world.service.say('c1', 'hello', me);
    world.service.say('c1', 'answer');
    await world.clock.advance(60_000);
    const counts = [...left].filter((count) => count < 25);
    expect(counts.at(-1)).toBeLessThanOrEqual(1);
    expect(counts.length).toBeGreaterThan(2);
  });

  test('previews, unread counts and contacts of other conversations follow their activity', async () => {
    const world = await ready();
    world.service.addConversation('c2', { contactId: 'bob' });
    world.service.say('c2', 'psst', contact('bob'));
    await world.clock.advance(12_000);
    const { cache } = world.store.getState();
    expect(cache.lastMessages.get('c2')?.text).toBe('psst');
    expect(cache.unread.get('c2')).toBe(1);
    expect(cache.contacts.get('bob')?.username).toBe('bob-name');
  });

  test('a poll without news causes no state change and no write, and few timers', async () => {
    const world = await ready();
    await world.clock.advance(90_000);
    let changes = 0;
    world.store.subscribe(() => changes++);
    const before = {
      wakeUps: world.clock.wakeUps(),
      writes: world.cache.writes.length,
      requests: world.service.requests.length,
    };
    await world.clock.advance(20_000);
    expect(changes).toBeLessThanOrEqual(1);
    expect(world.cache.writes.length).toBe(before.writes);
    expect(world.clock.wakeUps() - before.wakeUps).toBeLessThanOrEqual(4);
    expect(world.service.requests.length - before.requests).toBeLessThanOrEqual(4);
    expect(world.clock.pending()).toBe(1);
  });

  test('a message deleted elsewhere is removed only after the server itself says so', async () => {
    const world = await ready();
    world.service.messages.delete('m2');
    await world.clock.advance(3_000);
    expect(world.texts()).toEqual(['hello']);
    expect(world.service.requests).toContain('retrieveMessage m2');
  });

  test('a message that cannot be retrieved is removed by the page that lacks it, and reading goes on', async () => {
    const world = await ready();
    const { service } = world;
    service.messages.set('..', { ...service.say('c1', 'odd'), id: '..' });
    service.messages.delete('m3');
    await world.clock.advance(3_000);
    expect(world.texts()).toEqual(['hello', 'earlier', 'odd']);
    service.messages.delete('..');
    service.messages.delete('m2');
    await world.clock.advance(3_000);
    expect(world.texts()).toEqual(['hello']);
    expect(connection(world).failures.get('c1')).toBeUndefined();
    expect(service.requests).not.toContain('retrieveMessage ..');
  });

  test('the page of a conversation that is left is not waited for, and is requested again later', async () => {
    const world = await ready();
    const signals: (AbortSignal | undefined)[] = [];
    const { fetchNewest } = world.service.paging;
    Object.assign(world.service.paging, {
      fetchNewest: (request: Parameters<typeof fetchNewest>[0]) => {
        if (request.conversationId === 'c2') signals.push(request.signal);
        return fetchNewest(request);
      },
    });
    world.service.addConversation('c2');
    world.service.say('c2', 'psst');
    const waiting: (() => void)[] = [];
    world.service.hold = (operation, subject) =>
      operation === 'listMessages' && subject === 'c2' ? new Promise((resolve) => waiting.push(resolve)) : null;
    world.open('c2');
    await world.clock.advance(100);
    expect(connection(world).loading.has('c2')).toBe(true);
    world.open('c1');
    expect(signals[0]?.aborted).toBe(true);
    expect(connection(world).loading.has('c2')).toBe(false);
    world.service.hold = () => null;
    for (const go of waiting) go();
    await world.clock.advance(500);
    expect(world.store.getState().cache.lastMessages.get('c2')?.text).toBe('psst');
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    // Back again: no delay as after a failure.
    world.service.say('c2', 'news');
    world.open('c2');
    await world.clock.advance(500);
    expect(world.texts('c2')).toEqual(['psst', 'news']);
    expect(connection(world).failures.size).toBe(0);
    expect(connection(world).status).toBe('online');
  });

  test('an answer older than what a list has shown since is ignored', async () => {
    const world = await ready({ revealReading: true });
    const waiting: (() => void)[] = [];
    world.service.hold = (operation) =>
      operation === 'retrieveConversation' ? new Promise((resolve) => waiting.push(resolve)) : null;
    world.open('c1');
    await world.clock.advance(100);
    world.service.addConversation('c1', { isMuted: true });
    await world.clock.advance(12_000);
    const isMuted = (): boolean | undefined => world.store.getState().cache.conversations.get('c1')?.isMuted;
    expect(isMuted()).toBe(true);
    for (const go of waiting) go();
    await world.clock.advance(100);
    expect(isMuted()).toBe(true);
  });

  test('a gap is filled in the open thread', async () => {
    const world = await ready();
    world.service.pageSize = 5;
    for (let i = 0; i < 18; i++) world.service.say('c1', `n${i}`);
    await world.clock.advance(6_000);
    expect(world.texts()).toEqual(['hello', 'earlier', ...Array.from({ length: 18 }, (_, i) => `n${i}`)]);
    expect(world.store.getState().cache.threads.get('c1')?.gaps).toEqual([]);
  });

  test('a machine that slept makes one refresh', async () => {
    const world = await ready();
    await world.clock.advance(90_000);
    const before = world.service.requests.length;
    world.clock.jump(8 * 3_600_000);
    await world.clock.advance(1_000);
    expect(world.service.requests.length - before).toBeLessThanOrEqual(2);
  });

  test('messages that came while a machine slept whose timers stood still are shown at the first key', async () => {
    const world = await ready();
    world.service.fault = () => outage;
    await world.clock.advance(600_000);
    world.service.fault = () => null;
    world.service.say('c1', 'good morning');
    const before = world.service.requests.length;
    world.clock.sleep(8 * 3_600_000);
    world.store.setState(setFocus('messages'));
    await world.clock.advance(1_000);
    expect(world.texts().at(-1)).toBe('good morning');
    expect(world.service.requests.length - before).toBeLessThanOrEqual(4);
    expect(connection(world).status).toBe('online');
  });
});

describe('trouble', () => {
  test.each([0, 0.5, 1])(
    'a total outage costs at most 12 requests a minute (random %s) and ends by itself',
    async (random) => {
      const world = await ready({ random: () => random });
      const from = world.clock.monotonic();
      world.service.fault = () => outage;
      for (let i = 0; i < 5; i++) world.send(`m${i}`);
      await world.clock.advance(300_000);
      const times = world.service.requestTimes.filter((at) => at >= from);
      for (const at of times)
        expect(times.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(12);
      expect(connection(world).status).toBe('offline');
      expect(connection(world).since).not.toBeNull();
      world.service.fault = () => null;
      await world.clock.advance(130_000);
      expect(connection(world).status).toBe('online');
      expect(world.store.getState().local.outbox).toEqual([]);
      expect(world.service.copiesOf('m4')).toBe(1);
    },
  );

  test.each(['the open conversation', 'the list'] as const)(
    'a poll by the user does not wait for a request for %s that hangs since before the network came back',
    async (probe) => {
      const world = await ready();
      const isProbe = (operation: string) => (operation === 'listMessages') === (probe === 'the open conversation');
      world.service.fault = () => outage;
      await world.clock.advance(30_000);
      expect(connection(world).status).toBe('offline');
      world.service.fault = (operation) => (isProbe(operation) ? { applies: false, error: 'hang' } : outage);
      // Every request of the other kind fails at once, so that at last one of this kind hangs.
      await world.clock.advance(300_000);
      const before = world.service.requests.length;
      await world.clock.advance(60_000);
      expect(world.service.requests.length).toBe(before);
      world.service.fault = () => null;
      world.service.say('c1', 'news');
      await world.clock.advance(60_000);
      expect(connection(world).status).toBe('offline');
      world.engine.pollNow();
      await world.clock.advance(100);
      expect(connection(world).status).toBe('online');
      await world.clock.advance(1_000);
      expect(world.texts()).toEqual(['hello', 'earlier', 'news']);
    },
  );

  test('a poll by the user leaves a request alone that may still be answered', async () => {
    const world = await ready();
    world.service.fault = () => outage;
    await world.clock.advance(30_000);
    const tries = () => world.service.requests.length;
    const before = tries();
    world.service.fault = () => ({ applies: false, error: 'hang' });
    world.engine.pollNow();
    await world.clock.advance(1_000);
    expect(tries()).toBe(before + 1);
    for (let press = 0; press < 3; press++) {
      world.engine.pollNow();
      await world.clock.advance(1_000);
    }
    expect(tries()).toBe(before + 1);
    await world.clock.advance(1_000);
    world.engine.pollNow();
    await world.clock.advance(100);
    expect(tries()).toBe(before + 2);
  });

  test('a poll by the user leaves a message alone that is on its way', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: false, error: 'hang' } : null);
    world.send('hi');
    await world.clock.advance(10_000);
    world.service.fault = () => outage;
    await world.clock.advance(60_000);
    expect(connection(world).status).toBe('offline');
    world.service.fault = () => ({ applies: false, error: 'hang' });
    await world.clock.advance(120_000);
    world.engine.pollNow();
    await world.clock.advance(1_000);
    expect(world.store.getState().local.outbox.map((op) => op.state)).toEqual(['sending']);
  });

  test('a refused token stops all requests and loses nothing; a new one continues', async () => {
    const world = await ready();
    world.service.fault = () => ({ applies: false, error: apiFault('unauthorized', 'not-applied', { status: 401 }) });
    world.send('hi');
    await world.clock.advance(10_000);
    expect(connection(world).status).toBe('unauthorized');
    const before = world.service.requests.length;
    await world.clock.advance(600_000);
    expect(world.service.requests.length).toBe(before);
    expect(world.texts()).toEqual(['hello', 'earlier']);
    expect(world.store.getState().local.outbox.map((op) => op.state)).toEqual(['queued']);
    world.service.fault = () => null;
    world.engine.replaceClient(world.service.client);
    await world.clock.advance(10_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(connection(world).status).toBe('online');
  });

  test('a refused token stays on the screen when an answer to an earlier request comes after it', async () => {
    const world = await ready();
    let answer = (): void => undefined;
    world.service.hold = (operation) =>
      operation === 'listConversations' ? new Promise((resolve) => (answer = resolve)) : null;
    world.engine.pollNow();
    await world.clock.advance(10);
    world.service.fault = () => ({ applies: false, error: apiFault('unauthorized', 'not-applied', { status: 401 }) });
    world.send('hi');
    await world.clock.advance(5_000);
    expect(connection(world).status).toBe('unauthorized');
    answer();
    await world.clock.advance(60_000);
    expect(connection(world).status).toBe('unauthorized');
  });

  test('a token that cannot be read is not a refused token: the whole reason is shown, and a poll by the user tries again', async () => {
    const world = await ready();
    const missing = apiFault('unauthorized', 'not-applied', { code: noTokenCode });
    world.service.fault = () => ({ applies: false, error: missing });
    world.send('hi');
    await world.clock.advance(10_000);
    expect(connection(world)).toMatchObject({ status: 'no-token', reason: 'unauthorized' });
    expect(world.store.getState().screen.notices.map(({ text }) => text)).toEqual(['unauthorized']);
    world.service.fault = () => null;
    world.engine.pollNow();
    await world.clock.advance(10_000);
    expect(connection(world).status).toBe('online');
    expect(world.service.copiesOf('hi')).toBe(1);
  });

  test('a refused token is tried again when the user asks, by one poll and by no write', async () => {
    const world = await ready();
    world.service.fault = () => ({ applies: false, error: apiFault('unauthorized', 'not-applied', { status: 401 }) });
    world.send('hi');
    await world.clock.advance(10_000);
    world.service.requests.length = 0;
    world.engine.pollNow();
    await world.clock.advance(600_000);
    expect(world.service.requests).toHaveLength(1);
    expect(world.service.postsOf('hi')).toBe(0);
    expect(connection(world).status).toBe('unauthorized');
    world.service.fault = () => null;
    world.engine.pollNow();
    await world.clock.advance(10_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(connection(world).status).toBe('online');
  });

  test('429 pauses every call until the time is over', async () => {
    const world = await ready();
    let isFirst = true;
    world.service.fault = () => {
      if (!isFirst) return null;
      isFirst = false;
      return { applies: false, error: apiFault('rate-limited', 'not-applied', { status: 429, retryAfterMs: 40_000 }) };
    };
    world.send('hi');
    await world.clock.advance(100);
    expect(connection(world).status).toBe('rate-limited');
    const before = world.service.requests.length;
    await world.clock.advance(38_000);
    expect(world.service.requests.length).toBe(before);
    await world.clock.advance(10_000);
    expect(world.service.copiesOf('hi')).toBe(1);
    expect(connection(world).status).toBe('online');
  });
});

describe('writes and polls', () => {
  test('a mark as read leaves once, whatever poll overlaps the write', async () => {
    for (const order of ['before', 'after']) {
      const world = await ready();
      const shown: boolean[] = [];
      world.store.subscribe((state) => {
        const pending = state.local.outbox.length > 0;
        const isMuted = pending || state.cache.conversations.get('c1')?.isMuted === true;
        if (shown.at(-1) !== isMuted) shown.push(isMuted);
      });
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      world.service.hold = (operation) =>
        operation === (order === 'before' ? 'listConversations' : 'updateConversation') ? held : null;
      if (order === 'before') world.engine.pollNow();
      world.engine.enqueue({ kind: 'conversation.mute', conversationId: 'c1', value: true });
      if (order === 'after') world.engine.pollNow();
      await world.clock.advance(3_000);
      release();
      await world.clock.advance(20_000);
      expect(shown.slice(shown.indexOf(true))).toEqual([true]);
    }
  });

  test('a long write does not make polls follow each other without a pause', async () => {
    const world = await ready();
    world.service.fault = (operation) => (operation === 'sendMessage' ? { applies: true, error: 'hang' } : null);
    world.send('hi');
    const before = world.service.requests.length;
    await world.clock.advance(10_000);
    expect(world.service.requests.length - before).toBeLessThan(12);
  });

  test('a pin and an unpin before anything leaves send nothing', async () => {
    const world = await ready();
    world.service.fault = () => outage;
    await world.clock.advance(10_000);
    world.engine.enqueue({ kind: 'conversation.pin', conversationId: 'c1', value: true });
    world.engine.enqueue({ kind: 'conversation.pin', conversationId: 'c1', value: false });
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.outbox.ops()).toEqual([]);
  });

  test.each([[['']], [['null']], [['0']]])(
    'takes a conversation out of the archive if %j clears',
    async (clearsWith) => {
      const world = await ready();
      world.service.clearsWith = clearsWith;
      // Nothing is there to be cleared, so that the first value seems to do it.
      world.engine.enqueue({ kind: 'conversation.archive', conversationId: 'c1', at: null });
      await world.clock.advance(1_000);
      world.engine.enqueue({ kind: 'conversation.archive', conversationId: 'c1', at: world.clock.now() });
      await world.clock.advance(1_000);
      expect(world.service.conversations.get('c1')?.archivedAt).not.toBeNull();
      world.engine.enqueue({ kind: 'conversation.archive', conversationId: 'c1', at: null });
      await world.clock.advance(1_000);
      expect(world.store.getState().cache.conversations.get('c1')?.archivedAt).toBeNull();
      expect(world.store.getState().local.capabilities.clearArchivedAt?.value).toBe(clearsWith[0]);
    },
  );

  test('an edit of a message that has changed meanwhile is a conflict; a retry replaces the text', async () => {
    const world = await ready();
    const message = world.service.messages.get('m1');
    if (message !== undefined) world.service.messages.set('m1', { ...message, text: 'theirs' });
    world.engine.enqueue({ kind: 'message.edit', conversationId: 'c1', messageId: 'm1', base: 'hello', text: 'mine' });
    await world.clock.advance(5_000);
    expect(world.service.messages.get('m1')?.text).toBe('theirs');
    expect(world.store.getState().local.outbox.map((op) => [op.state, isEditConflict(op)])).toEqual([['failed', true]]);
    world.engine.retry('u1');
    await world.clock.advance(5_000);
    expect(world.service.messages.get('m1')?.text).toBe('mine');
    expect(world.texts()).toContain('mine');
  });

  test('a rejected write is removed with a notice, and the value of the server is shown again', async () => {
    const world = await ready();
    world.service.fault = (operation) =>
      operation === 'deleteMessage'
        ? { applies: false, error: apiFault('forbidden', 'not-applied', { status: 403 }) }
        : null;
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm2' });
    await world.clock.advance(1_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.store.getState().screen.notices.map((notice) => notice.tone)).toEqual(['error']);
    expect(world.texts()).toContain('earlier');
  });

  test('a deletion repeated after a lost answer succeeds', async () => {
    const world = await ready();
    let isFirst = true;
    world.service.fault = (operation) => {
      if (operation !== 'deleteMessage' || !isFirst) return null;
      isFirst = false;
      return { applies: true, error: apiFault('server', 'ambiguous', { status: 502 }) };
    };
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: 'm1' });
    await world.clock.advance(5_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.texts()).toEqual(['earlier']);
  });

  test('the notice about a conversation that the server rejects goes when a later one is created', async () => {
    const world = await ready();
    world.service.fault = (operation) =>
      operation === 'createConversation'
        ? { applies: false, error: apiFault('not-found', 'rejected', { status: 404 }) }
        : null;
    const waiting = { tone: 'info', text: 'Starting the conversation', at: 0, until: null, about: 'create' } as const;
    world.store.setState(addNotice(waiting));
    world.engine.enqueue({ kind: 'conversation.create', contactId: 'nobody', groupId: null });
    await world.clock.advance(1_000);
    expect(world.store.getState().local.outbox).toEqual([]);
    expect(world.store.getState().screen.notices.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^The conversation could not be started: /),
    ]);
    world.service.fault = () => null;
    world.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
    await world.clock.advance(1_000);
    expect(world.store.getState().screen.notices).toEqual([]);
  });

  test('an existing conversation is used instead of a second one', async () => {
    const world = await ready();
    world.engine.enqueue({ kind: 'conversation.create', contactId: 'ann', groupId: null });
    world.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
    await world.clock.advance(1_000);
    expect(world.service.requests.filter((request) => request.startsWith('createConversation'))).toHaveLength(1);
    expect([...world.store.getState().cache.conversations.values()].map((one) => one.contactId)).toEqual([
      'ann',
      'bob',
    ]);
  });
});

describe('reactions', () => {
  const rules: readonly ReactionsRule[] = ['replace', 'add', 'append', 'toggle', 'own-only'];
  const reaction = (name: string, present: boolean, confirmed = false): OpAction => ({
    kind: 'message.react',
    conversationId: 'c1',
    messageId: 'm2',
    name,
    present,
    confirmed,
  });
  const shown = (world: SyncWorld) =>
    Object.fromEntries((world.service.messages.get('m2')?.reactions ?? []).map((one) => [one.name, one.by]));

  async function withRule(rule: ReactionsRule) {
    const world = await ready();
    world.service.rule = rule;
    return world;
  }

  test('to a message that is kept only in part are not sent to a server that may drop the rest', async () => {
    const world = await withRule('add');
    const held = world.service.messages.get('m2');
    if (held !== undefined) world.service.messages.set('m2', { ...held, isTruncated: true });
    world.engine.enqueue(reaction('heart', true));
    await world.clock.advance(1_000);
    expect(world.service.requests).not.toContain('updateMessage m2');
    expect(world.store.getState().screen.notices.at(-1)?.text).toContain('too long to be put back');
    // One that is whole teaches that this server leaves the rest alone.
    world.engine.enqueue({ ...reaction('heart', true), messageId: 'm1' } as OpAction);
    await world.clock.advance(1_000);
    world.engine.enqueue(reaction('heart', true));
    await world.clock.advance(1_000);
    expect(shown(world)).toEqual({ heart: ['me-name'] });
  });

  test.each(rules)('of the user on a message without others are both kept under %s', async (rule) => {
    const world = await withRule(rule);
    world.engine.enqueue(reaction('heart', true, true));
    await world.clock.advance(1_000);
    world.engine.enqueue(reaction('tada', true));
    await world.clock.advance(1_000);
    expect(shown(world)).toEqual({ heart: ['me-name'], tada: ['me-name'] });
    expect(world.store.getState().local.capabilities.reactionRule?.value).toBe(rule === 'replace' ? 'replace' : 'add');
  });

  test.each(rules)('are sent beside others after a question, and the others are kept under %s', async (rule) => {
    const world = await withRule(rule);
    const message = world.service.messages.get('m2');
    if (message !== undefined)
      world.service.messages.set('m2', { ...message, reactions: [{ name: 'heart', by: ['ann-name'] }] });
    world.engine.enqueue(reaction('tada', true));
    await world.clock.advance(1_000);
    expect(shown(world)).toEqual({ heart: ['ann-name'] });
    world.engine.enqueue(reaction('tada', true, true));
    await world.clock.advance(2_000);
    expect(shown(world).heart).toContain('ann-name');
    expect(shown(world).tada).toContain('me-name');
  });

  test.each(rules.filter((rule) => rule !== 'append' && rule !== 'add'))(
    'of the user can be taken back under %s',
    async (rule) => {
      const world = await withRule(rule);
      world.engine.enqueue(reaction('heart', true));
      await world.clock.advance(1_000);
      world.engine.enqueue(reaction('heart', false));
      await world.clock.advance(2_000);
      expect(shown(world)).toEqual({});
    },
  );
});
