/** What is pasted, from its start mark to its end, in however many pieces and with whatever pauses it comes. */

import { createQuiet, type Timers } from './idle-timer.ts';
import { cleanPaste, createGatherer, createPasteReader } from './paste.ts';
import { meaningOfCsi } from './sequence.ts';

export interface PastingOptions {
  /** Clean, never empty. */
  readonly onText: (text: string) => void;
  /** More has come after a pause in which the end was missed: whoever types should know that it is still pasted. */
  readonly onOpen: () => void;
  /** What came in the burst of the end mark, and is no part of the paste. */
  readonly onOver: (rest: Buffer) => void;
  readonly timers?: Timers;
}

/**
 * The rule: a paste ends at its end mark. Until then no byte is a key, however the bytes are cut and wherever they stop,
 * as a text may hold every key: Enter in all its forms is a newline or visible rubbish, and nothing sends. A terminal whose
 * end mark was lost (5 s of silence) gets the keyboard back by another paste, which brings an end mark, or by Ctrl-C, any
 * number of times, with a second of silence before and after it. So only a text that holds Ctrl-C, on a line that stops
 * three times just there, could end itself. What a text loses are its controls and marks, wherever it is cut.
 */
export interface Pasting {
  /** Whether bytes belong here. */
  readonly isOn: boolean;
  /** The start mark has come. */
  begin(): void;
  add(bytes: Buffer): void;
}

/** Then what has come is shown; what still comes is pasted, too. */
const idleMs = 5000;
/** A pause around Ctrl-C; nobody keeps it by chance. */
const aloneMs = 1000;
/**
 * A clipboard that holds an end mark makes the terminal send two (kitty#616): what comes in the same burst and before
 * another mark was pasted, not typed.
 */
const burstMs = 25;
/** A longer paste is shown in several parts. */
const most = 32 << 20;

export function createPasting({ onText, onOpen, onOver, timers }: PastingOptions): Pasting {
  let state: 'off' | 'paste' | 'after' = 'off';
  /** The end was missed for seconds. */
  let isStalled = false;
  /** A second of silence, and since then nothing but Ctrl-C. */
  let isAlone = false;
  /** Ctrl-C so far. */
  let keys: Buffer[] = [];
  const pasted = createPasteReader();
  const after = createGatherer();
  const quiet = createQuiet(timers);

  const show = (text: string): void => {
    if (text !== '') onText(text);
  };
  const begin = (): void => {
    state = 'paste';
    isStalled = false;
    isAlone = false;
    quiet.wait(idleMs, stall);
  };
  const stall = (): void => {
    isStalled = true;
    isAlone = true;
    show(pasted.drain());
  };
  const end = (text: string): void => {
    state = 'after';
    show(text);
    quiet.wait(burstMs, leave);
  };
  const leave = (): void => {
    quiet.cancel();
    state = 'off';
    onOver(after.take());
  };

  /** Behind a piece that came after the pause. */
  const goOn = (): void => {
    show(pasted.drain());
    onOpen();
    quiet.wait(aloneMs - burstMs, () => {
      isAlone = true;
    });
  };
  const giveBack = (): void => {
    keys = [];
    state = 'off';
    show(pasted.take());
  };

  /** @returns what is behind the end mark; null: it has not come */
  const addToPaste = (chunk: Buffer): Buffer | null => {
    if (isStalled && isAlone && isInterrupt(chunk)) {
      keys.push(chunk);
      quiet.wait(aloneMs, giveBack);
      return null;
    }
    isAlone = false;
    const found = pasted.add(Buffer.concat([...keys, chunk]));
    keys = [];
    if (found !== null) end(found.text);
    else if (isStalled) quiet.wait(burstMs, goOn);
    else {
      if (pasted.length > most) show(pasted.drain());
      quiet.wait(idleMs, stall);
    }
    return found?.rest ?? null;
  };

  /** @returns what is behind another mark; null: none has come */
  const addAfter = (chunk: Buffer): Buffer | null => {
    const found = after.add(chunk);
    if (found === null) {
      if (after.length > most) leave();
      else quiet.wait(burstMs, leave);
      return null;
    }
    show(cleanPaste(found.before));
    if (found.mark === 'start') begin();
    else end('');
    return found.rest;
  };

  return {
    get isOn() {
      return state !== 'off';
    },
    begin,
    add(bytes) {
      for (let rest: Buffer | null = bytes; rest !== null && rest.length > 0; )
        rest = state === 'after' ? addAfter(rest) : addToPaste(rest);
    },
  };
}

/** Nothing but Ctrl-C, as plain terminals and as those with kitty's or xterm's protocol send it. */
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
