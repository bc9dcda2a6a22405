/** What a start asks for when an earlier run has kept the validators of what it read. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { noCapabilities, observe } from '../../../src/protocol/capabilities.ts';
import { insert } from '../../../src/state/composer/draft-edit.ts';
import { updateDraft } from '../../../src/state/composer/drafts.ts';
import { selectListOrder } from '../../../src/state/select/selectors.ts';
import { type SyncWorld, syncWorld } from '../../support/worlds/sync-world.ts';

type Asked = { readonly ifNoneMatch?: string | undefined };

let world: SyncWorld;
/** Every answer to a poll in order: `list 304`, `c1 200` … */
let answers: string[];

/** Gives short entity tags, as servers do, and notes which polls are answered without a body. */
function serveTags({ service }: SyncWorld): void {
  const tagged = async <A extends object>(what: string, { ifNoneMatch }: Asked, answer: Promise<A>) => {
    const { etag, ...rest } = (await answer) as A & { etag: string };
    const tag = `"${createHash('sha1').update(etag).digest('hex')}"`;
    answers.push(`${what} ${tag === ifNoneMatch ? 304 : 200}`);
    return tag === ifNoneMatch ? { notModified: true as const } : { ...rest, etag: tag };
  };
  const { fetchNewest } = service.paging;
  const { listConversations } = service.client;
  Object.assign(service.paging, {
    fetchNewest: (request: Parameters<typeof fetchNewest>[0]) =>
      tagged(request.conversationId, request, fetchNewest({ ...request, ifNoneMatch: undefined })),
  });
  Object.assign(service.client, {
    listConversations: (...[request, options]: Parameters<typeof listConversations>) =>
      tagged('list', request, listConversations({ ...request, ifNoneMatch: undefined }, options)),
  });
}

beforeEach(() => {
  world = syncWorld();
  answers = [];
  serveTags(world);
  for (const id of ['c1', 'c2']) {
    world.service.addConversation(id, { lastActiveAt: world.clock.now() - 60_000 });
    world.service.say(id, `hello ${id}`);
  }
});

/** A run that reads everything and ends at rest. */
async function run(): Promise<void> {
  world.open('c1');
  await world.clock.advance(60_000);
}

/** The answers in the first second of the next run, in which `c1` is opened. */
async function answersAfterRestart(): Promise<readonly string[]> {
  world.restart();
  answers.length = 0;
  world.open('c1');
  await world.clock.advance(1_000);
  return [...answers].sort();
}

describe('the first requests after a start', () => {
  test('are conditional, and what is stored stays when nothing has changed', async () => {
    await run();
    expect(await answersAfterRestart()).toEqual(['c1 304', 'list 304']);
    expect(world.texts('c1')).toEqual(['hello c1']);
    expect(world.store.getState().view.connection).toMatchObject({ status: 'online', listComplete: true });
    await world.clock.advance(600_000);
    expect(answers.filter((answer) => answer.endsWith('200'))).toEqual([]);
  });

  test('show that a conversation with unsent text is gone, which stays in the list', async () => {
    world.service.addConversation('gone', { lastActiveAt: world.clock.now() - 30_000 });
    await run();
    world.store.setState(updateDraft('gone', (draft) => insert(draft, 'half a thought')));
    world.service.conversations.delete('gone');
    await world.clock.advance(400_000);
    // With this news the validator of a list without the conversation is kept for the next run.
    world.service.say('c1', 'news');
    await world.clock.advance(60_000);
    expect(world.cache.validator(null)?.ids).toEqual(['c1', 'c2']);
    const order = observe(noCapabilities, 'conversationOrder', 'newest-first', 1, 'GET /v1/conversations');
    world.outbox.saveRecords([['capabilities', 'conversationOrder', order.conversationOrder ?? null]]);
    world.restart();
    await world.clock.advance(10_000);
    expect(selectListOrder(world.store.getState())).toContain('gone');
  });

  test('return messages that came meanwhile', async () => {
    await run();
    world.service.say('c2', 'news');
    world.service.say('c1', 'more');
    expect(await answersAfterRestart()).toEqual(['c1 200', 'c1 304', 'c2 200', 'list 200']);
    expect(world.texts('c1')).toEqual(['hello c1', 'more']);
    expect(world.store.getState().cache.lastMessages.get('c2')?.text).toBe('news');
  });

  test('are unconditional if another write has changed the stored rows since', async () => {
    await run();
    const [conversation] = world.cache.conversations().filter(({ id }) => id === 'c1');
    if (conversation !== undefined) world.cache.saveConversations([{ ...conversation, isMuted: true }]);
    const [message] = world.cache.history('c1', 'newest', 1).messages;
    if (message !== undefined) world.cache.saveMessages('c1', [{ ...message, text: 'changed here' }]);
    expect((await answersAfterRestart()).filter((answer) => !answer.startsWith('c2'))).toEqual([
      'c1 200',
      'list 200',
      'list 200',
    ]);
    expect(world.texts('c1')).toEqual(['hello c1']);
    expect(world.store.getState().cache.conversations.get('c1')?.isMuted).toBe(false);
  });

  test('are unconditional for a page with a row that can no longer be read', async () => {
    await run();
    const { history, outline } = world.cache;
    const none = { messages: [], hasMore: false, withoutText: new Set<string>() };
    Object.assign(world.cache, { history: () => none, outline: () => none });
    expect(await answersAfterRestart()).toContain('c1 200');
    Object.assign(world.cache, { history, outline });
  });

  test('are followed by those for conversations that were never read', async () => {
    world.service.fault = (operation, subject) =>
      operation === 'listMessages' && subject === 'c2' ? { applies: false, error: 'hang' } : null;
    await run();
    world.service.fault = () => null;
    expect(await answersAfterRestart()).toEqual(['c1 304', 'c2 200', 'list 304']);
  });
});
