/** Lines for people outside the full screen: nothing but ASCII where a locale is named that is not UTF-8. */
import { readTerminal } from '../config/environment.ts';
import { initialCapabilities } from '../terminal/capabilities.ts';
import { asciiOf } from '../terminal/glyphs.ts';
import { inAscii } from '../text/safe/ascii.ts';
import { terminalFacts } from './terminal-session.ts';

/** A byte a character there: `Û` would end in a control that begins a sequence. Files and pipes end on a terminal, too. */
export const isUtf8 = (terminal = readTerminal()): boolean => initialCapabilities(terminalFacts({ terminal })).isUtf8;

/** @param text cleaned before */
export const plain = (text: string, terminal = readTerminal()): string =>
  isUtf8(terminal) ? text : text.split('\n').map(spelled).join('\n');

const spelled = (line: string): string => asciiOf(inAscii(line));

/** For programs nothing is lost. */
export const plainJson = (json: string, terminal = readTerminal()): string =>
  isUtf8(terminal)
    ? json
    : json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
