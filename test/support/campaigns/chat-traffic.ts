/**
 * Made-up months of chat, as the simulation of polling replays them.
 *
 * What is known of how people write to each other is copied in outline: messages come in exchanges, exchanges begin at
 * the hours and on the weekdays of that person, the gaps within an exchange are log-normal and so sometimes long, and
 * between two exchanges there may be minutes or days. The figures were chosen before the scheduler that is measured
 * with them was written, and do not change with it.
 */
import { createDice } from '../../../src/server/demo/dice.ts';

/** Times are milliseconds since the first midnight, a Monday. */
export type ChatEvent =
  | { readonly at: number; readonly kind: 'message'; readonly conversation: string; readonly isMine: boolean }
  /** The user comes to the screen with this conversation open. */
  | { readonly at: number; readonly kind: 'look'; readonly conversation: string }
  /** The user turns to another window. The conversation stays open. */
  | { readonly at: number; readonly kind: 'leave' };

const dayMs = 86_400_000;
const hourMs = 3_600_000;

interface Person {
  readonly id: string;
  /** Exchanges a week. */
  readonly weekly: number;
  /** How the exchanges are spread over the hours of a working day, and of a day at the weekend. */
  readonly workday: readonly number[];
  readonly weekend: readonly number[];
}

/** Twenty-four weights; `from` to `to` hours weigh `weight`, the hour before and after half of it, the others nothing. */
function hours(...spans: readonly (readonly [from: number, to: number, weight: number])[]): readonly number[] {
  return Array.from({ length: 24 }, (_, hour) =>
    spans.reduce((sum, [from, to, weight]) => {
      if (hour >= from && hour < to) return sum + weight;
      return hour === from - 1 || hour === to ? sum + weight / 2 : sum;
    }, 0),
  );
}

const none = hours();
const people: readonly Person[] = [
  { id: 'colleague', weekly: 25, workday: hours([9, 12, 2], [13, 17, 2]), weekend: none },
  { id: 'team', weekly: 20, workday: hours([9, 18, 1]), weekend: none },
  { id: 'partner', weekly: 20, workday: hours([7, 9, 1], [12, 13, 1], [17, 23, 2]), weekend: hours([10, 23, 1]) },
  { id: 'friend', weekly: 6, workday: hours([18, 23, 1]), weekend: hours([11, 24, 2]) },
  { id: 'family', weekly: 4, workday: hours([19, 21, 1]), weekend: hours([10, 13, 2], [18, 21, 1]) },
];

/** The messages that an exchange has on average, of both sides. */
const messagesEach = 16;
/** Chance that the next message is by the one who wrote the last. */
const sameWriter = 0.35;
const shares = { theyBegin: 0.55, staysAfterwards: 0.5 } as const;
/** Median and spread (the standard deviation of the logarithm) of gaps and delays. */
const gaps = {
  sameWriter: { medianMs: 8_000, spread: 0.8 },
  answer: { medianMs: 25_000, spread: 1.1 },
  /** Until the user sees that somebody has begun. */
  noticed: { medianMs: 90_000, spread: 1.2 },
  staysOn: { medianMs: 120_000, spread: 0.8 },
} as const;

interface Dice {
  readonly chance: (share: number) => boolean;
  readonly exponential: (mean: number) => number;
  readonly logNormal: (shape: { readonly medianMs: number; readonly spread: number }) => number;
  readonly pick: (weights: readonly number[]) => number;
}

function diceOf(seed: number): Dice {
  const random = createDice(seed).next;
  /** Never 0, whose logarithm is infinite. */
  const positive = (): number => 1 - random();
  const normal = (): number => Math.sqrt(-2 * Math.log(positive())) * Math.cos(2 * Math.PI * random());
  return {
    chance: (share) => random() < share,
    exponential: (mean) => -mean * Math.log(positive()),
    logNormal: ({ medianMs, spread }) => medianMs * Math.exp(spread * normal()),
    pick: (weights) => {
      let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
      const found = weights.findIndex((weight) => {
        left -= weight;
        return left < 0;
      });
      return Math.max(0, found);
    },
  };
}

/** Exchanges with five people, by hour and weekday. */
export function burstyTraffic(seed: number, days: number): readonly ChatEvent[] {
  const dice = diceOf(seed);
  const events = people.flatMap((person) =>
    beginnings(dice, person, days).flatMap((at) => exchange(dice, person.id, at)),
  );
  return inOrder(events, days);
}

/** The moments at which exchanges with a person begin. */
function beginnings(dice: Dice, { weekly, workday, weekend }: Person, days: number): readonly number[] {
  const week = Array.from({ length: 7 * 24 }, (_, hour) => (hour < 5 * 24 ? workday : weekend)[hour % 24] ?? 0);
  const times: number[] = [];
  for (
    let at = dice.exponential((7 * dayMs) / weekly);
    at < days * dayMs;
    at += dice.exponential((7 * dayMs) / weekly)
  ) {
    const weekAt = Math.floor(at / (7 * dayMs)) * 7 * dayMs;
    times.push(weekAt + (dice.pick(week) + dice.exponential(0.3)) * hourMs);
  }
  return times;
}

/** The messages of one exchange, and when the user is at the screen for it. */
function exchange(dice: Dice, conversation: string, beginsAt: number): readonly ChatEvent[] {
  const events: ChatEvent[] = [];
  let at = beginsAt;
  let isMine = !dice.chance(shares.theyBegin);
  let isAtScreen = false;
  const look = (): void => {
    if (!isAtScreen) events.push({ at, kind: 'look', conversation });
    isAtScreen = true;
  };
  do {
    if (isMine && !isAtScreen && events.length > 0) at += dice.logNormal(gaps.noticed);
    if (isMine) look();
    events.push({ at, kind: 'message', conversation, isMine });
    const staysWriter = dice.chance(sameWriter);
    at += dice.logNormal(staysWriter ? gaps.sameWriter : gaps.answer);
    if (!staysWriter) isMine = !isMine;
  } while (!dice.chance(1 / messagesEach));
  // Half of the time the user stays at the screen for a while, and else turns to something else at once.
  if (isAtScreen)
    events.push({ at: at + (dice.chance(shares.staysAfterwards) ? dice.logNormal(gaps.staysOn) : 0), kind: 'leave' });
  return events;
}

/** Messages that come one by one at any time, `perDay` on average; the user looks at the screen all the time. */
export function memorylessTraffic(seed: number, days: number, perDay: number): readonly ChatEvent[] {
  const dice = diceOf(seed);
  const events: ChatEvent[] = [{ at: 0, kind: 'look', conversation: 'stream' }];
  for (let at = dice.exponential(dayMs / perDay); at < days * dayMs; at += dice.exponential(dayMs / perDay))
    events.push({ at, kind: 'message', conversation: 'stream', isMine: false });
  return inOrder(events, days);
}

const inOrder = (events: readonly ChatEvent[], days: number): readonly ChatEvent[] =>
  events.filter(({ at }) => at < days * dayMs).sort((a, b) => a.at - b.at);
