/** Decodes the bytes of the terminal into events, wherever the chunks are cut. */
import { StringDecoder } from 'node:string_decoder';
import type { InputEvent, KeyEvent } from './events.ts';
import { GuessedPaste } from './guessed-paste.ts';
import { createIdleTimer, type IdleTimer, type Timers } from './idle-timer.ts';
import { characterEvent, controlEvent, keyEvent } from './key-names.ts';
import { Pasting } from './pasting.ts';
import { type Meaning, meaningOfCsi, meaningOfDcs, meaningOfOsc, meaningOfSs3 } from './sequence.ts';

export interface DecoderOptions {
  readonly onEvent: (event: InputEvent) => void;
  /** How long a lone ESC waits for the rest of a sequence. */
  readonly escapeTimeoutMs?: number | undefined;
  /** In tmux it is tmux that answers, which tells nothing about the pastes of the terminal around it. */
  readonly isTmux?: boolean | undefined;
  readonly timers?: Timers | undefined;
}

/**
 *     ground ─ESC→ escape ─[→ csi ─final→ ground        csi 200~ → paste (pasting.ts)
 *                    ├─O→ ss3 ─final→ ground            csi M → x10 ─3 bytes→ ground
 *                    ├─] P _ ^ X→ string ─BEL, ST→ ground
 *                    └─other→ Alt with that key
 */
type State = 'ground' | 'escape' | 'csi' | 'ss3' | 'string' | 'x10';

/** How long an incomplete sequence waits for its rest, because slow connections split sequences. */
const sequenceTimeoutMs = 1000;
const bodyMost = 256;
const stringMost = 8192;
const ESC = 0x1b;
const pasteMark = '\x1b[200~';

export class Decoder {
  readonly #emit: (event: InputEvent) => void;
  readonly #escapeTimeoutMs: number;
  readonly #idleTimer: IdleTimer;
  readonly #pasting: Pasting;
  readonly #guessed: GuessedPaste;
  readonly #utf8 = new StringDecoder('utf8');
  #state: State = 'ground';
  /** ESC bytes at the start of the sequence. Two are Alt in rxvt, or Escape and the start of something else. */
  #escapes = 0;
  #introducer = '';
  #body = '';
  #x10Left = 0;
  #isAlt = false;
  /** The beginning of a start mark whose rest did not come in time; the rest may still follow. */
  #cut = '';
  /** Whether the last byte of the text may have been one of several of a character. */
  #isInCharacter = false;
  /** How long the rest of a sequence is waited for once the chunk is read; null where no new wait begins. */
  #waitMs: number | null = null;

  constructor({ onEvent, escapeTimeoutMs = 50, isTmux, timers }: DecoderOptions) {
    this.#emit = onEvent;
    this.#escapeTimeoutMs = escapeTimeoutMs;
    this.#idleTimer = createIdleTimer(timers);
    this.#pasting = new Pasting({
      onText: (text, isMore) => onEvent({ type: 'paste', text, ...(isMore && { isMore }) }),
      onOpen: () => onEvent({ type: 'paste-open' }),
      onOver: (rest) => this.#scan(rest),
      timers,
    });
    this.#guessed = new GuessedPaste({
      onText: (text) => onEvent({ type: 'paste', text, isGuessed: true }),
      isTmux,
      timers,
    });
  }

  push(chunk: Buffer): void {
    const bytes = this.#cut === '' ? chunk : chunk.subarray(this.#joinCut(chunk));
    const [byte = 0] = bytes;
    // A single typed character, which is the usual case, needs none of the code below.
    const isGround = this.#state === 'ground' && !this.#pasting.isOn && this.#cut === '';
    if (isGround && this.#guessed.takes(bytes)) return;
    const isPlain = isGround && !this.#isInCharacter;
    if (bytes.length === 1 && isPlain && byte >= 0x20 && byte < 0x7f)
      this.#emit(characterEvent(String.fromCharCode(byte)));
    else this.#scan(bytes);
  }

  #scan(bytes: Buffer): void {
    this.#decode(bytes);
    // A sequence that came whole, which is the usual case, has set no timer.
    if (this.#waitMs !== null) this.#idleTimer.wait(this.#waitMs, this.#onTimeout);
    this.#waitMs = null;
  }

  #decode(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#pasting.isOn) {
        this.#pasting.add(bytes.subarray(at));
        return;
      }
      const run = this.#state === 'ground' ? textLength(bytes, at) : 0;
      if (run > 0) this.#text(bytes.subarray(at, at + run));
      else this.#step(bytes[at] ?? 0);
      at += Math.max(1, run);
    }
  }

  /**
   * Begins the paste when a chunk starts with what a cut start mark lacked, so that the Enter in it does not send.
   * Until then Escape or the first characters of the mark may have been decoded as keys.
   * @returns how many bytes of the chunk belong to the mark
   */
  #joinCut(bytes: Buffer): number {
    const missing = pasteMark.length - this.#cut.length;
    const joined = this.#cut + bytes.toString('latin1', 0, missing);
    this.#cut = pasteMark.startsWith(joined) ? joined : '';
    if (this.#cut !== pasteMark) return 0;
    this.#cut = '';
    this.#beginPaste();
    return missing;
  }

  #beginPaste(): void {
    this.#guessed.seeMark();
    this.#pasting.begin();
  }

  #step(byte: number): void {
    if (this.#state === 'escape') this.#afterEscape(byte);
    else if (this.#state === 'csi') this.#csi(byte);
    else if (this.#state === 'ss3') this.#ss3(byte);
    else if (this.#state === 'string') this.#string(byte);
    else if (this.#state === 'x10') {
      // Coordinates are never control characters, so the sequence ended early.
      if (byte < 0x20) this.#abort(byte);
      else if (--this.#x10Left === 0) this.#ground();
    } else if (byte === ESC) {
      this.#endText();
      this.#state = 'escape';
      this.#escapes = 1;
      this.#waitMs = this.#escapeTimeoutMs;
    } else if (isText(byte)) this.#text(Buffer.of(byte));
    else {
      this.#endText();
      this.#emit(controlEvent(byte));
    }
  }

  #text(bytes: Buffer): void {
    this.#isInCharacter = (bytes.at(-1) ?? 0) >= 0x80;
    for (const character of this.#utf8.write(bytes)) {
      const code = character.codePointAt(0) ?? 0;
      const event = characterEvent(character);
      if (code !== 0xfffd && !(code >= 0x80 && code < 0xa0)) this.#emit(this.#isAlt ? escaped(event) : event);
      this.#isAlt = false;
    }
  }

  /** A control ends the character before it. An incomplete character is dropped and not joined with what follows. */
  #endText(): void {
    if (this.#utf8.end() !== '') this.#isAlt = false;
    this.#isInCharacter = false;
  }

  #afterEscape(byte: number): void {
    if (byte === ESC) {
      if (++this.#escapes > 2) this.#settleEscapes(2);
      this.#waitMs = this.#escapeTimeoutMs;
    } else if ('[O]P_^X'.includes(String.fromCharCode(byte)) && byte < 0x80) this.#begin(byte);
    else {
      this.#settleEscapes(1);
      this.#ground();
      if (isText(byte)) {
        this.#isAlt = true;
        this.#text(Buffer.of(byte));
      } else this.#emit(escaped(controlEvent(byte)));
    }
  }

  #begin(byte: number): void {
    this.#introducer = String.fromCharCode(byte);
    this.#body = '';
    this.#state = byte === 0x5b ? 'csi' : byte === 0x4f ? 'ss3' : 'string';
    this.#waitMs = this.#escapeTimeoutMs;
  }

  #csi(byte: number): void {
    const isLinuxFunctionKey = byte === 0x5b && this.#body === '';
    const isRxvtShift = byte === 0x24 && /^\d+$/.test(this.#body);
    if (byte < 0x20 || byte >= 0x7f) this.#abort(byte);
    else if ((byte < 0x40 && !isRxvtShift) || isLinuxFunctionKey) this.#extend(byte, bodyMost);
    else if (this.#body.length >= bodyMost) this.#finish(null);
    else this.#finish(meaningOfCsi(this.#body, String.fromCharCode(byte), this.#escapes > 1));
  }

  #ss3(byte: number): void {
    if (byte < 0x20 || byte >= 0x7f) this.#abort(byte);
    else if (byte >= 0x30 && byte <= 0x3b) this.#extend(byte, bodyMost);
    else this.#finish(meaningOfSs3(this.#body, String.fromCharCode(byte), this.#escapes > 1));
  }

  /** OSC, DCS, APC, PM and SOS end with BEL or ST. An ESC that does not begin ST begins another sequence. */
  #string(byte: number): void {
    const isSt = this.#body.endsWith('\x1b') && byte === 0x5c;
    if (byte === 0x07 || isSt) {
      const content = isSt ? this.#body.slice(0, -1) : this.#body;
      if (this.#introducer === ']') this.#finish(meaningOfOsc(content));
      else this.#finish(this.#introducer === 'P' ? meaningOfDcs(content) : null);
    } else if (this.#body.endsWith('\x1b')) {
      this.#abort(ESC);
      this.#step(byte);
    } else if (byte === 0x18 || byte === 0x1a) this.#finish(null);
    else if (byte === ESC) {
      if (this.#body === '') this.#waitMs = sequenceTimeoutMs;
      this.#body += '\x1b';
    } else this.#extend(byte, stringMost);
  }

  #extend(byte: number, most: number): void {
    if (this.#body === '') this.#waitMs = sequenceTimeoutMs;
    if (this.#body.length < most) this.#body += String.fromCharCode(byte);
  }

  /** A control character inside a sequence ends it and is handled by itself. */
  #abort(byte: number): void {
    const altKey = this.#altKey();
    this.#settleEscapes(1);
    this.#ground();
    if (altKey !== null) this.#emit(altKey);
    this.#step(byte);
  }

  /** The key of a sequence of which nothing but the introducer has come, as it was typed with Alt; else null. */
  #altKey(): KeyEvent | null {
    const hasIntroducer = this.#state === 'csi' || this.#state === 'ss3' || this.#state === 'string';
    const isAlone = this.#body === '' || (this.#state === 'string' && this.#body === '\x1b');
    return hasIntroducer && isAlone ? escaped(characterEvent(this.#introducer)) : null;
  }

  #finish(meaning: Meaning): void {
    const isKey = meaning !== null && typeof meaning === 'object' && meaning.type === 'key';
    if (!isKey) this.#settleEscapes(1);
    this.#ground();
    if (meaning === 'paste') this.#beginPaste();
    else if (meaning === 'x10') {
      this.#state = 'x10';
      this.#x10Left = 3;
      this.#waitMs = sequenceTimeoutMs;
    } else if (meaning !== null) {
      if (meaning.type === 'reply') this.#guessed.hear(meaning);
      this.#emit(meaning);
    }
  }

  #ground(): void {
    this.#state = 'ground';
    this.#escapes = 0;
    this.#body = '';
    this.#waitMs = null;
    this.#idleTimer.cancel();
  }

  /** Emits the ESC bytes that came before the last `kept` ones as Escape keys. */
  #settleEscapes(kept: number): void {
    for (; this.#escapes > kept; this.#escapes--) this.#emit(keyEvent('escape'));
  }

  readonly #onTimeout = (): void => {
    const was = this.#state;
    const begun = was === 'escape' ? '\x1b' : `\x1b${this.#introducer}${this.#body}`;
    const altKey = this.#altKey();
    const isEscapeLast = this.#body === '\x1b';
    this.#settleEscapes(was === 'escape' ? 0 : 1);
    this.#ground();
    if (altKey !== null) this.#emit(altKey);
    if (isEscapeLast) this.#emit(keyEvent('escape'));
    this.#cut = pasteMark.startsWith(begun) ? begun : '';
  };
}

/** @returns how many bytes of text start at `at` */
function textLength(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && isText(bytes[end] ?? 0)) end++;
  return end - at;
}

/**
 * The key with Alt, which a terminal sends as ESC and the key. `afterEscape` is the key by itself, for a user who has
 * pressed Escape and then the key; Enter, Tab and Backspace have none, because Enter would send.
 */
function escaped(key: KeyEvent): KeyEvent {
  const [, ctrl = '', name = ''] = /^(ctrl\+)?(.+)$/s.exec(key.key) ?? [];
  const event = keyEvent(name, { ctrl: ctrl !== '', alt: true, shift: false });
  return ctrl === '' && key.text === '' ? event : { ...event, afterEscape: key };
}

/** Printable ASCII and all bytes of longer UTF-8 sequences. */
function isText(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f;
}
