/** The stdin that Ink's text fields read. It hands over plain typing, one key at a time. */
import { EventEmitter } from 'node:events';
import type { InputEvent } from './events.ts';

const keyBytes: Readonly<Record<string, string>> = {
  enter: '\r',
  backspace: '\x7f',
  delete: '\x1b[3~',
  left: '\x1b[D',
  right: '\x1b[C',
};

/** Calls back when Ink has taken in a key: it renders and binds its handlers anew, each in a turn of the event loop. */
export type Settle = (callback: () => void) => void;

const turns = 4;

/** How long typing waits for its field to appear. After that no field is expected any more. */
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
 * Ink's requests for them do nothing. After a key the handlers of a field still hold its old value, so the next key
 * waits until Ink has bound new ones; text that is typed meanwhile is joined. What is typed for a field that is not
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

  /** Takes typed text, a paste as one line, and the few keys that a one-line field knows; ignores everything else. */
  forward(event: InputEvent): void {
    const isText = event.type === 'paste' || (event.type === 'key' && event.text !== '');
    const bytes = bytesOf(event);
    if (bytes === '') return;
    const last = this.#queue.at(-1);
    if (isText && last?.isText) this.#queue[this.#queue.length - 1] = { bytes: last.bytes + bytes, isText };
    else this.#queue.push({ bytes, isText });
    this.#next();
  }

  /** Call when a command has run. It may have replaced the field, so what is typed next waits for the frame. */
  afterCommand(): void {
    if (!this.#isBusy && this.listenerCount('readable') > 0) this.#rest();
  }

  /** Forgets what has not been handed over, because the prompt is gone. */
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
