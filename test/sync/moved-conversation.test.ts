/** A server that answers the start of a conversation with an id of its own, and lists it by another one. */
import { describe, expect, test } from 'vitest';
import { otherResourceCode } from '../../src/api/errors.ts';
import { draftOf, updateDraft } from '../../src/state/drafts.ts';
import type { Op } from '../../src/state/state.ts';
import { apiFault, me } from '../support/fake-service.ts';
import { type SyncWorld, syncWorld, type WorldOptions } from '../support/sync-world.ts';
import { twoPrograms } from '../support/two-programs.ts';

interface Kind {
  /** What the server makes of the id that it has answered with. */
  readonly oldId: 'unknown' | 'alias' | 'answers-as-new';
  readonly listedAfterMs?: number;
  /** The answer says nothing but the id. */
  readonly isSparse?: boolean;
  readonly createdLaterMs?: number;
}

const prefix = 'tmp-';
const notFound = apiFault('not-found', 'P', { status: 404 });

/** Starts of conversations are answered with `tmp-new1`; a while later lists show `new1`. */
function answerProvisionally({ service, clock }: Pick<SyncWorld, 'service' | 'clock'>, kind: Kind): void {
  const { client, conversations, paging } = service;
  const { createConversation, retrieveConversation, sendMessage } = client;
  const { fetchNewest } = paging;
  const { oldId, listedAfterMs = 3_000, isSparse = false, createdLaterMs = 0 } = kind;
  const real = (id: string): string => {
    if (!id.startsWith(prefix)) return id;
    if (oldId === 'unknown') throw notFound;
    return id.slice(prefix.length);
  };
  const nothing = { contactId: null, groupId: null, createdAt: null, timeFormat: null };
  Object.assign(client, {
    createConversation: async (...call: Parameters<typeof createConversation>) => {
      const answer = await createConversation(...call);
      const { value } = answer;
      conversations.delete(value.id);
      const createdAt = Math.floor(clock.now() / 1000) * 1000;
      const row = { ...value, createdAt: createdAt + createdLaterMs };
      clock.after(listedAfterMs, () => conversations.set(value.id, row));
      const answered = { ...value, createdAt, id: `${prefix}${value.id}` };
      return { ...answer, value: isSparse ? { ...answered, ...nothing } : answered };
    },
    retrieveConversation: async (...[id, options]: Parameters<typeof retrieveConversation>) => {
      const answer = await retrieveConversation(real(id), options);
      if (oldId === 'alias') return { ...answer, value: { ...answer.value, id } };
      if (id.startsWith(prefix)) throw apiFault('not-api', 'A', { status: 200, code: otherResourceCode });
      return answer;
    },
    sendMessage: async (...[parameters, options]: Parameters<typeof sendMessage>) =>
      sendMessage({ ...parameters, conversationId: real(parameters.conversationId) }, options),
  } satisfies Partial<typeof client>);
  Object.assign(paging, {
    fetchNewest: async (request: Parameters<typeof fetchNewest>[0]) =>
      fetchNewest({ ...request, conversationId: real(request.conversationId) }),
  });
}

async function started(kind: Partial<Kind> = {}, options: WorldOptions = {}): Promise<SyncWorld> {
  const world = syncWorld({ revealReading: true, ...options });
  await world.clock.advance(1_000);
  answerProvisionally(world, { oldId: 'unknown', ...kind });
  world.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
  await world.clock.advance(100);
  world.open('tmp-new1');
  await world.clock.advance(500);
  return world;
}

const shown = (world: SyncWorld) => [...world.store.getState().cache.conversations.keys()];
const openId = (world: SyncWorld) => world.store.getState().view.openId;
const ops = (world: SyncWorld) => world.store.getState().local.outbox;
const write = (world: SyncWorld, text: string, id = 'tmp-new1') =>
  world.store.setState(updateDraft(id, (draft) => ({ ...draft, text, cursor: text.length })));

describe('a conversation that is listed by another id than it was answered with', () => {
  test.each([true, false])('stands there once, open, with its draft; reading shown: %s', async (revealReading) => {
    const world = await started({}, { revealReading });
    if (!revealReading) {
      const { listMessages } = world.service.client;
      Object.assign(world.service.client, {
        listMessages: async (...call: Parameters<typeof listMessages>) => {
          if (call[0].conversationId?.startsWith(prefix)) throw notFound;
          return listMessages(...call);
        },
      });
    }
    write(world, 'half a wo');
    await world.clock.advance(20_000);
    expect(shown(world)).toEqual(['new1']);
    expect(openId(world)).toBe('new1');
    expect(draftOf(world.store.getState(), 'new1').text).toBe('half a wo');
    expect(world.cache.conversations().map(({ id }) => id)).toEqual(['new1']);
    await world.clock.advance(1_000);
    expect([...world.outbox.load().drafts.keys()]).toEqual(['new1']);
    world.service.say('new1', 'hello', me);
    await world.clock.advance(10_000);
    expect(world.texts('new1')).toEqual(['hello']);
  });

  test.each([false, true])(
    'gets what was written to it meanwhile, once, in order; answer sparse: %s',
    async (isSparse) => {
      const world = await started({ isSparse });
      world.send('one', 'tmp-new1');
      world.send('two', 'tmp-new1');
      await world.clock.advance(20_000);
      expect(ops(world)).toEqual([]);
      expect([...world.service.messages.values()].map(({ text }) => text)).toEqual(['one', 'two']);
      expect(world.texts('new1')).toEqual(['one', 'two']);
      expect(world.store.getState().view.notices).toEqual([]);
    },
  );

  test('gets what the server has refused for the old id', async () => {
    const world = await started({ listedAfterMs: 200_000 });
    world.send('patient', 'tmp-new1');
    await world.clock.advance(180_000);
    expect(ops(world)).toMatchObject([{ state: 'failed', action: { conversationId: 'tmp-new1' } }]);
    await world.clock.advance(120_000);
    expect(ops(world)).toEqual([]);
    expect(world.service.copiesOf('patient')).toBe(1);
    expect(shown(world)).toEqual(['new1']);
    expect(world.store.getState().view.notices).toEqual([]);
  });

  test('by a key of its own, where a server takes no other body with one that it has seen', async () => {
    const world = await started({ listedAfterMs: 5_000 });
    const bodies = new Map<string, string>();
    const { sendMessage } = world.service.client;
    Object.assign(world.service.client, {
      sendMessage: async (...call: Parameters<typeof sendMessage>) => {
        const [{ idempotencyKey, conversationId }] = call;
        const seen = bodies.get(idempotencyKey);
        bodies.set(idempotencyKey, seen ?? conversationId);
        if (seen !== undefined && seen !== conversationId) throw apiFault('invalid', 'P', { status: 400 });
        return sendMessage(...call);
      },
    });
    const { fetchNewest } = world.service.paging;
    Object.assign(world.service.paging, {
      fetchNewest: async (...call: Parameters<typeof fetchNewest>) =>
        call[0].conversationId.startsWith(prefix)
          ? { messages: [], connected: true, complete: true, traits: {}, etag: null }
          : fetchNewest(...call),
    });
    world.send('patient', 'tmp-new1');
    await world.clock.advance(1_000);
    expect(ops(world)).toMatchObject([{ state: 'failed', attempts: [{ evidence: '404' }] }]);
    await world.clock.advance(30_000);
    expect(ops(world)).toEqual([]);
    expect([...bodies.values()]).toEqual(['tmp-new1', 'new1']);
    expect(world.service.copiesOf('patient')).toBe(1);
  });

  test('what was refused for another reason goes over and stays refused', async () => {
    const world = await started();
    let posts = 0;
    Object.assign(world.service.client, {
      sendMessage: async () => {
        posts += 1;
        throw apiFault('invalid', 'P', { status: 422 });
      },
    });
    Object.assign(world.service.paging, {
      fetchNewest: async () => ({ messages: [], connected: true, complete: true, traits: {}, etag: null }),
    });
    world.send('too odd', 'tmp-new1');
    await world.clock.advance(20_000);
    expect(ops(world)).toMatchObject([{ state: 'failed', action: { conversationId: 'new1', text: 'too odd' } }]);
    expect(posts).toBe(1);
  });

  test('words under both ids are both kept', async () => {
    const world = await started({ createdLaterMs: 10_000 });
    write(world, 'first');
    await world.clock.advance(10_000);
    expect(shown(world).sort()).toEqual(['new1', 'tmp-new1']);
    write(world, 'second', 'new1');
    await world.clock.advance(40_000);
    expect(shown(world)).toEqual(['new1']);
    expect(draftOf(world.store.getState(), 'new1').text).toBe('second\nfirst');
  });

  test('also where the process ended in between', async () => {
    const world = await started();
    write(world, 'half a wo');
    await world.clock.advance(1_000);
    world.restart();
    await world.clock.advance(300_000);
    expect(shown(world)).toEqual(['new1']);
    expect(draftOf(world.store.getState(), 'new1').text).toBe('half a wo');
  });

  test.each([0, 1, 2, 3, 4])(
    'goes over as a whole or not at all where the process ends at write %i of it',
    async (end) => {
      const world = await started({ listedAfterMs: 60_000 });
      world.send('one', 'tmp-new1');
      await world.clock.advance(50_000);
      world.send('two', 'tmp-new1');
      write(world, 'half a wo');
      await world.clock.advance(1_000);
      const { changeOp, moveClaims, saveDraft } = world.outbox;
      const left: string[][] = [];
      let writes = 0;
      let isDead = false;
      const idOf = ({ action }: Op): string => ('conversationId' in action ? action.conversationId : '');
      const restart = (): void => {
        left.push([...world.outbox.ops().map(idOf), ...world.outbox.load().drafts.keys()]);
        isDead = false;
        world.restart();
      };
      const live = (isPart: boolean): void => {
        if (!isDead && isPart && writes++ === end) {
          isDead = true;
          world.clock.after(0, restart);
        }
        if (isDead) throw new Error('killed');
      };
      Object.assign(world.outbox, {
        changeOp: (uuid, change) =>
          changeOp(uuid, (held) => {
            const next = change(held);
            live(next !== null && idOf(next) !== idOf(held));
            return next;
          }),
        moveClaims: (...call) => {
          live(true);
          moveClaims(...call);
        },
        saveDraft: (...call) => {
          live(writes > 0);
          saveDraft(...call);
        },
      } satisfies Partial<typeof world.outbox>);
      await world.clock.advance(300_000);
      expect(left).toHaveLength(1);
      expect(new Set(left[0]).size).toBe(1);
      expect(
        ops(world)
          .map(idOf)
          .filter((id) => id !== 'new1'),
      ).toEqual([]);
      expect([...world.outbox.load().drafts].map(([id, { text }]) => [id, text])).toEqual([['new1', 'half a wo']]);
    },
  );

  test('with what another program has written there a moment before', async () => {
    const { first, second, service, clock } = await twoPrograms();
    let isEarly = true;
    answerProvisionally({ service, clock }, { oldId: 'unknown' });
    first.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
    await clock.advance(500);
    second.type('tmp-new2', 'early');
    await clock.advance(1_000);
    const { listMessages } = service.client;
    Object.assign(service.client, {
      listMessages: async (...call: Parameters<typeof listMessages>) => {
        if (!call[0].conversationId?.startsWith(prefix)) return listMessages(...call);
        if (isEarly) second.type('tmp-new2', ' and late');
        second.engine.flush();
        second.die();
        isEarly = false;
        throw notFound;
      },
    });
    await clock.advance(60_000);
    expect([...first.outbox.load().drafts].map(([id, { text }]) => [id, text])).toEqual([['new2', 'early and late']]);
  });

  test.each(['unknown', 'alias', 'answers-as-new'] as const)(
    'and what is deleted elsewhere goes, after a restart in between, where the old id is %s',
    async (oldId) => {
      const world = await started({ oldId, listedAfterMs: 60_000 });
      write(world, 'half a wo');
      await world.clock.advance(1_000);
      world.restart();
      await world.clock.advance(300_000);
      world.service.addConversation('later', { contactId: 'eve' });
      await world.clock.advance(60_000);
      expect(shown(world)).toContain('later');
      world.service.conversations.delete('later');
      await world.clock.advance(600_000);
      // The draft stays where it was written, unless it is known for sure where it belongs.
      expect(shown(world)).toEqual(oldId === 'unknown' ? ['new1'] : ['tmp-new1', 'new1']);
    },
  );

  test('at once where the old id is answered with the new one', async () => {
    const world = await started({ oldId: 'answers-as-new' });
    await world.clock.advance(20_000);
    expect(shown(world)).toEqual(['new1']);
    expect(openId(world)).toBe('new1');
  });

  test('where the old id goes on working, once lists cannot lag any more; nothing is sent twice', async () => {
    const world = await started({ oldId: 'alias' });
    await world.clock.advance(10_000);
    world.send('kept', 'tmp-new1');
    await world.clock.advance(5_000);
    let isFirst = true;
    world.service.fault = (operation) => {
      if (operation !== 'sendMessage' || !isFirst) return null;
      isFirst = false;
      return { applies: true, error: apiFault('timeout', 'A') };
    };
    world.send('no answer', 'tmp-new1');
    await world.clock.advance(200_000);
    expect(shown(world)).toEqual(['new1']);
    expect(ops(world)).toEqual([]);
    expect(world.texts('new1')).toEqual(['kept', 'no answer']);
    expect([world.service.copiesOf('kept'), world.service.copiesOf('no answer')]).toEqual([1, 1]);
  });
});

describe('another conversation with the same contact', () => {
  const there = (world: SyncWorld, id: string, createdAt: number) =>
    world.service.addConversation(id, { contactId: 'bob', createdAt });

  test('of another time is not taken for it', async () => {
    const world = await started({ listedAfterMs: 1_000_000 });
    write(world, 'for the new one');
    there(world, 'old', world.clock.now() - 3_600_000);
    await world.clock.advance(300_000);
    expect(draftOf(world.store.getState(), 'old').text).toBe('');
    expect(draftOf(world.store.getState(), 'tmp-new1').text).toBe('for the new one');
  });

  test('of about the same time is not, while the one may only be found late', async () => {
    const world = await started({ listedAfterMs: 20_000 });
    there(world, 'other', world.clock.now() - 20_000);
    write(world, 'for the new one');
    await world.clock.advance(10_000);
    expect(shown(world).sort()).toEqual(['other', 'tmp-new1']);
    await world.clock.advance(300_000);
    // Two that may be it: nobody is asked to guess.
    expect(draftOf(world.store.getState(), 'other').text).toBe('');
    expect(draftOf(world.store.getState(), 'tmp-new1').text).toBe('for the new one');
  });

  test('is not taken for one that was listed before it went', async () => {
    const world = syncWorld({ revealReading: true });
    world.service.addConversation('a', { contactId: 'bob' });
    await world.clock.advance(10_000);
    world.service.addConversation('b', { contactId: 'bob' });
    await world.clock.advance(200_000);
    write(world, 'for a', 'a');
    world.service.conversations.delete('a');
    await world.clock.advance(300_000);
    expect(draftOf(world.store.getState(), 'a').text).toBe('for a');
    expect(draftOf(world.store.getState(), 'b').text).toBe('');
  });
});
