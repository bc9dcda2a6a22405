/** The built program under each answer that is made to cost memory and time. On a quiet machine. */
import { expect, test } from 'vitest';
import { type CostlyPage, costlyPages, costOf } from '../support/campaigns/costly-answers.ts';

const limits = { keyMs: 100, residentMegabytes: 300 } as const;
/** A busy or slow machine may take so many times longer before the suite fails; what falls short is reported in any case. */
const patience = 3;

test.each(Object.keys(costlyPages) as CostlyPage[])(
  'keys are answered in time beside a page with %s',
  { timeout: 300_000 },
  async (name) => {
    const { p95Ms, worstMs, megabytes } = await costOf(name, 100);
    const [p95, worst, resident] = [p95Ms, worstMs, megabytes ?? 0].map(Math.round);
    const told = p95Ms <= limits.keyMs ? 'within its limits' : `short of its limits: keys above ${limits.keyMs} ms`;
    process.stdout.write(`costly answers: ${name}: keys ${p95} ms, at worst ${worst} ms, ${resident} MB; ${told}\n`);
    expect(p95Ms).toBeLessThanOrEqual(patience * limits.keyMs);
    expect(megabytes ?? 0).toBeLessThanOrEqual(limits.residentMegabytes);
  },
);
