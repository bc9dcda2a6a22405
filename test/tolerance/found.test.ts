/** Kinds of servers on which something went wrong once. */
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { nameOf, plain, type Quirks } from '../support/quirk-server/quirks.ts';
import { damage } from './agree.ts';
import { type Cast, seedCast } from './cast.ts';
import { avoidable } from './inherent.ts';
import { type Rig, startRig } from './rig.ts';
import { walk } from './walk.ts';

const found: readonly Quirks[] = [
  // A look that was refused with 429 between the change and its repair; the repair sent the reactions twice.
  {
    ...plain,
    reactions: 'toggle',
    put: 'full-replace',
    order: 'by-id',
    text: 'html',
    ids: 'int',
    idempotencyKey: 'refused',
    rateLimit: 'ratelimit-reset',
    listLag: 60,
    lateApply: 120,
  },
];

test.each(found.map((quirks) => [nameOf(quirks), quirks] as const))('%s', async (_, quirks) => {
  const findings = await walk(quirks);
  expect(avoidable(quirks, findings)).toEqual([]);
  expect(findings.admitted.filter((label) => label.startsWith('edit') || label.startsWith('react'))).toEqual([]);
});

interface Scene {
  readonly rig: Rig;
  readonly cast: Cast;
}

async function scene(quirks: Partial<Quirks>, revealReading = true): Promise<Scene> {
  const casts: Cast[] = [];
  const rig = await startRig(
    { ...plain, ...quirks },
    (server, now) => void casts.push(seedCast(server, now)),
    revealReading,
  );
  const [cast] = casts;
  if (cast === undefined) throw new Error('no cast');
  await rig.until(() => rig.store.getState().view.connection.listComplete, 60_000);
  await rig.open(cast.main.id);
  return { rig, cast };
}

const unreachable = (): ApiError =>
  new ApiError({
    kind: 'network',
    status: 0,
    outcome: 'A',
    message: 'no route',
    requestId: null,
    retryAfterMs: null,
    code: null,
  });

const outbox = ({ rig }: Scene) => rig.store.getState().local.outbox;

/** An edit of a message with a file and others' reactions, of which the server has taken both, and nobody has looked. */
async function dropped(quirks: Partial<Quirks>): Promise<Scene & { readonly losses: () => string[] }> {
  const { rig, cast } = await scene({ put: 'full-replace', ...quirks });
  const losses = damage(rig.server.world, cast);
  let isSent = false;
  rig.fault = (operation) => {
    if (isSent && operation === 'retrieveMessage') throw unreachable();
    isSent ||= operation === 'updateMessage';
  };
  const { id: messageId, text: base } = cast.ownWithFile;
  rig.engine.enqueue({ kind: 'message.edit', conversationId: cast.main.id, messageId, base, text: 'better' });
  await rig.until(() => outbox({ rig, cast })[0]?.owed !== undefined && isSent && losses().length > 0, 60_000);
  return { rig, cast, losses };
}

test.each(['add', 'replace', 'append', 'toggle'] as const)(
  'what a change took is put back by the next process: reactions=%s',
  async (reactions) => {
    const { rig, cast, losses } = await dropped({ reactions });
    try {
      expect(losses()).toHaveLength(3);
      await rig.restart();
      // Long after: what is owed is owed still.
      rig.clock.jump(3_600_000);
      rig.fault = null;
      await rig.until(() => outbox({ rig, cast }).length === 0, 260_000);
      expect(losses()).toEqual([]);
      expect(rig.server.world.messages.get(cast.ownWithFile.id)?.text).toBe('better');
    } finally {
      await rig.close();
    }
  },
);

test('no change ends, and none is taken back, while the server has not let anybody look', async () => {
  const { rig, cast, losses } = await dropped({});
  try {
    rig.fault = (operation) => {
      if (operation !== 'retrieveMessage') return;
      throw new ApiError({ ...unreachable().facts, kind: 'server', status: 500 });
    };
    const [op] = outbox({ rig, cast });
    expect(rig.engine.discard(op?.uuid ?? '')).toBe(false);
    await rig.until(() => false, 900_000);
    expect(outbox({ rig, cast })).toMatchObject([{ state: 'queued' }]);
    rig.fault = null;
    await rig.until(() => outbox({ rig, cast }).length === 0, 260_000);
    expect(losses()).toEqual([]);
  } finally {
    await rig.close();
  }
});

test('what was set elsewhere is kept by a server that resets what is not sent, however old the list is', async () => {
  const { rig, cast } = await scene({ put: 'full-replace', listLag: 60 });
  const { world } = rig.server;
  const { id: conversationId } = cast.main;
  try {
    const now = world.conversations.get(conversationId) ?? cast.main;
    world.putConversation({ ...now, isMuted: true });
    const ended = await rig.act({ kind: 'conversation.pin', conversationId, value: true });
    expect(ended.how).toBe('settled');
    expect(world.conversations.get(conversationId)).toMatchObject({ isPinned: true, isMuted: true });
  } finally {
    await rig.close();
  }
});

test.each(['empty', 'id-only'] as const)(
  'who keeps reading to himself retrieves no conversation: %s',
  async (putReply) => {
    const { rig, cast } = await scene({ put: 'full-replace', putReply, deletion: '200-deleted' }, false);
    const { world } = rig.server;
    const { id: conversationId } = cast.main;
    try {
      for (const kind of ['conversation.pin', 'conversation.mute'] as const)
        expect(await rig.act({ kind, conversationId, value: true })).toMatchObject({ how: 'settled' });
      expect(world.conversations.get(conversationId)).toMatchObject({ isPinned: true, isMuted: true });
      const conversations = new Map(world.conversations);
      for (const row of [cast.other, ...cast.quiet.slice(0, 1)]) conversations.delete(row.id);
      const messages = [...world.messages].filter(([, row]) => row.conversationId !== cast.other.id);
      world.change(new Map(messages), conversations);
      const shown = (): ReadonlyMap<string, unknown> => rig.store.getState().cache.conversations;
      await rig.until(() => shown().size === conversations.size, 700_000);
      expect(shown().size).toBe(conversations.size);
      expect(rig.server.requests.filter((request) => request.startsWith('GET /v1/conversations/'))).toEqual([]);
    } finally {
      await rig.close();
    }
  },
);
