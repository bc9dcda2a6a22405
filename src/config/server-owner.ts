/** Which local user ran the server of an account when it was first reached, for servers on this machine. */
import { join } from 'node:path';
import { writeAtomically } from './atomic-write.ts';
import { readRegularFile } from './regular-file.ts';

const file = 'server-owner';

/**
 * Trusts ourselves, root, and whoever was met first, who is remembered in `directory`.
 * @param looksOnly nothing is written
 */
export function trustedOwner(directory: string, { looksOnly = false } = {}): (uid: number) => boolean {
  let first: number | null = null;
  return (uid) => {
    first ??= readOwner(directory);
    if (first === null) {
      first = uid;
      if (!looksOnly) writeOwner(directory, uid);
    }
    return uid === first || uid === 0 || uid === process.getuid?.();
  };
}

function readOwner(directory: string): number | null {
  try {
    const text = readRegularFile(join(directory, file), 100).trim();
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}

function writeOwner(directory: string, uid: number): void {
  try {
    writeAtomically(join(directory, file), `${uid}\n`, 0o600);
  } catch {
    // It is known for this run; the outbox in the same directory tells what is wrong with the disk.
  }
}
