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
 * next key waits until the first one has arrived; text typed meanwhile is joined.
 */
export class PromptStdin extends EventEmitter {
  readonly isTTY = true;
  readonly #settle: Settle;
  #queue: { readonly bytes: string; readonly isText: boolean }[] = [];
  #ready: string[] = [];
  #isBusy = false;

  constructor(settle: Settle = settleInTurns) {
    super();
    this.#settle = settle;
    this.setMaxListeners(0);
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

  /** Forgets what has not been handed over: the prompt is gone. */
  clear(): void {
    this.#queue = [];
    this.#ready = [];
  }

  #next(): void {
    if (this.#isBusy) return;
    const item = this.#queue.shift();
    if (item === undefined) return;
    this.#isBusy = true;
    this.#ready.push(item.bytes);
    this.emit('readable');
    this.#settle(() => {
      this.#isBusy = false;
      this.#next();
    });
  }
}

function bytesOf(event: InputEvent): string {
  if (event.type === 'paste') return event.text.replaceAll('\n', ' ').trim();
  if (event.type !== 'key') return '';
  return event.text !== '' ? event.text : (keyBytes[event.key] ?? '');
}
