/** The corpus of JSON (suite TP8, S5) in every place and as every kind of answer; run by `npm run test:full`. */
import { expect, test } from 'vitest';
import { corpusRuns, runCorpus } from '../support/campaigns/corpus-run.ts';
import { inPart } from '../support/campaigns/partition.ts';

test('each case is read or refused in every place, and does no harm', { timeout: 3_600_000 }, async () => {
  expect(await runCorpus('TP8 JSON corpus, full', inPart(corpusRuns))).toEqual([]);
});
