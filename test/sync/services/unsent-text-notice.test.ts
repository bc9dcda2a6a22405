import { describe, expect, test } from 'vitest';
import { setText } from '../../../src/state/composer/draft.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { startEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import { recallText } from '../../../src/state/composer/recall.ts';
import type { Draft } from '../../../src/state/model/app-state.ts';
import { selectConversationName } from '../../../src/state/select/names.ts';
import { selectListOrder } from '../../../src/state/select/selectors.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

const told = (world: SyncWorld) =>
  world.store.getState().screen.notices.find(({ text }) => text.includes('left of a conversation that is gone'))?.text;

const isListed = (world: SyncWorld, id: string) => selectListOrder(world.store.getState()).includes(id);

/** From now on, no page is the whole list. */
function neverWhole({ service }: SyncWorld): void {
  const { listConversations } = service.client;
  Object.assign(service.client, {
    listConversations: async (...call: Parameters<typeof listConversations>) => {
      const answer = await listConversations(...call);
      return 'value' in answer ? { ...answer, value: { ...answer.value, hasMore: true } } : answer;
    },
  });
}

async function withUnsure() {
  const world = syncWorld();
  world.service.addConversation('c1');
  world.service.addConversation('c2');
  await world.clock.advance(1_000);
  world.service.fault = (operation) =>
    operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
  world.send('first words');
  world.send('second words');
  await world.clock.advance(2_000);
  return world;
}

describe('unsent text of a conversation that is gone', () => {
  test('is reported with its number, stays in the list and can be taken back', async () => {
    const world = await withUnsure();
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect(told(world)).toContain('2 unsent texts are left');
    expect(told(world)).toContain('stays in the list until the texts are discarded.');
    expect(isListed(world, 'c1')).toBe(true);
    for (const { uuid } of world.store.getState().local.outbox) expect(world.engine.discard(uuid)).toBe(true);
    await world.clock.advance(400_000);
    expect(isListed(world, 'c1')).toBe(false);
    expect(isListed(world, 'c2')).toBe(true);
    expect(told(world)).toBeUndefined();
  });

  test('keeps the conversation in a list of many pages no longer than until the next poll', async () => {
    const world = await withUnsure();
    world.service.say('c1', 'unread');
    await world.clock.advance(60_000);
    expect(world.store.getState().cache.unread.get('c1')).toBe(1);
    world.service.conversations.delete('c1');
    world.service.messages.clear();
    await world.clock.advance(400_000);
    expect(world.store.getState().cache.unread.get('c1')).toBeUndefined();
    neverWhole(world);
    for (const { uuid } of world.store.getState().local.outbox) world.engine.discard(uuid);
    await world.clock.advance(61_000);
    expect(isListed(world, 'c1')).toBe(false);
    expect(told(world)).toBeUndefined();
  });

  test('keeps a conversation that is in the list again when the text is discarded then', async () => {
    const world = await withUnsure();
    const held = world.service.conversations.get('c1');
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect(told(world)).toContain('2 unsent texts are left');
    neverWhole(world);
    if (held !== undefined) world.service.conversations.set('c1', held);
    await world.clock.advance(61_000);
    for (const { uuid } of world.store.getState().local.outbox) world.engine.discard(uuid);
    // From now on, the page that is read has other conversations alone.
    world.service.conversations.delete('c1');
    await world.clock.advance(61_000);
    expect(isListed(world, 'c1')).toBe(true);
  });

  test('is no longer reported as left once the conversation is there again', async () => {
    const world = await withUnsure();
    const held = world.service.conversations.get('c1');
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect(told(world)).toContain('2 unsent texts are left');
    if (held !== undefined) world.service.conversations.set('c1', held);
    await world.clock.advance(60_000);
    expect(told(world)).toBeUndefined();
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect(told(world)).toContain('2 unsent texts are left');
  });

  test('is kept also if the cache has been lost meanwhile', async () => {
    const world = await withUnsure();
    world.service.conversations.delete('c1');
    world.cache.removeConversation('c1');
    world.restart();
    await world.clock.advance(10_000);
    expect(told(world)).toContain('2 unsent texts are left');
    expect(isListed(world, 'c1')).toBe(true);
  });

  test('is kept also if the user has deleted the conversation', async () => {
    const world = await withUnsure();
    world.service.fault = () => null;
    world.engine.enqueue({ kind: 'conversation.delete', conversationId: 'c1' });
    await world.clock.advance(20_000);
    expect(world.service.conversations.has('c1')).toBe(false);
    const { outbox } = world.store.getState().local;
    expect(outbox.length).toBeGreaterThan(0);
    expect(told(world)).toContain('left of a conversation');
    expect(isListed(world, 'c1')).toBe(true);
    for (const { uuid } of outbox) expect(world.engine.discard(uuid)).toBe(true);
    await world.clock.advance(400_000);
    expect([isListed(world, 'c1'), told(world)]).toEqual([false, undefined]);
  });

  test('includes a draft; a conversation without any is removed', async () => {
    const world = syncWorld();
    world.service.addConversation('c1');
    world.service.addConversation('c2');
    await world.clock.advance(1_000);
    world.store.setState(updateDraft('c1', (draft) => insert(draft, 'half a thought')));
    world.service.conversations.delete('c1');
    world.service.conversations.delete('c2');
    await world.clock.advance(400_000);
    expect(told(world)).toContain('One unsent text is left');
    expect([isListed(world, 'c1'), isListed(world, 'c2')]).toEqual([true, false]);
    world.restart();
    await world.clock.advance(10_000);
    expect(selectConversationName(world.store.getState(), 'c1')).toBe('#c1 (gone)');
  });

  test.each<[string, (draft: Draft) => Draft]>([
    ['an edit', (draft) => startEditing(draft, 'm1', 'sent')],
    ['a recalled text', (draft) => recallText(draft, 'sent')],
  ])('includes what comes back after %s, while the field is empty', async (_, putAside) => {
    const world = syncWorld();
    world.service.addConversation('c1');
    await world.clock.advance(1_000);
    world.store.setState(updateDraft('c1', (draft) => setText(putAside(insert(draft, 'half a thought')), '')));
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect([told(world), isListed(world, 'c1')]).toEqual([expect.stringContaining('One unsent text is left'), true]);
  });

  test('does not stand in the way of a new conversation with the same person', async () => {
    const world = syncWorld();
    world.service.addConversation('c1', { contactId: 'ann' });
    await world.clock.advance(1_000);
    world.store.setState(updateDraft('c1', (draft) => insert(draft, 'half a thought')));
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    expect(selectConversationName(world.store.getState(), 'c1')).toMatch(/ \(gone\)$/);
    const first = { text: 'once more' };
    world.engine.enqueue({ kind: 'conversation.create', contactId: 'ann', groupId: null, first });
    await world.clock.advance(20_000);
    const [made] = [...world.service.conversations.values()];
    const [sent] = [...world.service.messages.values()];
    expect(made?.contactId).toBe('ann');
    expect(sent).toMatchObject({ conversationId: made?.id, text: 'once more' });
    expect(isListed(world, 'c1')).toBe(true);
  });

  test('is for the same person after a restart', async () => {
    const world = syncWorld();
    world.service.addConversation('c1', { contactId: 'ann' });
    world.service.addConversation('c2');
    await world.clock.advance(1_000);
    const name = selectConversationName(world.store.getState(), 'c1');
    world.service.fault = (operation) =>
      operation === 'sendMessage' ? { applies: false, error: apiFault('timeout', 'ambiguous') } : null;
    world.send('first words');
    await world.clock.advance(2_000);
    world.service.conversations.delete('c1');
    await world.clock.advance(400_000);
    world.restart();
    await world.clock.advance(10_000);
    expect(selectConversationName(world.store.getState(), 'c1')).toBe(`${name} (gone)`);
  });
});
