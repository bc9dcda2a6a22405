/** What opening a conversation costs before its picture, in counts: however long its messages are. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { campaignPart } from '../support/campaigns/partition.ts';
import { createHeadless } from '../support/terminals/headless.ts';
import { longTexts } from './long-texts.ts';
import { openStage, type Stage } from './stage.ts';

/** A message as these begin is in several parts, too. */
const severalParts = 20_000;

/** The program at rest with one conversation open; what was said in the other one is in the cache. */
async function stageWith(texts: readonly string[]) {
  const tty = createHeadless(120, 40);
  const stage = await openStage({ messages: 60, conversations: 2, tty });
  onTestFinished(() => stage.close());
  for (const text of texts) stage.service.say('c2', text);
  await stage.clock.advance(10 * 60_000);
  return { stage, tty };
}

/** As a key does it: up to the frame, but no turn further. */
async function open({ ui }: Stage): Promise<void> {
  ui.context.openConversation('c2');
  for (let i = 0; i < 4; i++) await Promise.resolve();
}

/** UTF-16 units that are looked at while `work` runs: one by one, by patterns, and by what cuts and joins. */
async function unitsLookedAt(work: () => Promise<void>): Promise<number> {
  let units = 0;
  const counting = <T extends object>(
    on: T,
    name: keyof T & string,
    unitsOf: (self: unknown, first: unknown) => number,
  ) => {
    const plain = Reflect.get(on, name) as (...args: unknown[]) => unknown;
    const counted = function (this: unknown, ...args: unknown[]): unknown {
      units += unitsOf(this, args[0]);
      return Reflect.apply(plain, this, args);
    };
    return vi.spyOn(on, name as never).mockImplementation(counted as never);
  };
  const one = (): number => 1;
  const self = (text: unknown): number => String(text).length;
  const spies = [
    ...(['charCodeAt', 'codePointAt'] as const).map((name) => counting(String.prototype, name, one)),
    ...(['split', 'replace', 'replaceAll', 'matchAll', 'normalize', 'toWellFormed', 'isWellFormed'] as const).map(
      (name) => counting(String.prototype, name, self),
    ),
    counting(RegExp.prototype, 'test', (_, text) => String(text).length),
  ];
  await work();
  for (const spy of spies) spy.mockRestore();
  return units;
}

describe('opening a conversation', () => {
  test.each(campaignPart(Object.entries(longTexts), 3))(
    'measures no more of a message because it is longer: %s',
    async (_, text) => {
      const short = await stageWith(['before', text.slice(0, severalParts)]);
      const few = await unitsLookedAt(() => open(short.stage));
      const { stage, tty } = await stageWith(['before', text]);
      const frames = stage.screen.stats.frames;
      expect(await unitsLookedAt(() => open(stage))).toBeLessThan(few + severalParts);
      expect(stage.screen.stats.frames).toBe(frames + 1);
      await tty.settled();
      // Wide characters fill fewer rows than a fold has, so that the whole first part is shown.
      expect(tty.text().join('\n')).toMatch(/\+ more lines|% of this long message/);
    },
  );

  test('the text that the list holds already is not read again', async () => {
    const { stage } = await stageWith(['before', longTexts.megabyte ?? '']);
    await open(stage);
    const { threads, lastMessages } = stage.store.getState().cache;
    expect(threads.get('c2')?.messages.at(-1)).toBe(lastMessages.get('c2'));
  });

  test('reads its page before the first frame; all other writes and requests come after it', async () => {
    const { stage } = await stageWith(['before', longTexts.megabyte ?? '', 'after']);
    const before = { calls: stage.diskCalls(), requests: stage.service.requests.length };
    await open(stage);
    // The page, what the server has beyond it, which messages were edited, and what was unread before it.
    expect(stage.diskCalls() - before.calls).toBe(4);
    expect(stage.service.requests.length).toBe(before.requests);
    await stage.clock.advance(3_000);
    expect(stage.service.requests.length).toBeGreaterThan(before.requests);
  });
});
