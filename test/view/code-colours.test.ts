/** The thread that colours code: what becomes of it and of the code, whatever the thread does. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ColourAnswer, type ColourRequest, createCodeColours } from '../../src/view/code-colours.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

interface Thread {
  readonly asked: ColourRequest[];
  answer(answer?: ColourAnswer): void;
  /** The thread ends by itself. */
  die(): void;
  isEnded: boolean;
}

const red = [{ start: 0, end: 3, kind: 'keyword' }] as const;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp(start: (threads: number) => Promise<void> = async () => undefined) {
  const threads: Thread[] = [];
  let started = 0;
  const onArrival = vi.fn();
  const colours = createCodeColours(async (onAnswer, onEnd) => {
    await start(++started);
    const thread: Thread = {
      asked: [],
      answer: (answer = red) => onAnswer(answer),
      die: onEnd,
      isEnded: false,
    };
    threads.push(thread);
    return {
      ask: (request) => void thread.asked.push(request),
      end() {
        thread.isEnded = true;
      },
    };
  }, onArrival);
  const codes = (index: number): readonly string[] | undefined => threads[index]?.asked.map(({ code }) => code);
  return {
    colours,
    threads,
    codes,
    onArrival,
    started: () => started,
    of: (code: string) => colours.highlight(code, 'js'),
  };
}

test('code has no colours until they arrive; those that arrive together are drawn together', async () => {
  const { colours, threads, codes, onArrival, of } = setUp();
  expect([of('one'), of('two'), of('one')]).toEqual([[], [], []]);
  await turn();
  expect([threads.length, codes(0), colours.missed()]).toEqual([1, ['one', 'two'], 3]);
  threads[0]?.answer();
  threads[0]?.answer([]);
  expect(colours.arrived()).toBe(0);
  await turn();
  expect([onArrival.mock.calls.length, colours.arrived()]).toEqual([1, 1]);
  expect([of('one'), of('two')]).toEqual([red, []]);
  expect([colours.missed(), threads.length]).toEqual([3, 1]);
});

test('no colours are requested for code without a language, in an unknown one, or that nobody reads line by line', async () => {
  const { colours, threads, codes, of } = setUp();
  colours.highlight('one', '');
  of('x'.repeat(2_001));
  of('x'.repeat(300));
  await turn();
  expect([threads.length, colours.missed()]).toEqual([0, 0]);
  colours.highlight('one', 'nosuch');
  await turn();
  threads[0]?.answer(null);
  colours.highlight('two', 'nosuch');
  expect([codes(0), colours.missed()]).toEqual([['one'], 1]);
});

test('code that takes longer than five seconds has no colours, and another thread does the rest', async () => {
  const { threads, codes, of } = setUp();
  for (const code of ['fine', 'endless', 'rest']) of(code);
  await turn();
  threads[0]?.answer();
  vi.advanceTimersByTime(5_001);
  await turn();
  expect([threads[0]?.isEnded, codes(1)]).toEqual([true, ['rest']]);
  threads[0]?.answer();
  threads[1]?.answer();
  expect([of('fine'), of('endless'), of('rest')]).toEqual([red, [], red]);
});

test('after a thread ends by itself, the code that it was working on has no colours', async () => {
  const { threads, codes, of } = setUp();
  for (const code of ['bad', 'rest']) of(code);
  await turn();
  threads[0]?.die();
  threads[0]?.die();
  await turn();
  threads[1]?.answer();
  expect([codes(1), of('bad'), of('rest'), threads.length]).toEqual([['rest'], [], red, 2]);
});

test('if no thread starts, three are tried, and code is drawn without colours from then on', async () => {
  const { colours, started, of } = setUp(() => Promise.reject(new Error('the file is gone')));
  for (const code of ['a', 'b', 'c', 'd', 'e']) of(code);
  for (let turns = 0; turns < 5; turns++) await turn();
  const missed = colours.missed();
  expect([of('a'), of('e'), of('f'), colours.missed() - missed, started()]).toEqual([[], [], [], 0, 3]);
});

test('a thread that is not used for a minute is ended, and another one started for the next code', async () => {
  const { threads, codes, of } = setUp();
  of('one');
  await turn();
  threads[0]?.answer();
  vi.advanceTimersByTime(59_000);
  expect(threads[0]?.isEnded).toBe(false);
  vi.advanceTimersByTime(2_000);
  threads[0]?.die();
  expect([threads[0]?.isEnded, of('one')]).toEqual([true, red]);
  of('two');
  await turn();
  threads[1]?.answer();
  expect([codes(1), of('two')]).toEqual([['two'], red]);
});
