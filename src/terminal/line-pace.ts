/**
 * Measures how much output a slow connection still has to carry. The terminal is asked for a status report after large
 * output: when the answer comes, it has drawn all that was sent before. The buffers between program and terminal would
 * otherwise take many frames, and what is typed next would be shown after all of them.
 */

import { type Later, later } from './pictures/printed.ts';

export const statusQuestion = '\x1b[5n';
const statusAnswer = '\x1b[0n';

/** The bytes of output after which a question is sent: a page of text, or several on a fast line. */
const askedAfter = { slow: 1_024, fast: 4_096 };
/** A fast line carries in this time the bytes that are sent between two questions. */
const fastMs = 50;
/** More output waits while the terminal needs longer than this for what is under way. */
const underWayMs = 250;
/** The same for output that is not urgent, so that typed text is shown about as soon as on a line without it. */
const notUrgentMs = 80;
/** A terminal that has not answered within this time is taken for one that does not answer. */
const firstAnswerMs = 1_000;
/** The time after which an answer counts as lost. */
const longestAnswerMs = 5_000;

export class LinePace {
  readonly #now: () => number;
  readonly #later: Later;
  #cancel: (() => void) | null = null;
  /** The bytes that were sent since the last question. */
  #since = 0;
  /** The question without an answer: the bytes that it covers, and when it was sent. */
  #asked: { readonly bytes: number; readonly at: number } | null = null;
  /** The bytes that the line carries in a millisecond, as the last answer has shown. */
  #rate = Number.POSITIVE_INFINITY;
  #askedAfter = askedAfter.slow;
  /** The shortest time in which an answer has come: the way there and back takes no longer. */
  #shortestMs = Number.POSITIVE_INFINITY;
  /** The end of what the terminal has sent, because an answer may come in pieces. */
  #heard = '';
  /** Whether the terminal answers; null while that is unknown. */
  #answers: boolean | null = null;

  constructor(now: () => number = () => performance.now(), wait: Later = later) {
    this.#now = now;
    this.#later = wait;
  }

  /** Call for all output. @returns whether `statusQuestion` is to follow it */
  sent(bytes: number): boolean {
    this.#since += bytes;
    if (this.#asked !== null || this.#since < this.#askedAfter) return false;
    this.#asked = { bytes: this.#since, at: this.#now() };
    this.#since = 0;
    return true;
  }

  /** Call with all that the terminal sends. @returns whether the answer has come */
  heard(bytes: Buffer): boolean {
    if (this.#asked === null) return false;
    const heard = this.#heard + bytes.toString('latin1');
    if (!heard.includes(statusAnswer)) {
      this.#heard = heard.slice(1 - statusAnswer.length);
      return false;
    }
    this.#answers = true;
    const tookMs = Math.max(1, this.#now() - this.#asked.at);
    this.#rate = this.#asked.bytes / tookMs;
    this.#shortestMs = Math.min(this.#shortestMs, tookMs);
    this.#askedAfter = this.#rate * fastMs > askedAfter.fast ? askedAfter.fast : askedAfter.slow;
    this.#end();
    return true;
  }

  /** Whether the terminal owes an answer that is still expected. */
  get isAwaited(): boolean {
    if (this.#asked === null || this.#answers === false) return false;
    if (this.#now() - this.#asked.at < (this.#answers === null ? firstAnswerMs : longestAnswerMs)) return true;
    if (this.#answers === null) this.#answers = false;
    else this.forget();
    return false;
  }

  /** @returns whether large output is to wait for the answer; `tryAgain` is called when none comes */
  waits(tryAgain: () => void): boolean {
    if (!this.isAwaited || this.#takes(underWayMs)) return false;
    this.#cancel ??= this.#later(underWayMs, () => {
      this.#cancel = null;
      tryAgain();
    });
    return true;
  }

  /**
   * Whether output that is not urgent may be sent. On a line with a long way there and back it may be under way for twice
   * that time, as it would otherwise never fill the line.
   */
  get hasRoom(): boolean {
    if (!this.isAwaited) return true;
    // Nothing is known before the first answer, for which one part is enough.
    return this.#rate !== Number.POSITIVE_INFINITY && this.#takes(Math.max(notUrgentMs, 2 * this.#shortestMs));
  }

  /** Whether the line carries in this time all that is under way. */
  #takes(ms: number): boolean {
    if (this.#asked === null) return true;
    const { bytes, at } = this.#asked;
    const rate = Math.min(this.#rate, bytes / Math.max(1, this.#now() - at));
    return bytes + this.#since <= rate * ms;
  }

  /** Call when what was sent is gone: the terminal was given to another program, or an answer was lost. */
  forget(): void {
    this.#since = 0;
    this.#end();
  }

  #end(): void {
    this.#asked = null;
    this.#heard = '';
    this.#cancel?.();
    this.#cancel = null;
  }
}
