/** Reads the keyboard in raw mode, decodes bytes to events and hands them to the handler. */
import { Decoder } from './decoder.ts';
import type { InputEvent } from './events.ts';
import type { Timers } from './idle-timer.ts';
import type { PromptStdin } from './prompt-stdin.ts';

export type StdinPort = Pick<NodeJS.ReadStream, 'on' | 'off' | 'resume' | 'pause'> &
  Partial<Pick<NodeJS.ReadStream, 'setRawMode'>>;

export interface InputOptions {
  readonly stdin: StdinPort;
  readonly escapeTimeoutMs?: number;
  readonly timers?: Timers;
  /** Called when the keyboard has been closed. */
  readonly onHangup?: () => void;
}

/** @returns true when the event was handled and an open prompt must not get it */
export type InputHandler = (event: InputEvent) => boolean;

/** How many events are kept before there is a handler; nobody types more while a program starts. */
const keptMost = 10_000;

const hangupEvents = ['end', 'close', 'error'] as const;

const isTyping = (event: InputEvent): boolean => event.type === 'paste' || (event.type === 'key' && event.text !== '');

export class Input {
  readonly #stdin: StdinPort;
  readonly #onHangup: (() => void) | undefined;
  readonly #decoder: Decoder;
  #handler: InputHandler | null = null;
  #prompt: PromptStdin | null = null;
  /** Events that came before there was a handler. */
  #kept: InputEvent[] = [];
  /** Events that wait until the prompt has taken what was typed before them. */
  #held: InputEvent[] = [];
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

  /**
   * Sends what the handler leaves to this prompt, or to nobody. A command that follows typing waits until the prompt
   * has taken the text, because Enter in the same chunk as a name means the whole name.
   */
  forwardTo(prompt: PromptStdin | null): void {
    if (this.#prompt === prompt) return;
    this.#prompt?.off('idle', this.#release);
    this.#prompt?.clear();
    this.#prompt = prompt;
    this.#prompt?.on('idle', this.#release);
    this.#release();
  }

  #dispatch(event: InputEvent): void {
    const mustWait = this.#prompt?.isBusy === true && !isTyping(event);
    if (this.#handler === null) {
      if (this.#kept.length < keptMost) this.#kept.push(event);
    } else if (this.#held.length > 0 || mustWait) this.#held.push(event);
    else if (!this.#handler(event)) this.#prompt?.forward(event);
    else if (event.type === 'key' && !isTyping(event)) this.#prompt?.afterCommand();
  }

  readonly #release = (): void => {
    const waiting = this.#held;
    this.#held = [];
    for (const event of waiting) this.#dispatch(event);
  };

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
