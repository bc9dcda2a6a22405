/** Reads the text of a message for a command: from an argument, a file, or stdin. */
import { systemCause } from '../../config/errors.ts';
import { cleanInput } from '../../text/safe/sanitize.ts';
import { readAtMost } from '../input/read-at-most.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

export interface TextSources {
  /** The argument; `-` means stdin. */
  readonly text?: string | undefined;
  /** The value of --file; `-` means stdin. */
  readonly file?: string | undefined;
}

const mostBytes = 1_000_000;

/** Resolves to the text; null where none is given. Rejects with ExitError 2 for what is no text. */
export async function readText({ text, file }: TextSources, command: string): Promise<string | null> {
  if (text !== undefined && file !== undefined)
    throw new ExitError(exitCodes.usage, `${command}: give the text or --file, not both`);
  if (text === '-' || file === '-') return decoded(await readStdin(command), command);
  if (text !== undefined) return argumentText(text, command);
  return file === undefined ? null : decoded(readTextFile(file, command), command);
}

/**
 * Node reads bytes of an argument that are not UTF-8 as U+FFFD, so that the text would not be what the user wrote.
 * @throws ExitError
 */
function argumentText(text: string, command: string): string {
  if (text.includes('\ufffd'))
    throw new ExitError(
      exitCodes.usage,
      `${command}: the text is not UTF-8; if U+FFFD is meant, give it on stdin with -`,
    );
  return withoutControls(text, command);
}

/** @throws ExitError */
function readTextFile(file: string, command: string): Buffer {
  let bytes: Buffer | null;
  try {
    bytes = readAtMost(file, mostBytes);
  } catch (error) {
    throw new ExitError(exitCodes.usage, `${command}: --file: ${file} cannot be read: ${systemCause(error)}`);
  }
  if (bytes === null) throw tooLong(command);
  return bytes;
}

async function readStdin(command: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin) {
    const bytes = Buffer.from(part as Uint8Array);
    parts.push(bytes);
    size += bytes.length;
    if (size > mostBytes) throw tooLong(command);
  }
  return Buffer.concat(parts);
}

/** Returns the text without the line end that editors and `echo` add. @throws ExitError */
function decoded(bytes: Buffer, command: string): string {
  if (bytes.includes(0))
    throw new ExitError(exitCodes.usage, `${command}: the input is not text: it contains a NUL byte`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ExitError(exitCodes.usage, `${command}: the text is not UTF-8`);
  }
  return withoutControls(text, command).replace(/\n+$/, '');
}

/**
 * The text with line ends as LF. Control characters are refused: what would be left of a colour, such as `[31m`, is not
 * what the user meant.
 * @throws ExitError
 */
function withoutControls(text: string, command: string): string {
  const [control] = /(?![\t\n\r])\p{Cc}/u.exec(text) ?? [];
  if (control === undefined) return cleanInput(text);
  const name = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  throw new ExitError(exitCodes.usage, `${command}: the text has a control character (${name}); take it out first`);
}

const tooLong = (command: string): ExitError =>
  new ExitError(exitCodes.usage, `${command}: the text is longer than ${mostBytes} bytes; nothing was sent`);
