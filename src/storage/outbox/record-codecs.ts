/** How the value of each kind of record stands on disk, as JSON. */
import { emptyDraft } from '../../state/composer/draft.ts';
import type { RecordKind, RecordValue } from '../../state/local/records.ts';
import type { Draft, Me, ReadLine } from '../../state/model/app-state.ts';
import { isObject } from '../sqlite/stored-json.ts';
import { parseCapability } from './capabilities-parse.ts';
import { parseFiles, parseResent, resentToJson } from './op-parse.ts';

interface Codec<T> {
  /** Left out where the value is stored as it is. */
  readonly toJson?: (value: T) => unknown;
  /** null: it cannot be understood, and is set aside. Undefined: it is not used, and stays on disk. */
  readonly parse: (stored: unknown, key: string) => T | null | undefined;
}

const parseText = (stored: unknown): string | null => (typeof stored === 'string' ? stored : null);

const codecs: { readonly [K in RecordKind]: Codec<RecordValue<K>> } = {
  resent: { toJson: resentToJson, parse: parseResent },
  // Without the undo history. `editing` is stored, as Enter would otherwise post an edit as a new message.
  drafts: {
    toJson: ({ text, cursor, editing, attachments }) => ({ text, cursor, editing, attachments }),
    parse: parseDraft,
  },
  readLines: { parse: parseReadLine },
  names: { parse: parseText },
  me: { parse: parseMe },
  opened: { parse: parseText },
  capabilities: { parse: parseCapability },
};

/** Undefined for a kind that this version does not know. */
export function codecOf(kind: string): Codec<unknown> | undefined {
  return Object.hasOwn(codecs, kind) ? (codecs[kind as RecordKind] as Codec<unknown>) : undefined;
}

function parseDraft(stored: unknown): Draft | null {
  if (!isObject(stored) || typeof stored.text !== 'string') return null;
  const { text, cursor } = stored;
  const attachments = stored.attachments === undefined ? undefined : parseFiles(stored.attachments);
  const editing = editingOf(stored.editing ?? null);
  if (editing === undefined || attachments === null) return null;
  const isInside = typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0 && cursor <= text.length;
  return { ...emptyDraft, text, cursor: isInside ? cursor : text.length, editing, ...(attachments && { attachments }) };
}

/** Undefined when it cannot be parsed: such a draft must not become a new message. */
function editingOf(value: unknown): Draft['editing'] | undefined {
  if (value === null) return null;
  if (!isObject(value)) return undefined;
  const { messageId, base, stash } = value;
  if (typeof messageId !== 'string' || typeof base !== 'string') return undefined;
  return typeof stash === 'string' ? { messageId, base, stash } : { messageId, base };
}

function parseReadLine(stored: unknown): ReadLine | null {
  if (!isObject(stored)) return null;
  const { messageId, at } = stored;
  return typeof at === 'number' && (messageId === null || typeof messageId === 'string') ? { messageId, at } : null;
}

function parseMe(stored: unknown): Me | null {
  if (!isObject(stored)) return null;
  const { contactId, username } = stored;
  if (typeof contactId !== 'string' || !(username === null || typeof username === 'string')) return null;
  return { contactId, username };
}
