import { expect, test } from 'vitest';
import { PendingValues } from '../../../src/sync/services/pending-values.ts';

const row = (isMuted: boolean, name = 'a') => ({ id: 'c1', isMuted, name });

function world() {
  let now = 0;
  const writes = new PendingValues<ReturnType<typeof row>>(() => now, ['isMuted']);
  return { writes, pass: (ms: number) => (now += ms) };
}

test('a lagging list shows what was written, and its own news', () => {
  const { writes } = world();
  writes.recordWrite(row(false), row(true));
  expect(writes.overList(row(false, 'new'))).toEqual(row(true, 'new'));
  const other = { ...row(false), id: 'c2' };
  expect(writes.overList(other)).toBe(other);
});

test('once a list has caught up, changes from elsewhere are accepted', () => {
  const { writes } = world();
  writes.recordWrite(row(false), row(true));
  const caughtUp = row(true);
  expect(writes.overList(caughtUp)).toBe(caughtUp);
  const elsewhere = row(false);
  expect(writes.overList(elsewhere)).toBe(elsewhere);
});

test('after a change there and back, a list with the first value does not count as caught up', () => {
  const { writes } = world();
  writes.recordWrite(row(false), row(true));
  writes.recordWrite(row(true), row(false));
  expect(writes.overList(row(false))).toEqual(row(false));
  expect(writes.overList(row(true))).toEqual(row(false));
});

test('two minutes after a write the list is accepted', () => {
  const { writes, pass } = world();
  writes.recordWrite(row(false), row(true));
  pass(120_000);
  const late = row(false);
  expect(writes.overList(late)).toBe(late);
});

test('two minutes after a write that was made before it is recorded the list is accepted', () => {
  const { writes, pass } = world();
  writes.recordWrite(row(false), row(true), 100_000);
  expect(writes.overList(row(false))).toEqual(row(true));
  pass(20_000);
  const late = row(false);
  expect(writes.overList(late)).toBe(late);
});

test('what lists have caught up with is accepted in other answers if that is requested', () => {
  const { writes } = world();
  writes.recordWrite(row(false), row(true));
  expect(writes.overUnlistedRead(row(false))).toEqual(row(true));
  writes.overList(row(true));
  expect(writes.overUnlistedRead(row(false))).toEqual(row(false));
  expect(writes.overRead(row(false))).toEqual(row(true));
});
