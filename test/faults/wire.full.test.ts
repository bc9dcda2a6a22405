/** The whole matrix of failing sockets (suite TP2): 40 faults × 4 methods × applied or not; run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { provingFaults, wireFaults } from '../support/fault-server.ts';
import { faultSites } from '../support/fault-sites.ts';
import { sideBySide } from '../support/side-by-side.ts';
import { runWireCase, type WireCase, wireMethods } from '../support/wire-run.ts';

const cases: readonly WireCase[] = [
  ...Object.keys(wireFaults).flatMap((fault) =>
    wireMethods.flatMap((method) => [true, false].map((isApplied) => ({ fault, method, isApplied }))),
  ),
  ...Object.keys(provingFaults).flatMap((fault) =>
    (['POST', 'PUT', 'GET'] as const).map((method) => ({ fault, method, isApplied: false })),
  ),
];

test('every fault at every method, with and without effect, ends well', { timeout: 600_000 }, async () => {
  const sites = faultSites([...Object.keys(wireFaults), ...Object.keys(provingFaults)]);
  const wrong = await sideBySide(8, cases, (one) => {
    sites.hit(one.fault);
    return runWireCase(one);
  });
  sites.print('TP2 wire faults, full', `${cases.length} cases`);
  expect(wrong).toEqual([]);
});
