/**
 * The output of a command: data goes to stdout, everything else to stderr. JSON has `schema` first, the names of the API
 * and times as RFC 3339 in UTC; docs/json.md lists it. Tests give a command another output.
 */

import { systemCause, systemCode } from '../../config/errors.ts';
import type { Millis } from '../../protocol/types.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { forLocale, jsonForLocale } from '../process/ascii-output.ts';
import { exitCodes } from '../process/exit.ts';

export interface Output {
  /**
   * Writes sanitised text for people to stdout.
   * @param made what the command has changed by then, such as "sent"; see `unlessWritten`
   */
  text(text: string, made?: string): void;
  /** Writes a document of `jsonDocument` or a line of `jsonLine` to stdout. `made` is as for `text`. */
  json(json: string, made?: string): void;
  /** Writes a line for people to stderr, about the data and not part of it. */
  remark(line: SafeText): void;
  /** The width of the terminal; null where stdout is none. */
  readonly columns: number | null;
}

const usualColumns = 80;

export function processOutput(): Output {
  const { isTTY, columns } = process.stdout;
  return {
    text: (text, made) => void process.stdout.write(forLocale(text), unlessWritten(made)),
    json: (json, made) => void process.stdout.write(jsonForLocale(json), unlessWritten(made)),
    remark: (line) => void process.stderr.write(`msg-tui: ${forLocale(line)}\n`),
    columns: isTTY === true ? (columns > 0 ? columns : usualColumns) : null,
  };
}

/**
 * Ends the program with 0 where the result of a change that was made cannot be written. A script that repeats what failed
 * would make the change twice. `main.ts` handles every other failure of stdout, and a pipe that was closed.
 */
function unlessWritten(made: string | undefined): ((error?: Error | null) => void) | undefined {
  if (made === undefined) return undefined;
  return (error) => {
    if (error == null || systemCode(error) === 'EPIPE' || process.stdout.isTTY) return;
    process.stderr.write(`msg-tui: ${forLocale(made)}, but the output cannot be written: ${systemCause(error)}\n`);
    process.exit(exitCodes.ok);
  };
}

/** The version of the documents: it grows when a field is removed or changes its meaning, and not for new fields. */
const schema = 1;

/** The time as RFC 3339 in UTC; null for a time that is not known. */
export function isoTime(at: Millis | null): string | null {
  return at === null || Math.abs(at) > 8.64e15 ? null : new Date(Math.trunc(at)).toISOString();
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes a document over several lines. */
export const jsonDocument = (fields: Fields): string =>
  `${escapedJson(JSON.stringify({ schema, ...fields }, null, 2))}\n`;

/** Writes an object in one line, for output that goes on. */
export const jsonLine = (fields: Fields): string => `${escapedJson(JSON.stringify({ schema, ...fields }))}\n`;

/**
 * Controls, and what has no width of its own, as direction overrides, joiners, fillers and tags: `JSON.stringify` leaves
 * them as they are. The selectors between text and emoji stay, because they change what is seen.
 */
const unsafe = /(?![\ufe0e\ufe0f])[\x7f-\x9f\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Escapes the unsafe characters, so that they cannot control a terminal; a program reads the same text. */
export const escapedJson = (json: string): string =>
  json.replace(unsafe, (character) => character.split('').map(escaped).join(''));
