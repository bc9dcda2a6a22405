/** Saves and finds tokens: in the keyring of the system when it works, else in the file that only the user can read (R-TOK-3). */
import {
  checkToken,
  credentialsFile,
  readSavedToken,
  removeSavedToken,
  requireUsable,
  type SavedToken,
  writeSavedToken,
} from './credentials.ts';
import { UnusableToken } from './errors.ts';
import { type Keyring, KeyringError } from './keyring.ts';
import { originOf } from './paths.ts';

export interface TokenStore {
  readonly paths: { readonly data: string };
  readonly keyring: Keyring;
  /** From config.toml. When false, no token is stored in the keyring, but one that is there is still read. */
  readonly usesKeyring: boolean;
}

/** The account of a token: `server` is a normalised base URL. */
export interface Holder {
  readonly server: string;
  readonly profile: string;
}

/** The user may have to unlock the keyring, while the chat is already shown. */
const unlockMs = 60_000;
/** The time to wait for the keyring, as the dialogue stays open until the token is saved. */
const saveMs = 15_000;

/** Reads the file only and asks no keyring. Throws `ConfigError`. */
export function findSavedToken(
  { paths }: Pick<TokenStore, 'paths'>,
  { server, profile }: Holder,
  options: { readonly asItIs?: boolean } = {},
): SavedToken | null {
  return readSavedToken(credentialsFile(paths), originOf(server), profile, options);
}

/** Throws `KeyringError`: also when it holds nothing, or what no header could carry. */
export async function readEntry(
  keyring: Keyring,
  entry: string,
  { signal, deadlineMs = unlockMs }: { readonly signal?: AbortSignal; readonly deadlineMs?: number } = {},
): Promise<string> {
  const token = await keyring.get(entry, { deadlineMs, ...(signal === undefined ? {} : { signal }) });
  if (token === null) throw new KeyringError('it has no token for this account');
  return usableEntry(token);
}

/**
 * Saves the token in the keyring, or in the file when the keyring fails; `refusal` then says why, as the end of a sentence.
 * Throws `ConfigError` when the file cannot be written.
 */
export async function saveToken(
  store: TokenStore,
  holder: Holder,
  token: string,
): Promise<{ readonly file: string; readonly refusal: string | null }> {
  const file = credentialsFile(store.paths);
  const before = entryOf(replaceable(store, holder));
  const { kept, refusal } = await storeToken(store, holder, requireUsable(file, token));
  const entry = entryOf(kept);
  try {
    writeSavedToken(file, originOf(holder.server), holder.profile, kept);
  } catch (error) {
    // No file names the entry, so nothing would ever remove the token from it.
    if (entry !== null && entry !== before) await removeQuietly(store.keyring, entry);
    throw error;
  }
  // The old token must not outlive its place; a keyring that has just refused is not waited for again.
  if (refusal === null && before !== null && before !== entry) await removeQuietly(store.keyring, before);
  return { file, refusal };
}

/** Saves the token in the file at once and returns the file's path. Throws `ConfigError`. */
export function saveInFile({ paths }: Pick<TokenStore, 'paths'>, { server, profile }: Holder, token: string): string {
  const file = credentialsFile(paths);
  writeSavedToken(file, originOf(server), profile, { token });
  return file;
}

/**
 * Removes the token from the keyring and from the file, and returns where it was; null where none was saved. Throws
 * `ConfigError`, and `KeyringError` with the entry still there.
 */
export async function forgetToken(
  store: Pick<TokenStore, 'paths' | 'keyring'>,
  holder: Holder,
): Promise<'keyring' | 'file' | null> {
  const kept = replaceable(store, holder);
  if (kept === null) return null;
  const entry = entryOf(kept);
  if (entry !== null) await removeEntry(store.keyring, entry);
  removeSavedToken(credentialsFile(store.paths), originOf(holder.server), holder.profile);
  return entry === null ? 'file' : 'keyring';
}

/** Keyrings refuse to remove what they do not hold. */
async function removeEntry(keyring: Keyring, entry: string): Promise<void> {
  try {
    await keyring.remove(entry, { deadlineMs: saveMs });
  } catch (error) {
    if ((await keyring.get(entry, { deadlineMs: saveMs })) !== null) throw error;
  }
}

const entryOf = (kept: SavedToken | 'unusable' | null): string | null =>
  kept !== null && kept !== 'unusable' && 'entry' in kept ? kept.entry : null;

/** What a new token takes the place of, or is removed. */
function replaceable(store: Pick<TokenStore, 'paths'>, holder: Holder): SavedToken | 'unusable' | null {
  try {
    return findSavedToken(store, holder);
  } catch (error) {
    if (error instanceof UnusableToken) return 'unusable';
    throw error;
  }
}

async function storeToken(
  { paths, keyring, usesKeyring }: TokenStore,
  { server, profile }: Holder,
  token: string,
): Promise<{ readonly kept: SavedToken; readonly refusal: string | null }> {
  if (!usesKeyring) return { kept: { token }, refusal: null };
  // Two data directories of one user share a keyring.
  const entry = `${profile} at ${originOf(server)}, ${credentialsFile(paths)}`;
  try {
    const held = await keyring.set(entry, token, { deadlineMs: saveMs });
    if (held === token) return { kept: { entry }, refusal: null };
    if (held !== null) await removeQuietly(keyring, entry);
    return { kept: { token }, refusal: 'it did not return the token that was saved' };
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
    return { kept: { token }, refusal: error.message };
  }
}

async function removeQuietly(keyring: Keyring, entry: string): Promise<void> {
  try {
    await keyring.remove(entry, { deadlineMs: saveMs });
  } catch (error) {
    if (!(error instanceof KeyringError)) throw error;
  }
}

function usableEntry(token: string): string {
  const checked = checkToken(token);
  if ('problem' in checked) throw new KeyringError(`in it, ${checked.problem}`);
  return checked.token;
}
