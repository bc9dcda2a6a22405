import { beforeEach, expect, test } from 'vitest';
import { LinePace } from '../../src/terminal/line-pace.ts';

const page = 1_200;
const answer = Buffer.from('\x1b[0n');

let now = 0;
let retries: (() => void)[] = [];
let pace: LinePace;
const tried: number[] = [];
const waits = (): boolean => pace.waits(() => tried.push(now));

/** Time in which the line carries a page. */
function carry(ms: number): void {
  now += ms;
  expect(pace.heard(answer)).toBe(true);
}

beforeEach(() => {
  now = 1_000;
  retries = [];
  tried.length = 0;
  pace = new LinePace(
    () => now,
    (_, callback) => {
      retries.push(callback);
      return () => void retries.splice(retries.indexOf(callback), 1);
    },
  );
});

test('typed text is followed by no question', () => {
  for (let letters = 0; letters < 200; letters++) expect(pace.sent(3)).toBe(false);
  expect([pace.isAwaited, waits()]).toEqual([false, false]);
});

test('a fast line gets a question after several pages', () => {
  expect(pace.sent(page)).toBe(true);
  carry(3);
  expect(Array.from({ length: 4 }, () => pace.sent(page))).toEqual([false, false, false, true]);
  carry(3_000);
  expect(pace.sent(page)).toBe(true);
});

test('a line that answers soon never waits', () => {
  for (const ms of [150, 30, 100]) {
    expect(pace.sent(page)).toBe(true);
    expect(waits()).toBe(false);
    carry(ms);
  }
  expect(retries).toEqual([]);
});

test('a slow line has one page under way once its pace is known', () => {
  expect([pace.sent(page), waits()]).toEqual([true, false]);
  carry(600);
  expect([pace.sent(page), waits(), waits()]).toEqual([true, true, true]);
  expect(retries).toHaveLength(1);
  carry(600);
  expect([waits(), retries]).toEqual([false, []]);
});

test('a line with a high latency carries as much as it can', () => {
  let most = 0;
  for (let turn = 0; turn < 8; turn++) {
    let underWay = 0;
    for (pace.sent(page); !waits() && underWay < 50; underWay++) pace.sent(page);
    most = Math.max(most, underWay);
    carry(200);
  }
  expect(most).toBe(50);
});

test('a line that does not answer soon gets no more before its pace is known', () => {
  pace.sent(page);
  now += 240;
  expect(waits()).toBe(false);
  now += 20;
  expect(waits()).toBe(true);
});

test('a terminal that does not answer within a second gets no further question, and nothing waits for it', () => {
  pace.sent(page);
  now += 500;
  expect(waits()).toBe(true);
  now += 500;
  retries[0]?.();
  expect([tried, waits(), pace.isAwaited, pace.sent(page)]).toEqual([[now], false, false, false]);
  // The first frame had needed longer.
  expect(pace.heard(answer)).toBe(true);
  expect([pace.sent(page), waits()]).toEqual([true, true]);
});

test('a lost answer delays nothing for longer than five seconds', () => {
  pace.sent(page);
  carry(600);
  pace.sent(page);
  now += 4_900;
  expect(waits()).toBe(true);
  now += 200;
  expect([waits(), pace.sent(page)]).toEqual([false, true]);
});

test('an answer is recognised in pieces and among keys', () => {
  pace.sent(page);
  expect([...'a\x1b[0n'].map((byte) => pace.heard(Buffer.from(byte)))).toEqual([false, false, false, false, true]);
  expect([pace.isAwaited, pace.heard(answer)]).toEqual([false, false]);
});

test('what is not urgent waits for the first answer, then for less than is under way in 80 ms', () => {
  expect(pace.sent(page)).toBe(true);
  expect(pace.hasRoom).toBe(false);
  carry(30);
  expect([pace.hasRoom, pace.sent(page), pace.hasRoom]).toEqual([true, true, true]);
  pace.sent(page);
  expect(pace.hasRoom).toBe(true);
  pace.sent(page);
  expect([pace.hasRoom, waits()]).toEqual([false, false]);
});

test('on a long way there and back twice that time is filled', () => {
  pace.sent(page);
  carry(300);
  pace.sent(page);
  expect(pace.hasRoom).toBe(true);
  pace.sent(page);
  expect(pace.hasRoom).toBe(true);
  pace.sent(1);
  expect(pace.hasRoom).toBe(false);
});

test('a terminal that does not answer has room', () => {
  pace.sent(page);
  expect(pace.hasRoom).toBe(false);
  now += 1_000;
  expect(pace.hasRoom).toBe(true);
});
