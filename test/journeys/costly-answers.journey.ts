/** Answers that are made to cost memory and time hold up no key; all of them are in `test/faults/costly-answers.full.test.ts`. */
import { expect, test } from 'vitest';
import { type CostlyPage, costOf } from '../support/campaigns/costly-answers.ts';
import { campaignPart } from '../support/campaigns/partition.ts';

// A busy machine may take many times longer than the tenth of a second that is meant; without bounds it was three seconds.
const pages: readonly CostlyPage[] = ['200,000 reaction names', '60,000 reaction names'];

test.each(campaignPart(pages, 2))('keys are answered in time beside a page with %s', async (name) => {
  const { p95Ms, megabytes } = await costOf(name, 40);
  expect(p95Ms).toBeLessThan(1_000);
  expect(megabytes ?? 0).toBeLessThan(300);
});
