import { describe, expect, test } from 'vitest';
import { apiFault, me } from '../../../support/servers/fake-service.ts';
import { worldWithFailure } from '../../../support/worlds/sync-world.ts';

const lost = (applies: boolean | { readonly afterMs: number }) => ({
  applies,
  error: apiFault('timeout', 'ambiguous'),
});
const day = 86_400_000;

/** A message got no answer, the user had it sent again, and the second attempt was answered. */
async function resent(firstArrivesAfterMs: number | null) {
  const world = await worldWithFailure(lost(firstArrivesAfterMs === null ? false : { afterMs: firstArrivesAfterMs }));
  world.send('hi');
  await world.clock.advance(60_000);
  world.engine.retry('u1');
  await world.clock.advance(5_000);
  expect(world.store.getState().local.outbox).toEqual([]);
  return world;
}

const questions = (world: Awaited<ReturnType<typeof resent>>) =>
  world.store
    .getState()
    .screen.notices.filter(({ text }) => text.includes('sent twice'))
    .map(({ text, until }) => ({ text, until }));

const question = { text: 'This message was sent twice: “hi”. Delete one of the two?', until: null };

describe('the question whether to delete one of two copies comes', () => {
  test('when the first copy arrives after the second one was settled', async () => {
    const world = await resent(300_000);
    expect(questions(world)).toEqual([]);
    await world.clock.advance(300_000);
    expect(world.service.copiesOf('hi')).toBe(2);
    expect(questions(world)).toEqual([question]);
    expect(world.service.requests.filter((one) => one.startsWith('deleteMessage'))).toEqual([]);
  });

  test('also if the program was restarted in between, and again until it is answered', async () => {
    const world = await resent(300_000);
    world.restart();
    world.open('c1');
    await world.clock.advance(300_000);
    expect(questions(world)).toEqual([question]);
    world.restart();
    expect(questions(world)).toEqual([question]);
    const [copy] = [...world.service.messages.values()].filter(({ text }) => text === 'hi');
    world.open('c1');
    await world.clock.advance(1_000);
    world.engine.enqueue({ kind: 'message.delete', conversationId: 'c1', messageId: copy?.id ?? '' });
    await world.clock.advance(20_000);
    expect(questions(world)).toEqual([]);
    expect(world.outbox.load().resent.size).toBe(0);
  });

  test('not for the same text sent again on purpose, nor for that of others', async () => {
    const world = await resent(null);
    world.send('hi');
    world.service.say('c1', 'hi');
    await world.clock.advance(60_000);
    expect(world.service.copiesOf('hi')).toBe(3);
    expect(questions(world)).toEqual([]);
  });

  test('for a week after a message was sent again, and not after it was sent once', async () => {
    const world = await resent(null);
    world.send('once');
    await world.clock.advance(5_000);
    expect([...world.outbox.load().resent.values()].map(({ text }) => text)).toEqual(['hi']);
    // Eight days of polls would take long; the next start finds that the time is over.
    await world.engine.stop();
    await world.clock.advance(8 * day);
    world.restart();
    world.open('c1');
    await world.clock.advance(60_000);
    expect(world.outbox.load().resent.size).toBe(0);
    world.service.say('c1', 'hi', me);
    await world.clock.advance(60_000);
    expect(questions(world)).toEqual([]);
  });
});
