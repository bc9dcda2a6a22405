/** The driver of the tests that need a real terminal. */
import { expect, onTestFinished, test } from 'vitest';
import { spawnTui } from '../support/terminals/pty.ts';

test('everything that a program wrote before it ended is read, also by a test that was delayed meanwhile', async () => {
  const tui = spawnTui({ command: '/bin/sh', args: ['-c', 'seq 1 2000; echo the end'], columns: 60, rows: 10 });
  onTestFinished(() => tui.close());
  // Longer than the program runs, and no event is seen meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(await tui.exited).toEqual({ code: 0, signal: 0 });
  expect(tui.output()).toContain('2000\r\nthe end');
  expect(tui.screen()).toContain('the end');
});
