/** Learns from the times of messages how soon an answer comes in a conversation, and at which hours an exchange begins. */

export interface MessageTime {
  /** Milliseconds of the wall clock. */
  readonly at: number;
  readonly isMine: boolean;
}

/** How much longer than usual the time between two requests may be: below 1 where messages are likelier than usual. */
export interface Rhythm {
  /** By the step of `stepOf`, for the steps within an exchange. */
  readonly within: readonly number[];
  /** At rest, by `hourSlot`. Never below 1. */
  readonly atRest: readonly number[];
}

/** After the last one a conversation is at rest. */
const stepEnds = [15_000, 45_000, 300_000] as const;
/** How many seconds pass on average until the next message, where nothing is known of a conversation, in each step. */
const usualSeconds = [30, 190, 750] as const;
/** What is usual counts as much as this many messages that were seen. */
const usualWeight = 3;
/** What is usual at an hour counts as much as this many exchanges that began then. */
const usualBeginnings = 1;
/** Only so many of the newest messages are looked at. */
const mostMessages = 300;
const bounds = { within: [0.4, 3], atRest: [1, 4] } as const;
/** The hours of a working day, and after them those of a day of the weekend. */
const hourSlots = 48;
/** Of a week, the share of a slot of the working days, and of one of the weekend. */
const shareOfHour = [5 / 168, 2 / 168] as const;

export const usualRhythm: Rhythm = {
  within: stepEnds.map(() => 1),
  atRest: Array.from({ length: hourSlots }, () => 1),
};

/** The step that a conversation is in, so long after its last message; one more than the last within an exchange: at rest. */
export function stepOf(quietMs: number): number {
  const found = stepEnds.findIndex((end) => quietMs < end);
  return found < 0 ? stepEnds.length : found;
}

/** Whether the exchange of messages is over. */
export const isAtRest = (quietMs: number): boolean => stepOf(quietMs) === stepEnds.length;

/** The local hour: 0 to 23 from Monday to Friday, 24 to 47 on Saturday and Sunday. */
export function hourSlot(at: number): number {
  const date = new Date(at);
  return date.getHours() + (date.getDay() % 6 === 0 ? 24 : 0);
}

/** `times`: oldest first. What the user writes is known without asking, so only messages of others count as arrivals. */
export function rhythmOf(times: readonly MessageTime[]): Rhythm {
  const seconds = stepEnds.map(() => 0);
  const arrivals = stepEnds.map(() => 0);
  const beginnings = usualRhythm.atRest.map(() => 0);
  const newest = times.slice(-mostMessages);
  for (const [index, { at, isMine }] of newest.entries()) {
    const before = newest[index - 1];
    if (before === undefined || at < before.at) continue;
    const gapMs = at - before.at;
    let begin = 0;
    for (const [step, end] of stepEnds.entries()) {
      seconds[step] = (seconds[step] ?? 0) + Math.max(0, Math.min(gapMs, end) - begin) / 1_000;
      begin = end;
    }
    if (isMine) continue;
    const step = stepOf(gapMs);
    if (step < stepEnds.length) arrivals[step] = (arrivals[step] ?? 0) + 1;
    else beginnings[hourSlot(at)] = (beginnings[hourSlot(at)] ?? 0) + 1;
  }
  return { within: withinExchange(seconds, arrivals), atRest: betweenExchanges(beginnings) };
}

/**
 * The expected wait for a message is shortest, for a given number of requests, when the time between two of them goes
 * with the root of the mean time between two messages.
 */
const withinExchange = (seconds: readonly number[], arrivals: readonly number[]): readonly number[] =>
  usualSeconds.map((usual, step) => {
    const mean = ((seconds[step] ?? 0) + usualWeight * usual) / ((arrivals[step] ?? 0) + usualWeight);
    return within(bounds.within, Math.sqrt(mean / usual));
  });

/** An hour counts with the one before it and the one after it, so that ten to nine is likely where nine is. */
function betweenExchanges(beginnings: readonly number[]): readonly number[] {
  const all = beginnings.reduce((sum, count) => sum + count, 0);
  return beginnings.map((_, hour) => {
    const dayStart = hour < 24 ? 0 : 24;
    const at = (offset: number): number => beginnings[dayStart + ((hour - dayStart + offset + 24) % 24)] ?? 0;
    const usual = 3 * all * (shareOfHour[dayStart / 24] ?? 0) + usualBeginnings;
    return within(bounds.atRest, Math.sqrt(usual / (at(-1) + at(0) + at(1) + usualBeginnings)));
  });
}

const within = ([least, most]: readonly [number, number], value: number): number =>
  Math.min(most, Math.max(least, value));
