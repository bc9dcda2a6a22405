/** What the user has set for the program. It is read from the state where it matters, so that a change counts at once. */

import { type KeySettings, standardKeys } from './key-settings.ts';
import type { KnownSetting } from './setting-entry.ts';

export interface Settings {
  /** Null: the theme follows the terminal. */
  readonly theme: ThemeName | null;
  /** A message waits this long before it leaves, and can be taken back so long. */
  readonly undoSendSeconds: number;
  /** Opening a conversation may retrieve it, which lets some servers mark its messages as read. */
  readonly revealReading: boolean;
  /** What becomes of a message after a 500 or 503 that the history does not show (R-SEND-1). */
  readonly resend: ResendRule;
  /** New tokens may be kept in the keyring of the system. */
  readonly keyring: boolean;
  /** The program gets clicks, drags and the wheel; otherwise the terminal keeps them. */
  readonly mouse: boolean;
  readonly notify: NotifySettings;
  /** Rows of a conversation in the list, unless the user has chosen others while the program runs. */
  readonly density: Density;
  /** The most columns that a line of a message takes. */
  readonly textWidth: number;
  readonly glyphs: Glyphs;
  /** The screen is dimmed while the terminal does not have the focus. */
  readonly dimUnfocused: boolean;
  /** Nothing on the screen blinks or counts seconds. */
  readonly reducedMotion: boolean;
  /** A notice names the key of a command that was run three times by a longer way. */
  readonly coach: boolean;
  /** From which hosts pictures in messages are fetched. */
  readonly pictures: PictureRule;
  readonly pictureProtocol: PictureProtocol;
  readonly keys: KeySettings;
  /** How many days the ledger is kept; 0: there is none. */
  readonly ledgerDays: number;
  readonly hooks: HookSettings;
  readonly polling: Polling;
  /** Every setting that there is, in the order of the settings screen. */
  readonly known: readonly KnownSetting[];
}

/** Commands of the user, each a program and its arguments; empty: none. */
export interface HookSettings {
  /** Is run when messages of others have arrived. */
  readonly arrival: readonly string[];
  /** Is run when a message of somebody else names the user or contains a keyword. */
  readonly mention: readonly string[];
  /** Is run when something that the user wanted was refused, or it is not known whether it arrived. */
  readonly failure: readonly string[];
}

/** Whether and how the program notifies the user of new messages while nobody looks at it. */
export interface NotifySettings {
  readonly method: NotifyMethod;
  /** What a notification shows: that there is a message, who wrote it, or its text too. */
  readonly privacy: 'none' | 'sender' | 'full';
  /** No notification is shown at these times; null: at any time. */
  readonly quietHours: QuietHours | null;
  /** A program and its arguments, run for each notification; empty: none. */
  readonly command: readonly string[];
  /** Conversations that are not open notify also while the terminal has the focus. */
  readonly whileFocused: boolean;
  /** A message that contains one of them notifies from a muted conversation as well. */
  readonly keywords: readonly string[];
  /** The window's title shows the unread count and the open conversation. */
  readonly title: boolean;
}

export type NotifyMethod = 'auto' | 'osc99' | 'osc777' | 'osc9' | 'bell' | 'command' | 'none';

/** Minutes of the day in local time; from 22:00 to 7:00 goes over midnight. */
export interface QuietHours {
  readonly from: number;
  readonly to: number;
}

/** A built-in theme, or the file of one of the user's own, as in `mine.toml`. */
export type ThemeName = string;
/** `ask`: from hosts that the user has allowed; `same-host`: from the host of the service alone. */
export type PictureRule = 'never' | 'ask' | 'same-host' | 'always';
/** How a picture is drawn. `auto`: as the terminal says it can; `blocks`: from half blocks. */
export type PictureProtocol = 'auto' | 'kitty' | 'iterm2' | 'sixel' | 'blocks';
/** One row for each conversation of the list, two, or three. */
export type Density = 'compact' | 'normal' | 'comfortable';

/** A density that a command has chosen over the setting, which counts again once it is another one. */
export interface ChosenDensity {
  readonly chosen: Density;
  readonly over: Density;
}
/** `auto`: as the terminal has them. */
export type Glyphs = 'auto' | 'unicode' | 'ascii';
/** How many requests the chat may spend on being up to date. */
export type Polling = 'calm' | 'normal' | 'eager';
export type ResendRule = 'ask' | 'auto-after-check';

export const defaultSettings: Settings = {
  theme: null,
  undoSendSeconds: 0,
  revealReading: true,
  resend: 'ask',
  keyring: true,
  mouse: true,
  notify: {
    method: 'auto',
    privacy: 'full',
    quietHours: null,
    command: [],
    whileFocused: false,
    keywords: [],
    title: true,
  },
  density: 'normal',
  textWidth: 100,
  glyphs: 'auto',
  dimUnfocused: false,
  reducedMotion: false,
  coach: true,
  pictures: 'ask',
  pictureProtocol: 'auto',
  keys: standardKeys,
  ledgerDays: 7,
  hooks: { arrival: [], mention: [], failure: [] },
  polling: 'normal',
  known: [],
};
