/** The stdin that Ink's prompts read: nothing but plain typing, handed over one step at a time. */
import { EventEmitter } from 'node:events';
import type { InputEvent } from './events.ts';

const keyBytes: Readonly<Record<string, string>> = {
  enter: '\r',
  backspace: '\x7f',
  delete: '\x1b[3~',
  left: '\x1b[D',
  right: '\x1b[C',
};

/** Lets `callback` run when Ink has taken a step in: it renders and then rebinds its handlers, each in a turn of the loop. */
export type Settle = (callback: () => void) => void;

const turns = 4;

/** How long typing waits for its field to appear, in ms; a field that takes longer is not coming. */
const fieldTimeoutMs = 2000;

const settleInTurns: Settle = (callback) => {
  const turn = (left: number): void => {
    if (left === 0) callback();
    else setImmediate(turn, left - 1);
  };
  turn(turns);
};

/**
 * The part of `NodeJS.ReadStream` that Ink uses. Raw mode and the lifetime of the process belong to the real input, so
 * Ink's requests for them go nowhere. A field that has just got a key still holds the old value in its handlers, so the
 * next key waits until the first one has arrived; text typed meanwhile is joined. What is typed for a field that is not
 * drawn yet waits for it. `idle` is emitted when everything has been taken.
 */
export class PromptStdin extends EventEmitter {
  readonly isTTY = true;
  readonly #settle: Settle;
  #queue: { readonly bytes: string; readonly isText: boolean }[] = [];
  #ready: string[] = [];
  #isBusy = false;
  #waiting: NodeJS.Timeout | null = null;

  constructor(settle: Settle = settleInTurns) {
    super();
    this.#settle = settle;
    this.setMaxListeners(0);
    this.on('newListener', (name) => {
      if (name === 'readable' && this.#waiting !== null) this.#fieldCame();
    });
  }

  /** Whether something typed has not reached its field, or a field may be about to change. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  setRawMode(): this {
    return this;
  }

  setEncoding(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  read(): string | null {
    return this.#ready.shift() ?? null;
  }

  /** Typed text, a paste as one line, and the few keys that a single-line field knows; everything else is not for it. */
  forward(event: InputEvent): void {
    const isText = event.type === 'paste' || (event.type === 'key' && event.text !== '');
    const bytes = bytesOf(event);
    if (bytes === '') return;
    const last = this.#queue.at(-1);
    if (isText && last?.isText) this.#queue[this.#queue.length - 1] = { bytes: last.bytes + bytes, isText };
    else this.#queue.push({ bytes, isText });
    this.#next();
  }

  /** A command has run: when there is a field, it may give way to another one, so what follows waits for the frame. */
  afterCommand(): void {
    if (!this.#isBusy && this.listenerCount('readable') > 0) this.#rest();
  }

  /** Forgets what has not been handed over: the prompt is gone. */
  clear(): void {
    this.#queue = [];
    this.#ready = [];
    if (this.#waiting !== null) this.#fieldCame();
  }

  #next(): void {
    if (this.#isBusy || this.#queue.length === 0) return;
    if (this.listenerCount('readable') === 0) this.#waitForField();
    else this.#handOver();
  }

  #handOver(): void {
    const item = this.#queue.shift();
    if (item === undefined) return;
    this.#ready.push(item.bytes);
    this.emit('readable');
    this.#rest();
  }

  #rest(): void {
    this.#isBusy = true;
    this.#settle(() => {
      this.#isBusy = false;
      this.#next();
      if (!this.#isBusy) this.emit('idle');
    });
  }

  #waitForField(): void {
    this.#isBusy = true;
    this.#waiting = setTimeout(() => this.clear(), fieldTimeoutMs).unref();
  }

  #fieldCame(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    this.#waiting = null;
    this.#rest();
  }
}

function bytesOf(event: InputEvent): string {
  if (event.type === 'paste') return event.text.replaceAll('\n', ' ').trim();
  if (event.type !== 'key') return '';
  return event.text !== '' ? event.text : (keyBytes[event.key] ?? '');
}
