/** Translates one complete escape sequence into its event. */
import type { InputEvent, MouseEvent } from './events.ts';
import {
  characterEvent,
  codePointEvent,
  keyEvent,
  keypadKeys,
  letterKeys,
  type Modifiers,
  tildeKeys,
} from './key-names.ts';

/**
 * `paste`: what follows up to the end mark is pasted text. `x10`: three more bytes belong to it. null: the sequence is
 * ignored.
 */
export type Meaning = InputEvent | 'paste' | 'x10' | null;

/**
 * @param body everything between `CSI` and the final byte
 * @param alt the sequence came after a further ESC (rxvt's Alt)
 */
export function meaningOfCsi(body: string, final: string, alt: boolean): Meaning {
  const marker = /^[<=>?]/.test(body) ? body.charAt(0) : '';
  if (marker === '<') return final === 'M' || final === 'm' ? mouse(body.slice(1), final) : null;
  if (marker === '?') return reply(body.slice(1), final);
  if (marker !== '' || /[ -#%-/]/.test(body)) return null;
  if (body === '') return bareCsi(final, alt);
  return csiWithNumbers(body, final, alt);
}

/** @param body digits of an old modifier form (`SS3 5 A`), mostly nothing */
export function meaningOfSs3(body: string, final: string, alt: boolean): InputEvent | null {
  const modifiers = withAlt(legacyModifiers(body === '' ? 1 : Number(body)), alt);
  if (/[a-d]/.test(final)) return keyEvent(letterKeys[final.toUpperCase()] ?? '', { ...modifiers, ctrl: true });
  const name = letterKeys[final];
  if (name !== undefined) return keyEvent(name, modifiers);
  const keypad = keypadKeys[final];
  if (keypad === undefined) return null;
  if (keypad === 'space') return characterEvent(' ', modifiers);
  return keypad.length === 1 ? characterEvent(keypad, modifiers) : keyEvent(keypad, modifiers);
}

export function meaningOfOsc(body: string): InputEvent | null {
  return body.startsWith('99;') ? notificationReply(body) : background(body);
}

/** `OSC 99 ; i=id:p=? ; …` answers the question about notifications, `OSC 99 ; i=id ;` reports a click. */
function notificationReply(body: string): InputEvent | null {
  const [, metadata = '', payload = ''] = body.split(';');
  const keys = metadata.split(':');
  if (keys.includes('p=?')) return { type: 'reply', reply: 'notifications' };
  const id = keys.find((key) => key.startsWith('i='))?.slice(2) ?? '';
  const isClick = /^[a-zA-Z0-9-]+$/.test(id) && !keys.some((key) => key.startsWith('p=')) && payload === '';
  return isClick ? { type: 'reply', reply: 'notification-click', id } : null;
}

/** `OSC 11 ; rgb:RRRR/GGGG/BBBB`, any number of digits from one to four. */
function background(body: string): InputEvent | null {
  const match = /^11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(body);
  if (match === null) return null;
  const [red, green, blue] = match
    .slice(1)
    .map((hex) => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255));
  return { type: 'reply', reply: 'background', rgb: [red ?? 0, green ?? 0, blue ?? 0] };
}

/** `DCS > | name ST`: XTVERSION. */
export function meaningOfDcs(body: string): InputEvent | null {
  return body.startsWith('>|')
    ? { type: 'reply', reply: 'version', text: body.slice(2).replace(/[^\x20-\x7e]/g, '') }
    : null;
}

function bareCsi(final: string, alt: boolean): Meaning {
  if (final === 'I' || final === 'O') return { type: 'focus', focused: final === 'I' };
  if (final === 'M') return 'x10';
  if (final === 'Z') return keyEvent('tab', { ctrl: false, alt, shift: true });
  if (/[a-d]/.test(final)) return keyEvent(letterKeys[final.toUpperCase()] ?? '', { ctrl: false, alt, shift: true });
  const name = letterKeys[final];
  return name === undefined ? null : keyEvent(name, { ctrl: false, alt, shift: false });
}

function csiWithNumbers(body: string, final: string, alt: boolean): Meaning {
  const fields = body.split(';');
  const first = Number.parseInt(fields[0] ?? '', 10);
  if (/^\[[A-E]$/.test(body + final))
    return keyEvent(`f${final.charCodeAt(0) - 0x40}`, withAlt(legacyModifiers(1), alt));
  if (final === 'u') return kitty(fields, alt);
  if (final === 't') return sizeInPixels(body);
  if (final === '~' && first === 27 && fields.length === 3)
    return codePointEvent(Number(fields[2]), withAlt(legacyModifiers(Number(fields[1])), alt));
  if (final === '~' && first === 200) return 'paste';
  if (/[~^$@]/.test(final)) return tilde(first, final, fields[1], alt);
  const name = final === 'Z' ? 'tab' : letterKeys[final];
  // `CSI 1 ; modifiers X`, or the modifiers alone. Other numbers are reports: a cursor position ends like F3.
  if (name === undefined || fields.length > 2 || (fields.length === 2 && first !== 1)) return null;
  const modifiers = pressed(fields.at(-1));
  return modifiers === null
    ? null
    : keyEvent(name, { ...withAlt(modifiers, alt), shift: modifiers.shift || final === 'Z' });
}

/** `CSI 6 ; height ; width t` is the size of a cell, with 4 that of all cells together. */
function sizeInPixels(body: string): InputEvent | null {
  const match = /^([46]);(\d{1,5});(\d{1,5})$/.exec(body);
  if (match === null) return null;
  const size = { width: Number(match[3]), height: Number(match[2]) };
  return { type: 'reply', reply: match[1] === '6' ? 'cell-size' : 'text-area', ...size };
}

/** rxvt marks modifiers by the final byte: `^` Ctrl, `$` Shift, `@` both. */
function tilde(code: number, final: string, field: string | undefined, alt: boolean): InputEvent | null {
  const name = tildeKeys[code];
  const modifiers = pressed(field);
  if (name === undefined || modifiers === null) return null;
  return keyEvent(name, {
    ctrl: modifiers.ctrl || final === '^' || final === '@',
    alt: modifiers.alt || alt,
    shift: modifiers.shift || final === '$' || final === '@',
  });
}

/**
 * Reads `code:shifted:base ; modifiers:event ; text`. Keys with Super or Hyper are ignored. With Ctrl or Alt, a key of
 * another alphabet means the Latin letter that a US keyboard has in its place (`base`).
 */
function kitty(fields: readonly string[], alt: boolean): InputEvent | null {
  const [code, shifted, base = 0] = (fields[0] ?? '').split(':').map((part) => Number.parseInt(part, 10));
  const [value = '1', kind] = (fields[1] ?? '').split(':');
  const bits = (Number.parseInt(value, 10) || 1) - 1;
  if (code === undefined || Number.isNaN(code) || kind === '3' || (bits & 0b11000) !== 0) return null;
  const modifiers = { shift: (bits & 1) !== 0, alt: alt || (bits & 0b100010) !== 0, ctrl: (bits & 4) !== 0 };
  const isLetter = base >= 0x61 && base <= 0x7a;
  if (isLetter && code >= 0x80 && (modifiers.ctrl || modifiers.alt)) return codePointEvent(base, modifiers);
  return codePointEvent(
    code,
    modifiers,
    shifted === undefined || Number.isNaN(shifted) || shifted > 0x10ffff ? undefined : shifted,
  );
}

/** The modifier field of cursor and function keys, maybe with kitty's event kind; null: the key was released. */
function pressed(field: string | undefined): Modifiers | null {
  const [value = '', kind] = (field ?? '').split(':');
  return kind === '3' ? null : legacyModifiers(Number.parseInt(value, 10) || 1);
}

/** xterm: 1 + Shift 1, Alt 2, Ctrl 4, Meta 8; Meta is what iTerm2 and others call Alt. */
function legacyModifiers(value: number): Modifiers {
  const bits = Math.max(0, (Number.isFinite(value) ? value : 1) - 1);
  return { shift: (bits & 1) !== 0, alt: (bits & 0b1010) !== 0, ctrl: (bits & 4) !== 0 };
}

function withAlt(modifiers: Modifiers, alt: boolean): Modifiers {
  return alt ? { ...modifiers, alt } : modifiers;
}

/** SGR 1006: `button ; column ; row`, from 1; `m` is a release. */
function mouse(body: string, final: 'M' | 'm'): MouseEvent | null {
  const match = /^(\d{1,4});(\d{1,6});(\d{1,6})$/.exec(body);
  if (match === null) return null;
  const bits = Number(match[1]);
  const base = bits & 3;
  const isWheel = (bits & 64) !== 0;
  if (bits >= 128 || (isWheel && base > 1)) return null;
  const isMotion = (bits & 32) !== 0;
  return {
    type: 'mouse',
    action: isWheel
      ? base === 0
        ? 'wheel-up'
        : 'wheel-down'
      : final === 'm'
        ? 'release'
        : isMotion
          ? base === 3
            ? 'move'
            : 'drag'
          : 'press',
    button: isWheel ? 'none' : ((['left', 'middle', 'right', 'none'] as const)[base] ?? 'none'),
    x: Math.max(0, Number(match[2]) - 1),
    y: Math.max(0, Number(match[3]) - 1),
    ctrl: (bits & 16) !== 0,
    alt: (bits & 8) !== 0,
    shift: (bits & 4) !== 0,
  };
}

function reply(body: string, final: string): InputEvent | null {
  if (final === 'c') {
    // The first number is the class of the terminal.
    const attributes = body.split(';').slice(1).map(Number).filter(Number.isInteger);
    return { type: 'reply', reply: 'device-attributes', attributes };
  }
  if (final === 'u') return { type: 'reply', reply: 'kitty-keyboard', flags: Number.parseInt(body, 10) || 0 };
  if (final === 'n' && /^997;[12]$/.test(body))
    return { type: 'reply', reply: 'colour-scheme', isLight: body === '997;2' };
  return null;
}
