/**
 * Has the tables of the codes that terminals send for keys, and makes key events with canonical names (`events.ts`).
 */
import type { KeyEvent } from './events.ts';

export interface Modifiers {
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

const noModifiers: Modifiers = { ctrl: false, alt: false, shift: false };

/** Final bytes of `CSI … X` and `SS3 X`: cursor and function keys of xterm, vt220 and kitty. */
export const letterKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
};

/** `SS3 X` of the application keypad: what the key types, or its name. */
export const keypadKeys: Readonly<Record<string, string>> = {
  M: 'enter',
  I: 'tab',
  ' ': 'space',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
};

/** `CSI n ~`: vt220, xterm, rxvt, linux. */
export const tildeKeys: Readonly<Record<number, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pageup',
  6: 'pagedown',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
};

/** Keys without a character of their own in kitty's private range; keypad digits type. */
const kittyKeys: Readonly<Record<number, string>> = {
  57409: '.',
  57410: '/',
  57411: '*',
  57412: '-',
  57413: '+',
  57414: 'enter',
  57415: '=',
  57416: ',',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pageup',
  57422: 'pagedown',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
};

/** Characters with a name; the four that Ctrl makes of letters keep their meaning under every protocol. */
const named: Readonly<Record<number, string>> = {
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  27: 'escape',
  32: 'space',
  127: 'backspace',
};
const ctrlNames: Readonly<Record<string, string>> = { h: 'backspace', i: 'tab', m: 'enter', '[': 'escape' };

export function keyEvent(name: string, modifiers: Modifiers = noModifiers): KeyEvent {
  const { ctrl, alt, shift } = modifiers;
  const prefix = `${ctrl ? 'ctrl+' : ''}${alt ? 'alt+' : ''}${shift ? 'shift+' : ''}`;
  return { type: 'key', key: prefix + name, text: '' };
}

/** A character as typed; with Ctrl or Alt it types nothing. */
export function characterEvent(character: string, modifiers: Modifiers = noModifiers): KeyEvent {
  const { ctrl, alt } = modifiers;
  const name = character === ' ' ? 'space' : character;
  if (!ctrl && !alt) return { type: 'key', key: name, text: character };
  return keyEvent(name, { ctrl, alt, shift: false });
}

/**
 * What C0 controls and DEL mean as keys. LF is `ctrl+j`, so that it can be distinguished from Enter; BS is Backspace.
 * @param code 0–31 or 127
 */
export function controlEvent(code: number): KeyEvent {
  const name = named[code];
  if (name !== undefined) return keyEvent(name);
  const character = code === 0 ? 'space' : String.fromCharCode(code + (code < 27 ? 0x60 : 0x40));
  return keyEvent(character, { ctrl: true, alt: false, shift: false });
}

/**
 * A key reported by its Unicode code point (kitty's CSI u, xterm's modifyOtherKeys).
 * @param shifted the code point with Shift, when the terminal says it
 * @returns null for keys that have no name here (Caps Lock, media keys, lone modifiers)
 */
export function codePointEvent(code: number, modifiers: Modifiers, shifted?: number): KeyEvent | null {
  if (code >= 57399 && code <= 57408) return characterEvent(String(code - 57399), modifiers);
  const functional = kittyKeys[code];
  if (functional !== undefined)
    return functional.length === 1 ? characterEvent(functional, modifiers) : keyEvent(functional, modifiers);
  const name = named[code];
  if (name === 'space') return characterEvent(' ', modifiers);
  if (name === 'backspace') return keyEvent(name, { ...modifiers, shift: false });
  if (name !== undefined) return keyEvent(name, modifiers);
  if (code < 32 || (code >= 0x80 && code < 0xa0) || (code >= 0xd800 && code < 0xf900) || code > 0x10ffff) return null;
  const plain = String.fromCodePoint(code);
  const ctrlName = modifiers.ctrl ? ctrlNames[plain] : undefined;
  if (ctrlName !== undefined)
    return keyEvent(ctrlName, { ...modifiers, ctrl: false, shift: modifiers.shift && ctrlName === 'tab' });
  const withShift = shifted === undefined ? plain.toUpperCase() : String.fromCodePoint(shifted);
  const character = modifiers.shift ? withShift : plain;
  const isUndo = modifiers.ctrl && (plain === '/' || character === '/' || (plain === '-' && modifiers.shift));
  return characterEvent(isUndo ? '_' : character, modifiers);
}
