/** The events of the keyboard, the mouse and the terminal, which `decoder.ts` decodes from bytes. */

export interface KeyEvent {
  readonly type: 'key';
  /**
   * Canonical name: modifiers in the order `ctrl+alt+shift+`, then a printable character as typed (`J`, `?`, `é`)
   * or one of: enter tab escape backspace delete insert space up down left right home end pageup pagedown f1…f12.
   * A printable character never carries `shift+`; `space` is its name with or without modifiers.
   */
  readonly key: string;
  /** The text to insert when nothing is bound to the key; '' for keys that type nothing. */
  readonly text: string;
  /**
   * The key alone, where Alt with a character, or with Ctrl and a letter, came as ESC and the key: a user who types
   * Escape and then the key while the program is busy sends the same bytes.
   */
  readonly afterEscape?: KeyEvent;
}

export interface PasteEvent {
  readonly type: 'paste';
  /** Newlines as LF; control characters removed; never holds an end-of-paste mark. */
  readonly text: string;
  /** Set for a further part of the paste before: the terminal stopped in the middle of it, or it held marks. */
  readonly isMore?: true;
  /** Set where the terminal marks no pastes: lines that came at once, which may have been typed on a slow line. */
  readonly isGuessed?: true;
}

/** Says that a paste whose end is missing goes on: all keys belong to it until it has ended. */
export interface PasteOpenEvent {
  readonly type: 'paste-open';
}

export interface MouseEvent {
  readonly type: 'mouse';
  readonly action: 'press' | 'release' | 'drag' | 'move' | 'wheel-up' | 'wheel-down';
  readonly button: 'left' | 'middle' | 'right' | 'none';
  /** The column and row of the cell, from 0. */
  readonly x: number;
  readonly y: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

export interface FocusEvent {
  readonly type: 'focus';
  readonly focused: boolean;
}

/**
 * An answer of the terminal to a question (DA1, OSC 11, OSC 99, kitty keyboard flags, XTVERSION, CSI 14 t and 16 t), or
 * something that it reports by itself.
 */
export type ReplyEvent =
  /** `attributes`: the numbers of the abilities that the terminal reports; 4 is sixel. */
  | { readonly type: 'reply'; readonly reply: 'device-attributes'; readonly attributes: readonly number[] }
  /** The pixels of one cell. */
  | { readonly type: 'reply'; readonly reply: 'cell-size'; readonly width: number; readonly height: number }
  /** The pixels of all cells together. */
  | { readonly type: 'reply'; readonly reply: 'text-area'; readonly width: number; readonly height: number }
  | { readonly type: 'reply'; readonly reply: 'kitty-keyboard'; readonly flags: number }
  | { readonly type: 'reply'; readonly reply: 'background'; readonly rgb: readonly [number, number, number] }
  /** The user has switched between dark and light (mode 2031). */
  | { readonly type: 'reply'; readonly reply: 'colour-scheme'; readonly isLight: boolean }
  | { readonly type: 'reply'; readonly reply: 'notifications' }
  /** The user has clicked a notification. */
  | { readonly type: 'reply'; readonly reply: 'notification-click'; readonly id: string }
  | { readonly type: 'reply'; readonly reply: 'version'; readonly text: string };

export type InputEvent = KeyEvent | PasteEvent | PasteOpenEvent | MouseEvent | FocusEvent | ReplyEvent;

/**
 * Whether the event needs a terminal that has the focus: only the wheel turns and the pointer moves over others. Not every
 * return of the focus is reported, as where a multiplexer was attached again.
 */
export const needsFocus = (event: InputEvent): boolean =>
  event.type === 'mouse' ? event.action === 'press' : event.type !== 'focus' && event.type !== 'reply';
