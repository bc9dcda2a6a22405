/**
 * Gets the colours of code from another thread, because highlight.js compiles all patterns of a language at once, which
 * takes longer than a frame. Code is drawn without colours until they arrive.
 */
import { RecentMap } from '../state/collections/memo.ts';
import { type CodeStretch, type Highlight, hasColours } from '../text/markdown/blocks.ts';

export interface ColourRequest {
  readonly code: string;
  readonly language: string;
}

/** Answers come in the order of the requests; null: nothing in that language has colours. */
export type ColourAnswer = readonly CodeStretch[] | null;

/** The thread that colours code. */
export interface Colourer {
  ask(request: ColourRequest): void;
  end(): void;
}

/** @param onEnd called when the thread has ended by itself */
export type StartColourer = (onAnswer: (answer: ColourAnswer) => void, onEnd: () => void) => Promise<Colourer>;

export interface CodeColours {
  readonly highlight: Highlight;
  /** How many times code was drawn for which the colours had not arrived. */
  readonly missed: () => number;
  /** How many times colours have arrived. */
  readonly arrived: () => number;
}

export const noColours: CodeColours = { highlight: () => [], missed: () => 0, arrived: () => 0 };

/** More blocks than a screen shows: with fewer, some would be asked for again whenever others arrive. */
const keptResults = 1_000;
const mostUnknownLanguages = 100;
/** Code that takes longer has no colours. A thread that starts on a busy machine needs a part of this time. */
const longestMs = 5_000;
/** A thread that is not used for this time is ended, which frees its memory. */
const idleMs = 60_000;
/** After this number of threads that ended one after the other without an answer, no other one is started. */
const mostFailures = 3;

const keyOf = ({ code, language }: ColourRequest): string => `${language}\n${code}`;

/** @param onArrival called when code should be drawn again */
export function createCodeColours(start: StartColourer, onArrival: () => void): CodeColours {
  const results = new RecentMap<string, readonly CodeStretch[]>(keptResults);
  const unknown = new Set<string>();
  let missed = 0;
  let arrived = 0;
  let isDue = false;
  const arrive = (): void => {
    isDue = false;
    arrived++;
    onArrival();
  };
  const requests = new ColourRequests(start, (request, answer) => {
    if (answer === null && unknown.size < mostUnknownLanguages) unknown.add(request.language);
    results.set(keyOf(request), answer ?? []);
    // Colours that arrive together are drawn together.
    if (!isDue) setImmediate(arrive);
    isDue = true;
  });
  return {
    missed: () => missed,
    arrived: () => arrived,
    highlight(code, language) {
      if (language === '' || unknown.has(language) || !hasColours(code)) return [];
      const request = { code, language };
      const known = results.get(keyOf(request));
      if (known !== undefined) return known;
      if (!requests.add(request)) return [];
      missed++;
      return [];
    },
  };
}

/** The requests without an answer, and the thread that works on them. */
class ColourRequests {
  readonly #start: StartColourer;
  readonly #onAnswer: (request: ColourRequest, answer: ColourAnswer) => void;
  /** The oldest one first, which the thread works on. */
  readonly #open = new Map<string, ColourRequest>();
  #colourer: Colourer | 'starting' | null = null;
  #timer: NodeJS.Timeout | null = null;
  #failures = 0;

  constructor(start: StartColourer, onAnswer: (request: ColourRequest, answer: ColourAnswer) => void) {
    this.#start = start;
    this.#onAnswer = onAnswer;
  }

  /** @returns false where no answer will come */
  add(request: ColourRequest): boolean {
    if (this.#failures >= mostFailures) return false;
    const key = keyOf(request);
    if (this.#open.has(key)) return true;
    this.#open.set(key, request);
    if (this.#colourer === null) this.#begin();
    else if (this.#colourer !== 'starting') {
      this.#colourer.ask(request);
      if (this.#open.size === 1) this.#wait();
    }
    return true;
  }

  #begin(): void {
    this.#colourer = 'starting';
    let own: Colourer | null = null;
    let isEnded = false;
    const isCurrent = (): boolean => own !== null && own === this.#colourer;
    const end = (): void => {
      isEnded = true;
      if (isCurrent()) this.#fail();
    };
    this.#start((answer) => void (isCurrent() && this.#settle(answer)), end).then((started) => {
      own = started;
      this.#colourer = started;
      for (const request of this.#open.values()) started.ask(request);
      this.#wait();
      if (isEnded) this.#fail();
    }, this.#fail);
  }

  #settle(answer: ColourAnswer): void {
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#failures = 0;
    this.#open.delete(oldest[0]);
    this.#wait();
    this.#onAnswer(oldest[1], answer);
  }

  /** Gives up the code that the thread was working on, and has another thread do the rest. */
  readonly #fail = (): void => {
    this.#failures++;
    this.#end();
    const [oldest] = this.#open;
    if (oldest === undefined) return;
    this.#open.delete(oldest[0]);
    this.#onAnswer(oldest[1], []);
    if (this.#failures >= mostFailures) this.#open.clear();
    else if (this.#open.size > 0) this.#begin();
  };

  #wait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = this.#open.size > 0 ? setTimeout(this.#fail, longestMs) : setTimeout(this.#end, idleMs);
    this.#timer.unref();
  }

  readonly #end = (): void => {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#colourer !== null && this.#colourer !== 'starting') this.#colourer.end();
    this.#colourer = null;
  };
}
