/** Kinds of servers on which something went wrong once. */
import { expect, test } from 'vitest';
import { ApiError } from '../../src/api/errors.ts';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, plain, type Quirks } from '../support/quirk-server/quirks.ts';
import { damage } from './agree.ts';
import type { Cast } from './cast.ts';
import { avoidable } from './inherent.ts';
import { type Scene, scene } from './scene.ts';
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
  // The list is cut off at 100 of the oldest rows; once a poll had forgotten that, what was shown counted as all there is.
  { ...plain, order: 'old-first', paging: 'before', hasMore: 'missing' },
  // Ids that rise with time for long stretches: a few rows made the list count as oldest first, and most news was missed.
  { ...plain, order: 'by-id', ids: 'odd', postReply: 'id-only' },
  { ...plain, order: 'by-id', ids: 'odd', paging: 'offset', listLag: 2 },
  // The end of a walk is a page of nothing at all, which counted as no list, so that nothing ever left.
  { ...plain, order: 'by-id', hasMore: 'missing', emptyList: 'left-out' },
  { ...plain, order: 'by-id', hasMore: 'missing', emptyList: 'left-out', listShape: 'wrapped' },
];

test.each(campaignPart(found, 5).map((quirks) => [nameOf(quirks), quirks] as const))('%s', async (_, quirks) => {
  const findings = await walk(quirks);
  expect(avoidable(quirks, findings)).toEqual([]);
  expect(findings.admitted.filter((label) => label.startsWith('edit') || label.startsWith('react'))).toEqual([]);
});

const unreachable = (): ApiError =>
  new ApiError({
    kind: 'network',
    status: 0,
    outcome: 'ambiguous',
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
  await rig.act({ kind: 'message.edit', conversationId: cast.main.id, messageId, base, text: 'better' });
  rig.engine.retry(outbox({ rig, cast })[0]?.uuid ?? '');
  await rig.until(() => outbox({ rig, cast })[0]?.pendingRepair !== undefined && isSent && losses().length > 0, 60_000);
  return { rig, cast, losses };
}

test.each(['add', 'replace', 'append', 'toggle'] as const)(
  'what a change removed is restored by the next process: reactions=%s',
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

test('no change is settled or taken back while every check fails', async () => {
  const { rig, cast, losses } = await dropped({});
  try {
    rig.fault = (operation) => {
      if (operation !== 'retrieveMessage') return;
      throw new ApiError({ ...unreachable().facts, kind: 'server', status: 500 });
    };
    const [op] = outbox({ rig, cast });
    expect(rig.engine.discard(op?.uuid ?? '')).toBe(false);
    await rig.until(() => false, 300_000);
    expect(outbox({ rig, cast })).toMatchObject([{ state: 'queued' }]);
    rig.fault = null;
    await rig.until(() => outbox({ rig, cast }).length === 0, 260_000);
    expect(losses()).toEqual([]);
  } finally {
    await rig.close();
  }
});

const resetsOthers =
  'This server resets the other settings of a conversation when one is changed. They are sent together from now on.';

test('a server that resets the other settings is recognised at the first change, and all are sent from then on', async () => {
  const { rig, cast } = await scene({ put: 'full-replace' });
  const { id: conversationId } = cast.main;
  const now = () => rig.server.world.conversations.get(conversationId);
  const muted = { kind: 'conversation.mute', conversationId, value: true } as const;
  try {
    rig.server.world.putConversation({ ...(now() ?? cast.main), isPinned: true });
    let puts = 0;
    rig.fault = (operation) => {
      if (operation === 'updateConversation') puts += 1;
    };
    await rig.act(muted);
    expect(now()).toMatchObject({ isPinned: true, isMuted: true });
    expect(puts).toBe(2);
    await rig.act({ ...muted, value: false });
    expect(now()).toMatchObject({ isPinned: true, isMuted: false });
    expect(puts).toBe(3);
    expect(rig.notices.filter((text) => text === resetsOthers)).toEqual([resetsOthers]);
  } finally {
    await rig.close();
  }
});

test('a reset setting is reported also if it could not be restored at once', async () => {
  const { rig, cast } = await scene({ put: 'full-replace' });
  const { id: conversationId } = cast.main;
  try {
    const now = rig.server.world.conversations.get(conversationId) ?? cast.main;
    rig.server.world.putConversation({ ...now, isPinned: true });
    let puts = 0;
    rig.fault = (operation) => {
      if (operation === 'updateConversation' && ++puts === 2) throw unreachable();
    };
    await rig.act({ kind: 'conversation.mute', conversationId, value: true });
    await rig.until(() => outbox({ rig, cast }).length === 0, 400_000);
    expect(rig.notices).toContain(resetsOthers);
    expect(rig.server.world.conversations.get(conversationId)).toMatchObject({ isMuted: true });
  } finally {
    await rig.close();
  }
});

test('settings made elsewhere are kept by a server that resets what is not sent, however old the list is', async () => {
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
  'with reading not revealed no conversation is retrieved: %s',
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

test.each([true, false])(
  'an empty conversation stays in the list if empty lists are a 404; reading shown: %s',
  async (isShown) => {
    const { rig, cast } = await scene({ emptyList: '404' }, isShown);
    const [{ id: emptied } = cast.main, { id: lost } = cast.main] = cast.quiet;
    const { requests, world } = rig.server;
    const retrieved = (): number => requests.filter((one) => one.startsWith('GET /v1/conversations/')).length;
    try {
      await rig.open(emptied);
      await rig.until(() => false, 5_000);
      const before = retrieved();
      await rig.until(() => false, 60_000);
      // What the server answers is shown, and nothing is taken for gone or for empty.
      expect(rig.store.getState().view.connection.failures.get(emptied)).toMatch(/404/);
      expect(rig.store.getState().cache.threads.get(emptied)?.older).not.toBe('end');
      // Polls use lists only; opening alone retrieves.
      expect(retrieved()).toBe(before);
      if (!isShown) expect(before).toBe(0);
      world.change(new Map(world.messages), new Map([...world.conversations].filter(([id]) => id !== lost)));
      const has = (id: string): boolean => rig.store.getState().cache.conversations.has(id);
      expect(await rig.until(() => !has(lost), 700_000)).toBe(true);
      expect(has(emptied)).toBe(true);
      if (!isShown) expect(retrieved()).toBe(0);
    } finally {
      await rig.close();
    }
  },
);

test('a list that cannot be read to its end without saying so is reported at every poll', async () => {
  const { rig, cast } = await scene({ order: 'old-first', paging: 'before', hasMore: 'missing' });
  const told = (): boolean => rig.store.getState().view.connection.failures.has(cast.main.id);
  try {
    const heard: boolean[] = [];
    for (let polls = 0; polls < 10; polls += 1) {
      await rig.until(() => false, 3_000);
      heard.push(told());
    }
    expect(heard).not.toContain(false);
  } finally {
    await rig.close();
  }
});

test.each([true, false])('lagging lists do not undo on the screen what was done: reading shown %s', async (isShown) => {
  const { rig, cast } = await scene({ listLag: 60, archived: 'left-out' }, isShown);
  const { id: conversationId } = cast.main;
  const { id: messageId, text: base } = cast.ownPlain;
  const shown = () => rig.store.getState().cache.conversations.get(conversationId);
  const isSo = (): boolean =>
    shown()?.archivedAt !== null &&
    shown()?.isMuted === true &&
    rig.store
      .getState()
      .cache.threads.get(conversationId)
      ?.messages.find(({ id }) => id === messageId)?.text === 'new';
  try {
    await rig.act({ kind: 'conversation.mute', conversationId, value: true });
    await rig.act({ kind: 'message.edit', conversationId, messageId, base, text: 'new' });
    await rig.act({ kind: 'conversation.archive', conversationId, at: rig.clock.now() });
    expect(isSo()).toBe(true);
    expect(await rig.until(() => !isSo(), 150_000)).toBe(false);
    // What is changed elsewhere is seen all the same.
    const row = rig.server.world.conversations.get(conversationId) ?? cast.main;
    rig.server.world.putConversation({ ...row, archivedAt: null, isMuted: false });
    expect(await rig.until(() => shown()?.isMuted === false && shown()?.archivedAt === null, 400_000)).toBe(true);
  } finally {
    await rig.close();
  }
});

test('others keep their reactions on every server: a question comes before an edit while its effect on them is not known', async () => {
  const quirks = { put: 'full-replace', reactionOwner: 'own-only' } as const;
  const { rig, cast } = await scene(quirks);
  const losses = damage(rig.server.world, cast);
  const edit = (row: Cast['ownWithFile'], text: string) =>
    rig.act({ kind: 'message.edit', conversationId: cast.main.id, messageId: row.id, base: row.text, text });
  try {
    expect(await edit(cast.ownWithFile, 'better')).toMatchObject({
      how: 'failed',
      said: expect.stringContaining('retry'),
    });
    expect(losses()).toEqual([]);
    // One that has none teaches it at nobody's expense, and what has been asked needs no second question.
    expect(await rig.act(reactTo(cast))).toMatchObject({ how: 'settled' });
    expect(rig.store.getState().local.capabilities.omittedText?.value).toBe('dropped');
    expect(await edit(cast.ownReacted, 'better')).toMatchObject({ how: 'failed' });
    expect(losses()).toEqual([]);
  } finally {
    await rig.close();
  }
});

test.each(['partial', 'full-replace'] as const)(
  'after a yes the edit is made, and others lose nothing if it can be restored: %s',
  async (put) => {
    const { rig, cast } = await scene({ put });
    const losses = damage(rig.server.world, cast);
    const { id: messageId, text: base } = cast.ownWithFile;
    const edit = { kind: 'message.edit', conversationId: cast.main.id, messageId, base, text: 'better' } as const;
    try {
      expect(await rig.act(edit)).toMatchObject({ how: 'failed' });
      expect(rig.server.requests.filter((request) => request.startsWith('PUT'))).toEqual([]);
      expect(await rig.retry()).toMatchObject({ how: 'settled' });
      expect(rig.server.world.messages.get(messageId)?.text).toBe('better');
      expect(losses()).toEqual([]);
      expect(await rig.act({ ...edit, base: 'better', text: 'best' })).toMatchObject({ how: 'settled' });
    } finally {
      await rig.close();
    }
  },
);

const reactTo = ({ main, ownPlain }: Cast) =>
  ({
    kind: 'message.react',
    conversationId: main.id,
    messageId: ownPlain.id,
    name: 'ok',
    present: true,
    confirmed: false,
  }) as const;
