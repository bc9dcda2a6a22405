/** A state machine that decodes bytes of the terminal to events, however they were cut into chunks. */
import { StringDecoder } from 'node:string_decoder';
import type { InputEvent, KeyEvent } from './events.ts';
import { createQuiet, type Timers } from './idle-timer.ts';
import { characterEvent, controlEvent, keyEvent } from './key-names.ts';
import { createPasting } from './pasting.ts';
import { type Meaning, meaningOfCsi, meaningOfDcs, meaningOfOsc, meaningOfSs3 } from './sequence.ts';

export interface DecoderOptions {
  readonly onEvent: (event: InputEvent) => void;
  /** How long a lone ESC waits for the rest of a sequence. */
  readonly escapeTimeoutMs?: number;
  readonly timers?: Timers;
}

export interface Decoder {
  push(bytes: Buffer): void;
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

export function createDecoder(options: DecoderOptions): Decoder {
  const emit = options.onEvent;
  const escapeTimeoutMs = options.escapeTimeoutMs ?? 50;
  let state: State = 'ground';
  /** ESC bytes seen at the start of the sequence: two make rxvt's Alt, or Escape and then something. */
  let escapes = 0;
  let body = '';
  let introducer = '';
  let x10Left = 0;
  let altText = false;
  /** The beginning of a start mark that was given up: a line may stop in the middle of it. */
  let cut = '';
  /** The last byte of the text may have been one of several of a character. */
  let isInCharacter = false;
  const utf8 = new StringDecoder('utf8');
  const quiet = createQuiet(options.timers);
  const pasting = createPasting({
    onText: (pastedText) => emit({ type: 'paste', text: pastedText }),
    onOpen: () => emit({ type: 'paste-open' }),
    onOver: (rest) => scan(rest),
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  });

  const arm = (ms: number): void => quiet.wait(ms, timeout);
  const ground = (): void => {
    state = 'ground';
    escapes = 0;
    body = '';
    quiet.cancel();
  };

  /** Characters end where a control begins: half of one is dropped, not joined with what follows. */
  const text = (bytes: Buffer): void => {
    isInCharacter = (bytes.at(-1) ?? 0) >= 0x80;
    for (const character of utf8.write(bytes)) typed(character);
  };
  const endText = (): void => {
    if (utf8.end() !== '') altText = false;
    isInCharacter = false;
  };
  const typed = (character: string): void => {
    const code = character.codePointAt(0) ?? 0;
    if (code !== 0xfffd && !(code >= 0x80 && code < 0xa0))
      emit(altText ? escaped(characterEvent(character)) : characterEvent(character));
    altText = false;
  };

  /** Emits the ESC bytes that came before the last `kept` ones as Escape keys. */
  const settleEscapes = (kept: number): void => {
    for (; escapes > kept; escapes--) emit(keyEvent('escape'));
  };

  const finish = (meaning: Meaning): void => {
    const isKey = meaning !== null && typeof meaning === 'object' && meaning.type === 'key';
    if (!isKey) settleEscapes(1);
    ground();
    if (meaning === 'paste') pasting.begin();
    else if (meaning === 'x10') {
      state = 'x10';
      x10Left = 3;
      arm(sequenceTimeoutMs);
    } else if (meaning !== null) emit(meaning);
  };

  const timeout = (): void => {
    const was = state;
    const begun = was === 'escape' ? '\x1b' : `\x1b${introducer}${body}`;
    if (was === 'escape') {
      settleEscapes(0);
      ground();
    } else {
      // Nothing followed: Alt was pressed with the character that would begin a sequence.
      const isAlt = body === '' && was !== 'x10';
      settleEscapes(1);
      ground();
      if (isAlt) emit(escaped(characterEvent(introducer)));
    }
    cut = pasteMark.startsWith(begun) ? begun : '';
  };

  /**
   * What a cut start mark lacks, at the beginning of a chunk: the paste begins there, so that its Enter does not send. Of
   * the mark itself Escape or a few of its characters may have been typed.
   * @returns how many bytes of the chunk belong to the mark
   */
  const joinCut = (bytes: Buffer): number => {
    const missing = pasteMark.length - cut.length;
    const joined = cut + bytes.toString('latin1', 0, missing);
    cut = pasteMark.startsWith(joined) ? joined : '';
    if (cut !== pasteMark) return 0;
    cut = '';
    pasting.begin();
    return missing;
  };

  /** @returns how many bytes of a run of text start at `at` */
  const runLength = (bytes: Buffer, at: number): number => {
    let end = at;
    while (end < bytes.length && isText(bytes[end] ?? 0)) end++;
    return end - at;
  };

  const begin = (byte: number): void => {
    introducer = String.fromCharCode(byte);
    body = '';
    state = byte === 0x5b ? 'csi' : byte === 0x4f ? 'ss3' : 'string';
    arm(escapeTimeoutMs);
  };

  const afterEscape = (byte: number): void => {
    if (byte === ESC) {
      if (++escapes > 2) settleEscapes(2);
      arm(escapeTimeoutMs);
    } else if ('[O]P_^X'.includes(String.fromCharCode(byte)) && byte < 0x80) begin(byte);
    else {
      settleEscapes(1);
      ground();
      if (isText(byte)) {
        altText = true;
        text(Buffer.of(byte));
      } else emit(escaped(controlEvent(byte)));
    }
  };

  /** A control character inside a sequence ends it and is handled by itself. */
  const abort = (byte: number): void => {
    settleEscapes(1);
    ground();
    step(byte);
  };

  const extend = (byte: number, most: number): void => {
    if (body === '') arm(sequenceTimeoutMs);
    if (body.length < most) body += String.fromCharCode(byte);
  };

  const csi = (byte: number): void => {
    const isLinuxFunctionKey = byte === 0x5b && body === '';
    const isRxvtShift = byte === 0x24 && /^\d+$/.test(body);
    if (byte < 0x20 || byte >= 0x7f) abort(byte);
    else if ((byte < 0x40 && !isRxvtShift) || isLinuxFunctionKey) extend(byte, bodyMost);
    else finish(body.length >= bodyMost ? null : meaningOfCsi(body, String.fromCharCode(byte), escapes > 1));
  };

  const ss3 = (byte: number): void => {
    if (byte < 0x20 || byte >= 0x7f) abort(byte);
    else if (byte >= 0x30 && byte <= 0x3b) extend(byte, bodyMost);
    else finish(meaningOfSs3(body, String.fromCharCode(byte), escapes > 1));
  };

  /** OSC, DCS, APC, PM, SOS: to BEL or ST; an ESC that does not begin ST begins something new. */
  const string = (byte: number): void => {
    const isSt = body.endsWith('\x1b') && byte === 0x5c;
    if (byte === 0x07 || isSt) {
      const content = isSt ? body.slice(0, -1) : body;
      finish(introducer === ']' ? meaningOfOsc(content) : introducer === 'P' ? meaningOfDcs(content) : null);
    } else if (body.endsWith('\x1b')) {
      settleEscapes(1);
      ground();
      step(ESC);
      step(byte);
    } else if (byte === 0x18 || byte === 0x1a) finish(null);
    else if (byte === ESC) {
      if (body === '') arm(sequenceTimeoutMs);
      body += '\x1b';
    } else extend(byte, stringMost);
  };

  const step = (byte: number): void => {
    if (state === 'escape') afterEscape(byte);
    else if (state === 'csi') csi(byte);
    else if (state === 'ss3') ss3(byte);
    else if (state === 'string') string(byte);
    else if (state === 'x10') {
      // Coordinates are never control characters, so the sequence ended early.
      if (byte < 0x20) abort(byte);
      else if (--x10Left === 0) ground();
    } else if (byte === ESC) {
      endText();
      state = 'escape';
      escapes = 1;
      arm(escapeTimeoutMs);
    } else if (isText(byte)) text(Buffer.of(byte));
    else {
      endText();
      emit(controlEvent(byte));
    }
  };

  const scan = (bytes: Buffer): void => {
    for (let at = cut === '' ? 0 : joinCut(bytes); at < bytes.length; ) {
      if (pasting.isOn) {
        pasting.add(bytes.subarray(at));
        return;
      }
      const run = state === 'ground' ? runLength(bytes, at) : 0;
      if (run > 0) text(bytes.subarray(at, at + run));
      else step(bytes[at] ?? 0);
      at += Math.max(1, run);
    }
  };

  return {
    push(bytes) {
      const [byte = 0] = bytes;
      // Fast path: nearly always one typed key.
      const isPlain = state === 'ground' && !pasting.isOn && cut === '' && !isInCharacter;
      if (bytes.length === 1 && isPlain && byte >= 0x20 && byte < 0x7f) emit(characterEvent(String.fromCharCode(byte)));
      else scan(bytes);
    },
  };
}

/**
 * The key with Alt, as it came behind an ESC. Of Enter, Tab and Backspace it is nothing else: what Enter does behind an
 * Escape is to send.
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
