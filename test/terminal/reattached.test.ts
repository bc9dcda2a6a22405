/** A SIGWINCH without a new size. */
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { onReattached } from '../../src/terminal/reattached.ts';
import { fakeTimers } from '../support/clocks/fake-timers.ts';

function watched() {
  const signals = new EventEmitter();
  const timers = fakeTimers();
  const size = { columns: 80, rows: 24 };
  let redraws = 0;
  const { expectSignal } = onReattached(
    () => ({ ...size }),
    () => void redraws++,
    signals,
    timers,
  );
  return { size, timers, expectSignal, signal: () => signals.emit('SIGWINCH'), redraws: () => redraws };
}

test('a signal without a new size draws the screen once, however many come', () => {
  const { timers, signal, redraws } = watched();
  for (let i = 0; i < 100; i++) signal();
  timers.advance(1_000);
  expect(redraws()).toBe(1);
});

test('the signals of a resize, and the one after a suspension, draw nothing more', () => {
  const { size, timers, signal, expectSignal, redraws } = watched();
  for (size.columns = 90; size.columns > 80; size.columns--) {
    signal();
    signal();
    timers.advance(50);
  }
  timers.advance(1_000);
  expectSignal();
  signal();
  timers.advance(1_000);
  expect(redraws()).toBe(0);
  signal();
  timers.advance(1_000);
  expect(redraws()).toBe(1);
});
