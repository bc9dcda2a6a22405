/**
 * Reads and writes small files whose loss costs no more than a question that is asked again, in an account's directory or in
 * that of the state. A failed write is ignored: in an account's directory, the outbox reports what is wrong with a disk
 * that refuses.
 */
import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { readRegularFile } from './regular-file.ts';

const mostBytes = 1_000_000;

/** Null when `parse` throws or answers null, and when there is no such file or it cannot be read. */
export function readNote<T>(directory: string, name: string, parse: (text: string) => T | null): T | null {
  try {
    return parse(readRegularFile(join(directory, name), mostBytes));
  } catch {
    return null;
  }
}

export function writeNote(directory: string, name: string, text: string): void {
  try {
    writeAtomically(join(directory, name), `${text}\n`, 0o600);
  } catch {
    // The program goes on without it.
  }
}
