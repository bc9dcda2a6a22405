/** Replays made-up traffic against the scheduler, and against polling at fixed times with as many requests. */
import type { Polling } from '../../../src/state/model/settings.ts';
import { fullAllowance, paceRules, spend } from '../../../src/sync/poll/pace.ts';
import { type MessageTime, rhythmOf, usualRhythm } from '../../../src/sync/poll/rhythm.ts';
import { idlePolled, idlePolledList, nextRead, type PollState } from '../../../src/sync/poll/schedule.ts';
import type { ChatEvent } from './chat-traffic.ts';

export interface Freshness {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly perHour: number;
}

export interface Comparison {
  readonly polled: Freshness;
  /** As many requests in the whole time, all at the same distance from each other, each showing what is new. */
  readonly fixed: Freshness;
}

type Message = Extract<ChatEvent, { kind: 'message' }>;

/** The wall clock at the first midnight: a Monday, in local time. */
const firstMidnight = new Date(2026, 10, 2).getTime();

/**
 * The age of a message is the time from its arrival at the server to the request that brings it. Counted are messages
 * of others in the conversation that is open.
 */
export function compare(events: readonly ChatEvent[], hours: number, polling: Polling): Comparison {
  const run = new Run(polling);
  for (const event of events) {
    run.pollUntil(event.at);
    run.take(event);
  }
  run.pollUntil(hours * 3_600_000);
  const { ages, counted, requests } = run;
  const perHour = (requests.thread + requests.list) / hours;
  const fixedAges = counted.map(({ at }) => untilNext(at, 3_600_000 / perHour));
  return { polled: summary(ages, perHour), fixed: summary(fixedAges, perHour) };
}

/** The time from a moment to the next of many that are so far from each other. */
const untilNext = (at: number, everyMs: number): number => everyMs - (at % everyMs);

function summary(ages: readonly number[], perHour: number): Freshness {
  const sorted = [...ages].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { medianMs: at(0.5), p95Ms: at(0.95), perHour };
}

/** One run of the program: what it has seen, what it waits for, and how old that was when it came. */
class Run {
  readonly requests = { thread: 0, list: 0 };
  readonly ages: number[] = [];
  /** Messages of others that were or are to come while their conversation is open. */
  readonly counted: Message[] = [];
  readonly #seen = new Map<string, MessageTime[]>();
  #unseen: Message[] = [];
  #state: PollState;
  #now = 0;

  constructor(polling: Polling) {
    this.#state = {
      list: { ...idlePolledList, lastAsked: 0 },
      thread: null,
      listStep: null,
      wantedPages: [],
      pageAllowance: 0,
      postponedPages: new Map(),
      againPages: new Map(),
      checks: new Map(),
      isFocused: false,
      lastActivity: 0,
      pace: {
        rule: paceRules[polling],
        allowance: fullAllowance,
        lastNews: { thread: 0, list: 0 },
        rhythm: usualRhythm,
        wallOffset: firstMidnight,
      },
    };
  }

  pollUntil(end: number): void {
    for (;;) {
      const read = nextRead(this.#state, this.#now);
      if (read === null || read.at > end) break;
      // A wait may become longer while it lasts.
      if (read.at > this.#now) this.#now = read.at;
      else if (read.what === 'thread') this.#askThread(this.#now);
      else this.#askList(this.#now);
    }
    this.#now = end;
  }

  take(event: ChatEvent): void {
    const { at } = event;
    if (event.kind === 'leave') this.#set({ isFocused: false });
    else if (event.kind === 'look') {
      const isOpen = this.#state.thread?.id === event.conversation;
      if (!isOpen) this.#open(event.conversation);
      this.#set({ isFocused: true, lastActivity: at });
    } else if (event.isMine) {
      this.#note(event.conversation, { at: event.at + firstMidnight, isMine: true });
      this.#set({ lastActivity: at });
    } else {
      this.#unseen.push(event);
      if (this.#state.thread?.id === event.conversation) this.counted.push(event);
    }
  }

  #open(id: string): void {
    this.#set({ thread: { ...idlePolled, id } });
    this.#learn(id);
  }

  #askThread(now: number): void {
    this.requests.thread += 1;
    const { thread } = this.#state;
    if (thread === null) return;
    this.#spend(now);
    this.#show(thread.id, now);
    this.#set({ thread: { ...idlePolled, id: thread.id, lastAsked: now } });
  }

  #askList(now: number): void {
    this.requests.list += 1;
    this.#spend(now);
    const openId = this.#state.thread?.id;
    const others = new Set(this.#unseen.map(({ conversation }) => conversation).filter((id) => id !== openId));
    this.#set({ list: { ...idlePolledList, lastAsked: now } });
    // Their pages are read at once, and so is that of the open conversation.
    for (const id of others) {
      this.#show(id, now);
      this.#spend(now);
      this.requests.list += 1;
    }
    if (openId !== undefined && this.#unseen.some(({ conversation }) => conversation === openId)) this.#askThread(now);
  }

  /** The messages of the conversation that have come are on the screen. */
  #show(id: string, now: number): void {
    const shown = this.#unseen.filter(({ conversation }) => conversation === id);
    if (shown.length === 0) return;
    this.#unseen = this.#unseen.filter(({ conversation }) => conversation !== id);
    for (const message of shown) {
      this.#note(id, { at: message.at + firstMidnight, isMine: false });
      if (this.counted.includes(message)) this.ages.push(now - message.at);
    }
    const { pace, thread } = this.#state;
    const isOpen = thread?.id === id;
    const lastNews = isOpen ? { ...pace.lastNews, thread: now } : { ...pace.lastNews, list: now };
    this.#set({ pace: { ...pace, lastNews } });
    if (isOpen) this.#learn(id);
  }

  #note(id: string, message: MessageTime): void {
    this.#seen.set(id, [...(this.#seen.get(id) ?? []).slice(-300), message]);
  }

  #learn(id: string): void {
    const { pace } = this.#state;
    this.#set({ pace: { ...pace, rhythm: rhythmOf(this.#seen.get(id) ?? []) } });
  }

  #spend(now: number): void {
    const { pace } = this.#state;
    this.#set({ pace: { ...pace, allowance: spend(pace.allowance, pace.rule, now) } });
  }

  #set(patch: Partial<PollState>): void {
    this.#state = { ...this.#state, ...patch };
  }
}
