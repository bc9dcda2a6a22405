/** Follows a paste from its start mark to its end, in however many chunks and with whatever pauses it comes. */

import { createIdleTimer, type IdleTimer, type Timers } from './idle-timer.ts';
import { cleanPaste, Gatherer, PasteReader } from './paste.ts';
import { meaningOfCsi } from './sequence.ts';

export interface PastingOptions {
  /** Gets pasted text, which is clean and never empty. `isMore`: it belongs to the text before. */
  readonly onText: (text: string, isMore: boolean) => void;
  /** Called when more text has come after a pause: the user should know that typing still counts as pasted. */
  readonly onOpen: () => void;
  /** Gets what came in the same burst as the end mark and is no part of the paste. */
  readonly onOver: (rest: Buffer) => void;
  readonly timers?: Timers | undefined;
}

/** After this silence the text so far is shown. What comes later still belongs to the paste. */
const idleMs = 5000;
/** The silence before and after Ctrl-C that distinguishes a key from a pasted character. */
const aloneMs = 1000;
/**
 * A clipboard that holds an end mark makes the terminal send two (kitty#616). What comes in the same burst and before
 * another mark was therefore pasted, not typed.
 */
const burstMs = 25;
/** A paste with more bytes is shown in several parts. */
const most = 32 << 20;

/**
 * A paste ends at its end mark. Until then no byte is taken for a key, because a text may contain the bytes of every key:
 * Enter in all its forms becomes a newline or visible characters, and nothing is sent. When the end mark was lost (5 s of
 * silence), the keyboard comes back with another paste, which brings an end mark, or with Ctrl-C, pressed any number of
 * times, after and before a second of silence. A pasted text could do that only if it held Ctrl-C and the line stopped three
 * times just there. The text loses its controls and marks, wherever it is cut.
 */
export class Pasting {
  readonly #options: PastingOptions;
  readonly #pasted = new PasteReader();
  readonly #after = new Gatherer();
  readonly #idleTimer: IdleTimer;
  #state: 'off' | 'paste' | 'after' = 'off';
  /** Whether nothing has come for `idleMs`, so that the end mark may be lost. */
  #isStalled = false;
  /** Whether nothing but Ctrl-C has come after a second of silence. */
  #isAlone = false;
  /** Whether the paste has shown a text. */
  #hasShown = false;
  /** The Ctrl-C that have come since then. */
  #keys: Buffer[] = [];

  constructor(options: PastingOptions) {
    this.#options = options;
    this.#idleTimer = createIdleTimer(options.timers);
  }

  /** Whether bytes belong to the paste. */
  get isOn(): boolean {
    return this.#state !== 'off';
  }

  /** Call when the start mark has come. */
  begin(): void {
    if (this.#state === 'off') this.#hasShown = false;
    this.#state = 'paste';
    this.#isStalled = false;
    this.#isAlone = false;
    this.#idleTimer.wait(idleMs, this.#stall);
  }

  add(bytes: Buffer): void {
    for (let rest: Buffer | null = bytes; rest !== null && rest.length > 0; )
      rest = this.#state === 'after' ? this.#addAfter(rest) : this.#addToPaste(rest);
  }

  /** @returns what follows the end mark; null when it has not come */
  #addToPaste(chunk: Buffer): Buffer | null {
    if (this.#isStalled && this.#isAlone && isInterrupt(chunk)) {
      this.#keys.push(chunk);
      this.#idleTimer.wait(aloneMs, this.#giveUp);
      return null;
    }
    this.#isAlone = false;
    const found = this.#pasted.add(Buffer.concat([...this.#keys, chunk]));
    this.#keys = [];
    if (found !== null) this.#end(found.text);
    else if (this.#isStalled) this.#idleTimer.wait(burstMs, this.#goOn);
    else {
      if (this.#pasted.length > most) this.#show(this.#pasted.drain());
      this.#idleTimer.wait(idleMs, this.#stall);
    }
    return found?.rest ?? null;
  }

  /** @returns what follows another mark; null when none has come */
  #addAfter(chunk: Buffer): Buffer | null {
    const found = this.#after.add(chunk);
    if (found === null) {
      if (this.#after.length > most) this.#leave();
      else this.#idleTimer.wait(burstMs, this.#leave);
      return null;
    }
    this.#show(cleanPaste(found.before));
    if (found.mark === 'start') this.begin();
    else this.#end('');
    return found.rest;
  }

  #show(text: string): void {
    if (text === '') return;
    this.#options.onText(text, this.#hasShown);
    this.#hasShown = true;
  }

  #end(text: string): void {
    this.#state = 'after';
    this.#show(text);
    this.#idleTimer.wait(burstMs, this.#leave);
  }

  readonly #leave = (): void => {
    this.#idleTimer.cancel();
    this.#state = 'off';
    this.#options.onOver(this.#after.take());
  };

  readonly #stall = (): void => {
    this.#isStalled = true;
    this.#isAlone = true;
    this.#show(this.#pasted.drain());
  };

  /** Runs when a burst that came after the pause is over. */
  readonly #goOn = (): void => {
    this.#show(this.#pasted.drain());
    this.#options.onOpen();
    this.#idleTimer.wait(aloneMs - burstMs, () => {
      this.#isAlone = true;
    });
  };

  /** Ends a paste whose end mark was lost; the Ctrl-C that asked for it are dropped. */
  readonly #giveUp = (): void => {
    this.#keys = [];
    this.#state = 'off';
    this.#show(this.#pasted.take());
  };
}

/** Whether the chunk is nothing but Ctrl-C, as plain terminals or the protocols of kitty and xterm send it. */
function isInterrupt(chunk: Buffer): boolean {
  const short = chunk.subarray(0, 64).toString('latin1');
  const plain = short.replace(/\x1b\[([\d;:]+)([u~])/g, (sequence, body: string, final: string) => {
    const meaning = meaningOfCsi(body, final, false);
    return meaning !== null && typeof meaning === 'object' && 'key' in meaning && meaning.key === 'ctrl+c'
      ? '\x03'
      : sequence;
  });
  return chunk.length <= 64 && /^\x03+$/.test(plain);
}
