/** Reads the keyboard in raw mode, decodes bytes to events and hands them to the handler. */
import { readSync } from 'node:fs';
import { Decoder } from './decoder.ts';
import type { InputEvent } from './events.ts';
import { blockFor, type Timers } from './idle-timer.ts';

export type StdinPort = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> &
  Partial<Pick<NodeJS.ReadStream, 'setRawMode'>> & { readonly fd?: number };

export interface InputOptions {
  readonly stdin: StdinPort;
  readonly escapeTimeoutMs?: number;
  readonly isTmux?: boolean;
  readonly timers?: Timers;
  /** Called when the keyboard has been closed. */
  readonly onHangup?: () => void;
  /** Gets all bytes before they are decoded. Reading ends after the answers that it waits for. */
  readonly answers?: { hear(bytes: Buffer): void; readonly isAnswerAwaited: boolean };
}

export type InputHandler = (event: InputEvent) => void;

/** The most events that are kept before there is a handler; nobody types more while a program starts. */
const keptMost = 10_000;

/** The longest time that `stop` waits for an answer: a connection that needs longer carries more than a frame. */
const awaitedMs = 2_000;

const hangupEvents = ['end', 'close', 'error'] as const;

export class Input {
  readonly #stdin: StdinPort;
  readonly #onHangup: (() => void) | undefined;
  readonly #answers: InputOptions['answers'];
  readonly #decoder: Decoder;
  #handler: InputHandler | null = null;
  /** Events that came before there was a handler. */
  #kept: InputEvent[] = [];
  #isReading = false;

  constructor({ stdin, onHangup, answers, escapeTimeoutMs, isTmux, timers }: InputOptions) {
    this.#stdin = stdin;
    this.#onHangup = onHangup;
    this.#answers = answers;
    const onEvent = (event: InputEvent): void => this.#dispatch(event);
    this.#decoder = new Decoder({ onEvent, escapeTimeoutMs, isTmux, timers });
  }

  /** Turns raw mode on and reads, also after `stop`. */
  start(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#setRaw(true);
    this.#stdin.on('data', this.#read);
    for (const event of hangupEvents) this.#stdin.on(event, this.#hangUp);
    this.#stdin.resume();
  }

  /** Turns raw mode off and stops reading. It may be called twice, and by exit handlers. */
  stop(): void {
    if (!this.#isReading) return;
    this.#isReading = false;
    this.#stdin.off('data', this.#read);
    for (const event of hangupEvents) this.#stdin.off(event, this.#hangUp);
    this.#readAnswers();
    this.#setRaw(false);
    this.#stdin.pause();
  }

  /** Sets the one handler. What has come in before the first one is handed to it now, in order. */
  attach(handler: InputHandler): void {
    this.#handler = handler;
    const early = this.#kept;
    this.#kept = [];
    for (const event of early) this.#dispatch(event);
  }

  #dispatch(event: InputEvent): void {
    if (this.#handler !== null) this.#handler(event);
    else if (this.#kept.length < keptMost) this.#kept.push(event);
  }

  readonly #read = (bytes: Buffer): void => {
    this.#answers?.hear(bytes);
    this.#decoder.push(bytes);
  };

  /** Waits for an answer that is under way. What is typed meanwhile is lost, as it cannot be given back to the terminal. */
  #readAnswers(): void {
    const { fd } = this.#stdin;
    const until = performance.now() + awaitedMs;
    while (fd !== undefined && this.#answers?.isAnswerAwaited === true && performance.now() < until) {
      const bytes = readNow(fd);
      if (bytes === null) return;
      if (bytes.length === 0) blockFor(10);
      else this.#answers.hear(bytes);
    }
  }

  readonly #hangUp = (): void => {
    if (this.#isReading) this.#onHangup?.();
  };

  #setRaw(isRaw: boolean): void {
    try {
      this.#stdin.setRawMode?.(isRaw);
    } catch {
      // The terminal was closed; `close` or the next write reports it.
    }
  }
}

/** @returns null when nothing more can be read */
function readNow(fd: number): Buffer | null {
  const bytes = Buffer.alloc(1_024);
  try {
    const length = readSync(fd, bytes);
    return length === 0 ? null : bytes.subarray(0, length);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? bytes.subarray(0, 0) : null;
  }
}
