/** Which local user ran the server of an account when it was first reached, for servers on this machine. */
import { readNote, writeNote } from './notes.ts';

const file = 'server-owner';

/**
 * Returns whether a user is trusted: the user who runs this program, root, and the first owner that was asked about,
 * who is remembered in `directory`.
 * @param looksOnly nothing is written
 */
export function trustedOwner(directory: string, { looksOnly = false } = {}): (uid: number) => boolean {
  let first: number | null = null;
  return (uid) => {
    first ??= readNote(directory, file, ownerIn);
    if (first === null) {
      first = uid;
      if (!looksOnly) writeNote(directory, file, String(uid));
    }
    return uid === first || uid === 0 || uid === process.getuid?.();
  };
}

const ownerIn = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);
