/** Remembers which local user ran the server of an account when it was first reached, for servers on this machine. */
import { readNote, writeNote } from './notes.ts';

const file = 'server-owner';

/**
 * Returns whether a user is trusted: the user who runs this program, root, and the first owner that was asked about,
 * who is remembered in `directory`.
 * @param looksOnly nothing is written
 * @param others directories of other profiles of the same server, whose owner counts where `directory` has none
 */
export function trustedOwner(
  directory: string,
  { looksOnly = false, others = [] }: { readonly looksOnly?: boolean; readonly others?: readonly string[] } = {},
): (uid: number) => boolean {
  let first: number | null = null;
  return (uid) => {
    first ??= [directory, ...others].map(ownerKnownIn).find((owner) => owner !== null) ?? null;
    if (first === null) {
      first = uid;
      if (!looksOnly) writeNote(directory, file, String(uid));
    }
    return uid === first || uid === 0 || uid === process.getuid?.();
  };
}

/** Remembers the owner, unless one was remembered before. */
export function rememberOwner(directory: string, uid: number): void {
  if (ownerKnownIn(directory) === null) writeNote(directory, file, String(uid));
}

const ownerKnownIn = (directory: string): number | null => readNote(directory, file, ownerIn);

const ownerIn = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);
