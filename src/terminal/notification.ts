/** Makes the sequences for desktop notifications and for the title of the window. */
import type { SafeText } from '../text/safe-text.ts';
import { asciiOf } from './glyph-widths.ts';
import { titlePop, titlePush } from './modes.ts';

export type TerminalMethod = 'osc99' | 'osc777' | 'osc9' | 'bell';

export interface TerminalNotification {
  /** Letters, digits and `-`. A later notification with the same id takes the place of this one. */
  readonly id: string;
  readonly title: SafeText;
  readonly body: SafeText;
}

/** What is between the program and the terminal: the characters that it takes, and tmux. */
export interface Route {
  readonly isTmux: boolean;
  /** When false, nothing but ASCII may be written. */
  readonly isUtf8: boolean;
}

export const bell = '\x07';
const end = '\x1b\\';

/** The question that a terminal answers by `OSC 99 ; i=…:p=? ; …` if it shows notifications by OSC 99; others ignore it. */
export const notificationQuery = `\x1b]99;i=msg-tui:p=?;${end}`;

/** OSC 99 takes 2048 bytes of a payload before they are encoded. */
const mostBytes = 1_200;

/** @returns the bytes for `Screen.writeControl`; in tmux the bell is among them, as it needs no setting there */
export function notificationSequence(method: TerminalMethod, notification: TerminalNotification, route: Route): string {
  if (method === 'bell') return bell;
  const sequence = passedOn(encoded(method, notification, route), route);
  return route.isTmux ? sequence + bell : sequence;
}

/** Closes the notification, which is possible with OSC 99 alone. */
export const closeSequence = (id: string, route: Pick<Route, 'isTmux'>): string =>
  passedOn(`\x1b]99;i=${id}:p=close;${end}`, route);

/** Sets the title of the window (OSC 2). */
export const titleSequence = (title: SafeText, { isUtf8 }: Pick<Route, 'isUtf8'>): string =>
  `\x1b]2;${plain(title, isUtf8)}${end}`;

/**
 * Gives the window its own title back, which `enterSequence` has saved, and saves it again. A terminal that cannot save
 * titles shows the name of the program.
 */
export const ownTitleSequence = `\x1b]2;msg-tui${end}${titlePop}${titlePush}`;

function encoded(
  method: Exclude<TerminalMethod, 'bell'>,
  { id, title, body }: TerminalNotification,
  { isUtf8 }: Route,
): string {
  if (method === 'osc99') {
    // A click brings the window to the front and reports the id of the notification to the program.
    const begin = `\x1b]99;i=${id}:d=${body === '' ? 1 : 0}:e=1:a=focus,report;${base64(title)}${end}`;
    return body === '' ? begin : `${begin}\x1b]99;i=${id}:d=1:e=1:p=body;${base64(body)}${end}`;
  }
  const heading = plain(title, isUtf8);
  const text = plain(body, isUtf8);
  // The title ends at the first semicolon.
  if (method === 'osc777') return `\x1b]777;notify;${heading.replaceAll(';', ',')};${text}${end}`;
  const line = text === '' ? heading : `${heading}: ${text}`;
  // A number at the beginning would be another command of ConEmu and its followers, such as a progress bar.
  return `\x1b]9;${/^\s*\d/.test(line) ? `msg-tui: ${line}` : line}${end}`;
}

/** tmux passes on what is wrapped for it, where allow-passthrough is on; every ESC within is doubled. */
const passedOn = (sequence: string, { isTmux }: Pick<Route, 'isTmux'>): string =>
  isTmux ? `\x1bPtmux;${sequence.replaceAll('\x1b', '\x1b\x1b')}${end}` : sequence;

const base64 = (text: string): string => Buffer.from(cut(text)).toString('base64');

/** Safe text has no control characters; one that came here nevertheless would end the sequence. */
function plain(text: string, isUtf8: boolean): string {
  const clean = cut(text).replace(/[\x00-\x1f\x7f-\x9f]/g, '');
  return isUtf8 ? clean : asciiOf(clean);
}

function cut(text: string): string {
  const bytes = Buffer.from(text);
  // A character that is cut in two decodes to U+FFFD, which is left out.
  return bytes.length <= mostBytes
    ? text
    : bytes
        .subarray(0, mostBytes)
        .toString()
        .replace(/\ufffd+$/, '');
}
