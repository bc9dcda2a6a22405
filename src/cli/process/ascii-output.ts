/** Prints lines outside the full screen in ASCII alone where the locale is not UTF-8. */
import { readTerminal } from '../../config/environment.ts';
import { initialCapabilities } from '../../terminal/capabilities.ts';
import { asciiOf } from '../../terminal/glyph-widths.ts';
import { inAscii } from '../../text/safe/sanitize.ts';
import { terminalFacts } from './terminal-session.ts';

/** Whether the locale is UTF-8: elsewhere the bytes of `Û` would hold a control character, in files and pipes as well. */
export const isUtf8 = (terminal = readTerminal()): boolean => initialCapabilities(terminalFacts({ terminal })).isUtf8;

/** The text in ASCII where the locale is not UTF-8. @param text a text that was sanitised before */
export const forLocale = (text: string, terminal = readTerminal()): string =>
  isUtf8(terminal) ? text : text.split('\n').map(spelled).join('\n');

const spelled = (line: string): string => asciiOf(inAscii(line));

/** Escapes characters that are not ASCII instead of replacing them, so that programs lose nothing. */
export const jsonForLocale = (json: string, terminal = readTerminal()): string =>
  isUtf8(terminal)
    ? json
    : json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
