/** What follows a SIGWINCH, by which dtach says that it has attached a terminal. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onReattached } from '../../src/terminal/reattached.ts';
import { fakeTimers } from '../support/clocks/fake-timers.ts';

function watched() {
  const signals = new EventEmitter();
  const timers = fakeTimers();
  const size = { columns: 80, rows: 24 };
  const drawn: boolean[] = [];
  const { expectSignal } = onReattached(
    () => ({ ...size }),
    (isDrawn) => void drawn.push(isDrawn),
    signals,
    timers,
  );
  return { size, timers, expectSignal, signal: () => signals.emit('SIGWINCH'), drawn };
}

test('after signals without a new size the screen is to be drawn again, and that is reported once', () => {
  const { timers, signal, drawn } = watched();
  for (let i = 0; i < 100; i++) signal();
  timers.advance(1_000);
  expect(drawn).toEqual([false]);
});

test('after a new size or a suspension the screen is drawn already, which is reported once', () => {
  const { size, timers, signal, expectSignal, drawn } = watched();
  for (size.columns = 90; size.columns > 80; size.columns--) {
    signal();
    signal();
    timers.advance(50);
  }
  timers.advance(1_000);
  expect(drawn).toEqual([true]);
  expectSignal();
  signal();
  timers.advance(1_000);
  expect(drawn).toEqual([true, true]);
  signal();
  timers.advance(1_000);
  expect(drawn).toEqual([true, true, false]);
});
