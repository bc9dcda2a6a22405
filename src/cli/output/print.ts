/** The output of a command: data goes to stdout, everything else to stderr. Tests give a command another one. */
import type { SafeText } from '../../text/safe-text.ts';
import { plain, plainJson } from '../ascii-output.ts';

export interface Output {
  /** Writes sanitised text for people to stdout. */
  text(text: string): void;
  /** Writes a document or line of `json.ts` to stdout. */
  json(json: string): void;
  /** Writes a line for people to stderr, about the data and not part of it. */
  remark(line: SafeText): void;
  /** The width of the terminal; null where stdout is none. */
  readonly columns: number | null;
}

const usualColumns = 80;

export function processOutput(): Output {
  const { isTTY, columns } = process.stdout;
  return {
    text: (text) => void process.stdout.write(plain(text)),
    json: (json) => void process.stdout.write(plainJson(json)),
    remark: (line) => void process.stderr.write(`msg-tui: ${plain(line)}\n`),
    columns: isTTY === true ? (columns > 0 ? columns : usualColumns) : null,
  };
}
