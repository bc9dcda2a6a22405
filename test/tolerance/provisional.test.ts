/** Servers whose answer to a POST names what was made by an id that no list shows. */
import { expect, test } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { nameOf, plain, type Quirks } from '../support/quirk-server/quirks.ts';
import type { Rig } from './rig.ts';
import { stage } from './scene.ts';

const name = (quirks: Partial<Quirks>): string => nameOf({ ...plain, ...quirks });

const withPerson = ({ store }: Rig, contactId: string): readonly string[] =>
  [...store.getState().cache.conversations.values()].filter((one) => one.contactId === contactId).map(({ id }) => id);

/** Opens what it has started, as the user does. */
async function start(rig: Rig, contactId: string): Promise<string> {
  expect(await rig.act({ kind: 'conversation.create', contactId, groupId: null })).toMatchObject({ how: 'settled' });
  const id = withPerson(rig, contactId)[0] ?? '';
  await rig.open(id);
  return id;
}

const creating: readonly Partial<Quirks>[] = [
  { createdId: 'provisional' },
  { createdId: 'provisional', listLag: 60 },
  { createdId: 'provisional', emptyList: '404', ids: 'int' },
];

const cases = creating.flatMap((quirks) => [true, false].map((isShown) => [name(quirks), isShown, quirks] as const));

test.each(campaignPart(cases, 5))(
  'unsent text of a conversation that is no longer found stays there: %s, reading shown: %s',
  async (...all) => {
    const [, revealReading, quirks] = all;
    const { rig, cast } = await stage(quirks, revealReading);
    const { world } = rig.server;
    const ops = () => rig.store.getState().local.outbox;
    try {
      const first = await start(rig, cast.stranger.id);
      const before = world.messages.size;
      for (const text of ['one', 'two']) rig.engine.enqueue({ kind: 'message.send', conversationId: first, text });
      await rig.until(() => false, 400_000);
      expect(world.messages.size).toBe(before);
      expect(ops().map(({ action }) => action)).toMatchObject([
        { conversationId: first, text: 'one' },
        { conversationId: first, text: 'two' },
      ]);
      const row = [...world.conversations.values()].find(({ contactId }) => contactId === cast.stranger.id);
      expect(withPerson(rig, cast.stranger.id)).toEqual([row?.id]);
      const kept = rig.store.getState().cache.conversations.get(first);
      expect(kept?.formerPartner).toEqual({ contactId: cast.stranger.id, groupId: null });
      expect(rig.notices).toContainEqual(
        expect.stringMatching(/^2 unsent texts are left of a conversation that is gone/),
      );
      expect(rig.server.violations).toEqual([]);
    } finally {
      await rig.close();
    }
  },
);

const sending: readonly Partial<Quirks>[] = [
  { sentId: 'provisional', listLag: 2, readLag: 3 },
  { sentId: 'provisional', listLag: 60 },
  { sentId: 'provisional', listLag: 2, deletion: '200-deleted', time: 'iso', order: 'old-first' },
];

test.each(sending.map((quirks) => [name(quirks), quirks] as const))(
  'a message deleted at once is still shown, and is not reported as deleted: %s',
  async (_, quirks) => {
    const { rig, cast } = await stage(quirks, true);
    const { world } = rig.server;
    const conversationId = cast.main.id;
    const text = 'no, wait';
    const shown = () => rig.store.getState().cache.threads.get(conversationId)?.messages ?? [];
    const withText = () => shown().flatMap((message) => (message.text === text ? message.id : []));
    try {
      await rig.open(conversationId);
      expect(await rig.act({ kind: 'message.send', conversationId, text })).toMatchObject({ how: 'settled' });
      const before = world.messages.size;
      const messageId = withText()[0] ?? '';
      await rig.act({ kind: 'message.delete', conversationId, messageId });
      expect(rig.notices).toContainEqual(expect.stringContaining('may still be there'));
      await rig.until(() => false, 200_000);
      expect(world.messages.size).toBe(before);
      expect(withText()).toEqual([...world.messages.values()].flatMap((row) => (row.text === text ? row.id : [])));
      expect(rig.server.violations).toEqual([]);
    } finally {
      await rig.close();
    }
  },
);
