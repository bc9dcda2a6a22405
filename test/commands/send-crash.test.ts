/** The process is killed just after Enter, before a draft is written by the clock. */
import { beforeEach, expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { send } from '../../src/commands/send.ts';
import { insert } from '../../src/state/composer/draft-edit.ts';
import { draftOf, startEditing, updateDraft } from '../../src/state/composer/drafts.ts';
import { recallText } from '../../src/state/composer/recall.ts';
import type { Draft } from '../../src/state/model/app-state.ts';
import { type SyncWorld, syncWorld } from '../support/worlds/sync-world.ts';

let world: SyncWorld;

const change = (next: (draft: Draft) => Draft): void => world.store.setState(updateDraft('c1', next));

function enterAndDie(): void {
  const context: Partial<CommandContext> = {
    get: () => world.store.getState(),
    update: (transition) => world.store.setState(transition),
    now: world.clock.now,
    enqueue: world.engine.enqueue,
    scrollThread: () => undefined,
  };
  send(context as CommandContext);
  world.restart();
}

beforeEach(async () => {
  world = syncWorld();
  world.service.addConversation('c1');
  world.service.say('c1', 'first words');
  await world.clock.advance(1_000);
  world.open('c1');
  change((draft) => insert(draft, 'half a thought'));
});

test('a draft from before a sent text was recalled is kept, and the sent text is not there again', async () => {
  change((draft) => recallText(draft, 'sent before'));
  await world.clock.advance(5_000);
  enterAndDie();
  expect(world.store.getState().local.outbox).toMatchObject([{ action: { text: 'sent before' } }]);
  expect(draftOf(world.store.getState(), 'c1')).toMatchObject({ text: 'half a thought', editing: null });
});

test('a draft from before an edit is kept, and the edit is not open again', async () => {
  change((draft) => insert(startEditing(draft, 'm1', 'first words'), '!'));
  await world.clock.advance(5_000);
  enterAndDie();
  expect(world.store.getState().local.outbox).toMatchObject([{ action: { kind: 'message.edit' } }]);
  expect(draftOf(world.store.getState(), 'c1')).toMatchObject({ text: 'half a thought', editing: null });
});
