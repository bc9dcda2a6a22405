/** Real sockets that fail in forty ways under the real client, engine and SQLite (suite TP2): every pair of the matrix. */
import { expect, test } from 'vitest';
import { provingFaults, wireFaults } from '../support/fault-server.ts';
import { faultSites } from '../support/fault-sites.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { runWireCase, type WireCase, wireMethods } from '../support/wire-run.ts';

/** Each fault with each method, each with and without effect, in half of the cases. */
const cases: readonly WireCase[] = [
  ...Object.keys(wireFaults).flatMap((fault, row) =>
    wireMethods.map((method, column) => ({ fault, method, isApplied: (row + column) % 2 === 0 })),
  ),
  ...Object.keys(provingFaults).map((fault) => ({ fault, method: 'POST' as const, isApplied: false })),
];

test('every fault at every method ends well', { timeout: 120_000 }, async () => {
  const sites = faultSites([...Object.keys(wireFaults), ...Object.keys(provingFaults)]);
  const wrong = await sideBySide(8, cases, (one) => {
    sites.hit(one.fault);
    return runWireCase(one);
  });
  sites.print('TP2 wire faults', `${cases.length} cases`);
  expect(wrong).toEqual([]);
});
