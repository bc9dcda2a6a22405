/** Reads the keyboard in raw mode, decodes bytes to events and hands them to the handler. */
import { Decoder } from './decoder.ts';
import type { InputEvent } from './events.ts';
import type { Timers } from './idle-timer.ts';

export type StdinPort = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> &
  Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;

export interface InputOptions {
  readonly stdin: StdinPort;
  readonly escapeTimeoutMs?: number;
  readonly timers?: Timers;
  /** Called when the keyboard has been closed. */
  readonly onHangup?: () => void;
}

export type InputHandler = (event: InputEvent) => void;

/** How many events are kept before there is a handler; nobody types more while a program starts. */
const keptMost = 10_000;

const hangupEvents = ['end', 'close', 'error'] as const;

export class Input {
  readonly #stdin: StdinPort;
  readonly #onHangup: (() => void) | undefined;
  readonly #decoder: Decoder;
  #handler: InputHandler | null = null;
  /** Events that came before there was a handler. */
  #kept: InputEvent[] = [];
  #isReading = false;

  constructor({ stdin, onHangup, escapeTimeoutMs, timers }: InputOptions) {
    this.#stdin = stdin;
    this.#onHangup = onHangup;
    this.#decoder = new Decoder({ onEvent: (event) => this.#dispatch(event), escapeTimeoutMs, timers });
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

  readonly #read = (bytes: Buffer): void => this.#decoder.push(bytes);

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
