/** `msg-tui import`: makes a database that the chat can open from a JSON Lines archive. */
import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, existsSync, openSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCause } from '../../config/errors.ts';
import { isArchive } from '../../storage/cache/archive-file.ts';
import { toStorageError } from '../../storage/sqlite/errors.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { loadArchive } from '../archive/load-archive.ts';
import { failure } from '../archive/write-archive.ts';
import { counted } from '../output/check.ts';
import { jsonDocument, processOutput } from '../output/print.ts';
import { ExitError, exitCodes } from '../process/exit.ts';
import { removedBySignals } from '../process/remove-on-signal.ts';

export interface ImportOptions {
  readonly into?: string;
  readonly json?: boolean;
}

/** Rejects with ExitError; an archive that is there already stays as it is then. */
export async function runImport(file: string, { into, json }: ImportOptions): Promise<void> {
  if (file === '-' && into === undefined)
    throw new ExitError(exitCodes.usage, 'a file that is read from stdin needs --into with the name of the archive');
  const target = into ?? `${file.replace(/\.(jsonl|ndjson|json)$/i, '')}.db`;
  if (existsSync(target) && !isArchive(target))
    throw new ExitError(exitCodes.failure, `${target} exists and is not an archive; choose another name with --into`);
  const temporary = join(dirname(target), `.${process.pid}-${randomUUID()}.tmp`);
  const remove = removedBySignals(temporary);
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    const chunks = file === '-' ? process.stdin : createReadStream(file);
    const { facts, conversations, messages, close } = await loadArchive(
      chunks,
      file === '-' ? 'stdin' : file,
      temporary,
    );
    close();
    renameSync(temporary, target);
    const { server } = facts;
    if (json === true) return processOutput().json(jsonDocument({ archive: target, server, conversations, messages }));
    const counts = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`;
    processOutput().remark(
      sanitizeLine(`${target}: ${counts} from ${server}; open it with msg-tui --archive ${target}`),
    );
  } catch (error) {
    throw asFailure(file, target, temporary, error);
  } finally {
    remove();
  }
}

function asFailure(file: string, target: string, temporary: string, error: unknown): unknown {
  if (error instanceof ExitError) return error;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  if ((syscall === 'open' || syscall === 'read') && path !== temporary)
    return new ExitError(
      exitCodes.failure,
      `${file} cannot be read: ${code === 'ENOENT' ? 'there is no such file' : systemCause(error)}`,
    );
  if (syscall !== undefined) return failure(target, error);
  return new ExitError(exitCodes.failure, toStorageError(error, `${target} was not written`).message);
}
