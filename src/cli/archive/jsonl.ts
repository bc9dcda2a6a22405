/** Writes an archive as JSON Lines. A later export may be added to the file: each part ends with a line of the type `end`. */
import { createHash } from 'node:crypto';
import type { ContactId, Millis } from '../../protocol/types.ts';
import { type Entry, isComplete, keyOf } from './entry.ts';
import { entryJson, rfc3339 } from './entry-json.ts';
import { RunningHash } from './hashed-lines.ts';
import { type Chunks, readArchive } from './read-archive.ts';

/** What an earlier export has written. */
export interface Earlier {
  /** The base URL of the server; null where there is no earlier export. */
  readonly server: string | null;
  /** The user of the account; null where the export does not say who it is. */
  readonly me: ContactId | null;
  /** The state of the hash. */
  readonly hash: RunningHash;
  /** A digest of the newest line for each key. */
  readonly lines: ReadonlyMap<string, string>;
}

export const nothingEarlier = (): Earlier => ({ server: null, me: null, hash: new RunningHash(), lines: new Map() });

/** @throws ExitError where the file is damaged */
export async function readEarlier(chunks: Chunks, name: string): Promise<Earlier> {
  const hash = new RunningHash();
  const lines = new Map<string, string>();
  let server: string | null = null;
  let me: ContactId | null = null;
  for await (const { entry, key } of readArchive(chunks, name, hash)) {
    if (entry.type === 'header') ({ server } = entry);
    if (entry.type === 'person' && entry.isMe) me = entry.contact.id;
    lines.set(key, digestOf(entry));
  }
  return { server, me, hash, lines };
}

/** The digest leaves out when somebody was last active: it changes each of their messages in the cache. */
function digestOf(entry: Entry): string {
  const contact = entry.type === 'message' ? entry.message.contact : null;
  const compared =
    entry.type === 'message' && contact !== null
      ? { ...entry, message: { ...entry.message, contact: { ...contact, lastActiveAt: null } } }
      : entry;
  return createHash('sha256').update(entryJson(compared)).digest('base64');
}

/** Yields the lines that are new or changed, and the line that ends them; nothing at all where there are none. */
export function* jsonLines(entries: Iterable<Entry>, { hash, lines }: Earlier): Generator<string> {
  const written = { person: 0, conversation: 0, message: 0 };
  const summary = new Summary();
  let isAny = false;
  for (const entry of entries) {
    summary.add(entry);
    if (lines.size > 0 && lines.get(keyOf(entry)) === digestOf(entry)) continue;
    // That the list is complete is said only where an earlier export has said that it is not.
    if (entry.type === 'list' && isComplete(entry) && !lines.has(keyOf(entry))) continue;
    isAny = true;
    if (entry.type in written) written[entry.type as keyof typeof written]++;
    yield hash.seal(entryJson(entry));
  }
  if (!isAny) return;
  const { person: people, conversation: conversations, message: messages } = written;
  yield hash.seal(JSON.stringify({ type: 'end', people, conversations, messages, ...summary.json() }));
}

class Summary {
  #isComplete = true;
  #newest: Millis | null = null;

  add(entry: Entry): void {
    if (entry.type === 'history' || entry.type === 'list') this.#isComplete &&= isComplete(entry);
    if (entry.type !== 'message') return;
    const { createdAt, updatedAt, isTruncated } = entry.message;
    if (isTruncated) this.#isComplete = false;
    for (const at of [createdAt, updatedAt]) if (at !== null && at > (this.#newest ?? 0)) this.#newest = at;
  }

  json() {
    return { is_complete: this.#isComplete, newest_at: rfc3339(this.#newest) };
  }
}
