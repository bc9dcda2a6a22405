/**
 * The 318 cases of JSONTestSuite, written by us, and some of our own, as answers of the API (suite TP8, S5): no crash, one
 * notice, nothing written elsewhere, and well again in the end. Each case in one place as one kind of answer, in turn.
 */
import { expect, test } from 'vitest';
import { corpusRuns, runCorpus } from '../support/campaigns/corpus-run.ts';
import { campaignPart } from '../support/campaigns/partition.ts';

test('each case is read or refused, and does no harm', { timeout: 480_000 }, async () => {
  // Of the nine runs of a case another one each time.
  const runs = corpusRuns.filter((_, index) => index % 9 === Math.floor(index / 9) % 9);
  expect(await runCorpus('TP8 JSON corpus', campaignPart(runs, 71))).toEqual([]);
});
