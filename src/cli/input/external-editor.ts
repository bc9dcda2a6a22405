/** Runs the user's editor on a text, in a file that nobody else can read and that is removed afterwards. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCause } from '../../config/errors.ts';
import { readRegularFile } from '../../config/regular-file.ts';
import { cleanInput } from '../../text/safe/sanitize.ts';
import { messageOf } from '../process/exit.ts';

/** The most bytes of the text; a longer one could not be sent. */
const longest = 4_000_000;

const unchanged = 'What you wrote before is unchanged.';

interface EditorOptions {
  /** The name of the file; editors choose colours and rules by it. */
  readonly name?: string;
  /** Is called before the editor starts, with a function that reads what it has saved so far; null: nothing new. */
  readonly onStart?: (savedSoFar: () => string | null) => void;
}

/** The text that was saved; or one line on why it does not count, and the text all the same: null for nothing new. */
type Edited = { readonly text: string } | { readonly problem: string; readonly saved: string | null };

/** @param editor a command line, which may have arguments; null: nano, or vi where there is none */
export async function runEditor(
  text: string,
  editor: string | null,
  { name = 'message.md', onStart }: EditorOptions = {},
): Promise<Edited> {
  let directory: string | null = null;
  // A signal may end this program while the editor runs.
  const remove = (): void => {
    if (directory !== null) rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', remove);
  try {
    // Readable by the user alone: mkdtemp makes the directory with mode 0700.
    directory = mkdtempSync(join(tmpdir(), 'msg-tui-'));
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    const read = (): string => withoutAddedNewline(cleanInput(readRegularFile(file, longest)), text);
    onStart?.(() => newIn(read, text));
    const problem = await run(editor, file);
    if (problem !== null) return { problem: `${problem} ${unchanged}`, saved: newIn(read, text) };
    const edited = readBack(read, file);
    if ('problem' in edited && existsSync(file)) directory = null;
    return edited;
  } catch (error) {
    return { problem: `The text could not be given to an editor: ${messageOf(error)}. ${unchanged}`, saved: null };
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** A file that cannot be read, as it is too large, is kept: what was written in it is nowhere else. */
function readBack(read: () => string, file: string): Edited {
  try {
    return { text: read() };
  } catch (error) {
    const where = existsSync(file) ? `It is kept in ${file}.` : unchanged;
    return { problem: `What the editor saved cannot be read: ${systemCause(error)}. ${where}`, saved: null };
  }
}

/** The text that the file has instead of `text`; null where it is empty, as the editor may be writing it just now. */
function newIn(read: () => string, text: string): string | null {
  try {
    const saved = read();
    return saved === text || saved === '' ? null : saved;
  } catch {
    return null;
  }
}

const orVi = 'if command -v nano >/dev/null 2>&1; then exec nano "$@"; else exec vi "$@"; fi';

/**
 * Runs the command line in a shell, as git does, with the file as a separate argument. Ctrl-C is meant for the editor: it
 * ends neither this program nor the shell, which would leave the editor alone on the terminal. @returns what went wrong
 */
function run(editor: string | null, file: string): Promise<string | null> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const isWindows = process.platform === 'win32';
  const name = editor ?? (isWindows ? 'notepad' : 'nano or vi');
  const child = isWindows
    ? spawn(`${editor ?? 'notepad'} "${file}"`, { stdio: 'inherit', shell: true })
    : spawn('/bin/sh', ['-c', `trap : INT; ${editor === null ? orVi : `${editor} "$@"`}`, 'editor', file], {
        stdio: 'inherit',
      });
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  const ended = new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(`The editor (${name}) did not start: ${error.message}.`));
    child.once('exit', (code, signal) => resolve(problemOf(name, code, signal)));
  });
  return ended.finally(() => process.off('SIGINT', ignore));
}

function problemOf(name: string, code: number | null, signal: string | null): string | null {
  if (code === 0) return null;
  if (code === 127 || code === 126)
    return `There is no editor "${name}": set VISUAL or EDITOR to one, such as nano or vim.`;
  return `The editor (${name}) ended with ${signal ?? `code ${code}`}.`;
}

/** Removes the newline with which editors end a file, as it is no part of the message. */
const withoutAddedNewline = (text: string, before: string): string =>
  text.endsWith('\n') && !before.endsWith('\n') ? text.replace(/\n+$/, '') : text;
