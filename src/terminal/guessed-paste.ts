/** Takes lines that come at once for a paste, in a terminal that does not mark where a paste begins and ends. */
import type { ReplyEvent } from './events.ts';
import { createIdleTimer, type IdleTimer, type Timers } from './idle-timer.ts';
import { cleanPaste } from './paste.ts';

interface GuessedPasteOptions {
  readonly onText: (text: string) => void;
  readonly isTmux?: boolean | undefined;
  readonly timers?: Timers | undefined;
}

/** What comes within this time after the lines belongs to them. */
const burstMs = 25;
/** Any key but characters, Tab, Enter and Ctrl-J. */
const otherKey = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
/** Enter between two texts. */
const innerEnter = /[^\r\n]\r[\r\n]*[^\r\n]/;
/** Nobody types so many messages before the first of them is seen. */
const leastLinesInTmux = 4;

/**
 * Enter would send each pasted line by itself. A slow line may bring a word and the Enter after it at once, so that an Enter
 * at the end is one; with more text after it, it is a line end. Two short messages that a stalled line brings together
 * stay in the composer, too, which costs another Enter.
 *
 * Most terminals around tmux mark their pastes, and tmux passes the marks on. Until one has come, only several lines are
 * taken for a paste there.
 */
export class GuessedPaste {
  readonly #onText: (text: string) => void;
  readonly #idleTimer: IdleTimer;
  readonly #isTmux: boolean;
  #hasMarks = false;
  /** Whether the terminal has answered all questions that it knows. */
  #hasAnswered = false;
  #chunks: Buffer[] = [];

  constructor({ onText, isTmux = false, timers }: GuessedPasteOptions) {
    this.#onText = onText;
    this.#isTmux = isTmux;
    this.#idleTimer = createIdleTimer(timers);
  }

  /**
   * Terminals that answer nothing but DA1, the last question, do not know the marks of a paste either: the Linux console
   * and GNU screen. In tmux, all answers are its own.
   */
  hear(event: ReplyEvent): void {
    if (this.#isTmux) return;
    if (event.reply === 'device-attributes') this.#hasAnswered = true;
    else if (event.reply !== 'version' || !/^screen\b/i.test(event.text)) this.#hasMarks = true;
  }

  /** Call when a mark has come. */
  seeMark(): void {
    this.#hasMarks = true;
  }

  /** @returns whether the bytes belong to a paste, and are no keys */
  takes(bytes: Buffer): boolean {
    if (this.#hasMarks || !(this.#hasAnswered || this.#isTmux)) return false;
    const text = bytes.toString('latin1');
    if (otherKey.test(text)) this.#end();
    else if (this.#chunks.length > 0 || this.#hasLines(text)) {
      this.#chunks.push(bytes);
      this.#idleTimer.wait(burstMs, () => this.#end());
      return true;
    }
    return false;
  }

  #hasLines(text: string): boolean {
    return innerEnter.test(text) && (!this.#isTmux || linesOf(text) >= leastLinesInTmux);
  }

  /** Shows what has come so far. */
  #end(): void {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#idleTimer.cancel();
    if (chunks.length > 0) this.#onText(cleanPaste(Buffer.concat(chunks)));
  }
}

const linesOf = (text: string): number => text.split(/[\r\n]+/).filter((line) => line !== '').length;
