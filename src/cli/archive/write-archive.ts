/** Writes an archive: to stdout, or to a file that is replaced as a whole, so that a failure leaves the old one. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { sliceSize, yieldToEventLoop } from '../../api/http/yield-to-event-loop.ts';
import { systemCause, systemCode } from '../../config/errors.ts';
import { ExitError, exitCodes } from '../process/exit.ts';

const bufferUnits = 65_536;

/**
 * @param keeps what is in the file now stays, and the text is added to it
 * @returns false, and the file is not touched, where there is nothing to add. Rejects with ExitError. Lets the event loop
 * run between pieces, as a chat may be open.
 */
export async function writeArchive(path: string, text: Iterable<string>, { keeps = false } = {}): Promise<boolean> {
  const target = targetOf(path);
  const temporary = join(dirname(target), `.${process.pid}-${randomUUID()}.tmp`);
  const remove = (): void => rmSync(temporary, { force: true });
  process.once('exit', remove);
  try {
    const pieces = buffered(text)[Symbol.iterator]();
    const first = pieces.next();
    if (first.done === true && keeps) return false;
    // The user alone can read the new file, from its first byte; a link that somebody has put there is refused.
    const file = openSync(temporary, 'wx', 0o600);
    try {
      if (keeps) await copyInto(file, target);
      for (let piece = first; piece.done !== true; piece = pieces.next()) {
        writeAll(file, Buffer.from(piece.value));
        await yieldToEventLoop();
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
    return true;
  } catch (error) {
    throw error instanceof ExitError ? error : failure(path, error);
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

/** Writes the archive to stdout as fast as it is read. `main.ts` ends the program where the reader of a pipe has gone. */
export async function printArchive(text: Iterable<string>): Promise<void> {
  for (const piece of buffered(text)) if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
}

async function copyInto(file: number, earlier: string): Promise<void> {
  const source = openSync(earlier, 'r');
  try {
    const piece = Buffer.allocUnsafe(sliceSize);
    for (;;) {
      const count = readSync(source, piece);
      if (count === 0) return;
      writeAll(file, piece.subarray(0, count));
      await yieldToEventLoop();
    }
  } finally {
    closeSync(source);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

function* buffered(text: Iterable<string>): Generator<string> {
  let held: string[] = [];
  let units = 0;
  for (const piece of text) {
    held.push(piece);
    units += piece.length;
    if (units < bufferUnits) continue;
    yield held.join('');
    held = [];
    units = 0;
  }
  if (units > 0) yield held.join('');
}

/** The file to replace: for a link, the file that it names, so that the link stays. */
function targetOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile())
    throw new ExitError(exitCodes.failure, `${path} is not a regular file; choose another name`);
  return stats === undefined ? path : realpathSync(path);
}

export function failure(path: string, error: unknown): ExitError {
  const folder = dirname(path);
  const isMissing = systemCode(error) === 'ENOENT' && !existsSync(folder);
  const why = isMissing ? `there is no folder ${folder}; make it first` : systemCause(error);
  return new ExitError(exitCodes.failure, `${path} was not written: ${why}`);
}
