/** What the chats of one profile say of a change that the server refuses, whichever of them sends it. */
import { expect, test } from 'vitest';
import { emptyDraft } from '../../../src/state/composer/draft.ts';
import { patchView } from '../../../src/state/view/view.ts';
import { apiFault } from '../../support/servers/fake-service.ts';
import { type Program, twoPrograms } from '../../support/worlds/two-programs.ts';

const errorsOf = ({ store }: Program) =>
  store.getState().screen.notices.flatMap(({ tone, text }) => (tone === 'error' ? [text] : []));

test('a reaction that is refused is told in the chat that asked for it, too', async () => {
  const { clock, service, first, second } = await twoPrograms();
  first.send('who I am');
  await clock.advance(10_000);
  const refusal = apiFault('forbidden', 'rejected', { status: 403 });
  service.fault = (operation) => (operation === 'updateMessage' ? { applies: false, error: refusal } : null);
  const messageId = [...service.messages.values()].find(({ text }) => text === 'earlier')?.id ?? '';
  const action = { kind: 'message.react', conversationId: 'c1', messageId, name: '+1' } as const;
  second.engine.enqueue({ ...action, present: true, confirmed: true });
  first.engine.refreshOutbox();
  await clock.advance(20_000);
  second.engine.refreshOutbox();
  expect(second.states()).toEqual([]);
  expect(errorsOf(first)).toHaveLength(1);
  expect(errorsOf(second)).toEqual(errorsOf(first));
});

const starting = { contactId: 'bob', groupId: null, openId: null, draft: emptyDraft };

/** Has the second one, which does not send, start a conversation with Bob. */
function start({ first, second }: Awaited<ReturnType<typeof twoPrograms>>): void {
  second.engine.enqueue({ kind: 'conversation.create', contactId: 'bob', groupId: null });
  second.store.setState((state) => patchView(state, { starting }));
  first.engine.refreshOutbox();
}

test('a creation that is refused is awaited in no chat any more', async () => {
  const world = await twoPrograms();
  const { clock, service, first, second } = world;
  const refusal = apiFault('invalid', 'rejected', { status: 422 });
  service.fault = (operation) => (operation === 'createConversation' ? { applies: false, error: refusal } : null);
  first.store.setState((state) => patchView(state, { starting }));
  start(world);
  await clock.advance(20_000);
  second.engine.refreshOutbox();
  for (const one of [first, second]) {
    expect(errorsOf(one)).toEqual([expect.stringMatching(/^The conversation could not be started: invalid 422/)]);
    expect(one.store.getState().view.starting).toBeNull();
  }
});

test('a conversation that another chat has made is reported where it was asked for', async () => {
  const world = await twoPrograms();
  const { clock, service, second } = world;
  start(world);
  await clock.advance(20_000);
  second.engine.refreshOutbox();
  await clock.advance(5_000);
  const made = [...service.conversations.values()].find(({ contactId }) => contactId === 'bob');
  expect(second.created).toEqual([made?.id]);
});
