/** Cuts a long suite in pieces for several runs or machines: `MSG_TUI_PART=3/20` takes the third of twenty. */

export interface Part {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

/** @throws Error on anything but `3/20` */
function parsePart(text: string | undefined): Part {
  if (text === undefined || text === '') return { number: 1, of: 1 };
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (number < 1 || number > of) throw new Error(`MSG_TUI_PART is "k/n" with 1 ≤ k ≤ n, not "${text}"`);
  return { number, of };
}

export const thisPart = (): Part => parsePart(process.env.MSG_TUI_PART);

/** Every n-th item, so that pieces take about as long as each other. */
export const inPart = <T>(items: readonly T[], { number, of }: Part = thisPart()): readonly T[] =>
  items.filter((_, index) => index % of === number - 1);

/** `npm run test:full` sets this; `npm test` runs a small part of each campaign, which is to be quick. */
export const isFullRun = process.env.MSG_TUI_CAMPAIGNS === 'whole';

/** How many runs a campaign makes. */
export const campaignSize = (few: number, whole: number): number => (isFullRun ? whole : few);

/** Every n-th item, or all of them in the full run. An odd n meets all values of lists made of pairs and quadruples. */
export const campaignPart = <T>(items: readonly T[], n: number): readonly T[] =>
  isFullRun ? items : items.filter((_, index) => index % n === 0);

/** A positive whole number from the environment, for sizes and seeds. */
export function countFrom(name: string, otherwise: number): number {
  const text = process.env[name];
  if (text === undefined || text === '') return otherwise;
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new Error(`${name} is a positive number, not "${text}"`);
  return Number(text);
}
