/** Converts the value of each kind of record to the JSON that is stored on disk, and back. */

import type { CapabilityName, PagingWay } from '../../protocol/capabilities.ts';
import { isObject } from '../../protocol/fields.ts';
import { emptyDraft } from '../../state/composer/draft.ts';
import { lastDetour } from '../../state/local/detours.ts';
import { densities } from '../../state/local/list-layout.ts';
import type { RecordKind, RecordValue } from '../../state/local/records.ts';
import type { Draft, Local, Me, Place, ReadLine, ReadPart } from '../../state/model/app-state.ts';
import type { Refusal, SentText, Use } from '../../state/model/local-records.ts';
import { type ChosenDensity, defaultSettings } from '../../state/model/settings.ts';

import { parseFiles, parseResent, resentToJson } from './op-parse.ts';

interface Codec<T> {
  /** Left out where the value is stored as it is. */
  readonly toJson?: (value: T) => unknown;
  /** null: it cannot be understood, and is set aside. Undefined: it is not used, and stays on disk. */
  readonly parse: (stored: unknown, key: string) => T | null | undefined;
}

const parseText = (stored: unknown): string | null => (typeof stored === 'string' ? stored : null);

const parseIds = (stored: unknown): readonly string[] | null =>
  Array.isArray(stored) && stored.every((id) => typeof id === 'string') ? stored : null;

const codecs: { readonly [K in RecordKind]: Codec<RecordValue<K>> } = {
  resent: { toJson: resentToJson, parse: parseResent },
  refusals: { parse: parseRefusal },
  // The undo history is not stored. `editing` is, as Enter would otherwise post an edit as a new message.
  drafts: {
    toJson: ({ text, cursor, editing, attachments, recalled, hasLongPaste }) => ({
      text,
      cursor,
      editing,
      attachments,
      recalled,
      hasLongPaste,
    }),
    parse: parseDraft,
  },
  readLines: { parse: parseReadLine },
  mutedUntil: { parse: (stored) => (typeof stored === 'number' && Number.isFinite(stored) ? stored : null) },
  reactedOnly: { parse: parseIds },
  names: { parse: parseText },
  pictureHosts: { parse: (stored) => (stored === true ? true : null) },
  notes: { parse: parseText },
  me: { parse: parseMe },
  opened: { parse: parseText },
  savedPlaces: { parse: parsePlace },
  listView: { parse: parseListView },
  sentTexts: { parse: parseSentText },
  density: { parse: parseDensity },
  commandUses: { parse: parseUse },
  conversationUses: { parse: parseUse },
  reactionUses: { parse: parseUse },
  detours: { parse: (stored) => (isCount(stored) ? Math.min(Number(stored), lastDetour) : null) },
  listWidth: { parse: (stored) => (isCount(stored) ? Number(stored) : undefined) },
  capabilities: { parse: parseCapability },
};

/** Capabilities that are stored by their earlier names, as programs of earlier versions may use the same file. */
const storedNames: Partial<Record<CapabilityName, string>> = {
  omittedText: 'unsentText',
  omittedReactions: 'unsentReactions',
  omittedFiles: 'unsentFiles',
};

/** The key by which a record is stored; the same as in the state but for a few capabilities. */
export const storedKey = (kind: string, key: string): string =>
  kind === 'capabilities' ? (storedNames[key as CapabilityName] ?? key) : key;

/** The key of a record in the state. */
export const keyOfStored = (kind: string, stored: string): string =>
  (kind === 'capabilities' && Object.entries(storedNames).find(([, name]) => name === stored)?.[0]) || stored;

/** Undefined for a kind that this version does not know. */
export function codecOf(kind: string): Codec<unknown> | undefined {
  return Object.hasOwn(codecs, kind) ? (codecs[kind as RecordKind] as Codec<unknown>) : undefined;
}

/**
 * Earlier versions stored the chosen word alone. Undefined for what this version does not know: how the screen was left is
 * no text of the user, and what a later version has stored stays for it.
 */
function parseDensity(stored: unknown): ChosenDensity | undefined {
  const { chosen, over } = isObject(stored) ? stored : { chosen: stored, over: defaultSettings.density };
  const [known, before] = [chosen, over].map((word) => densities.find((density) => density === word));
  return known === undefined || before === undefined ? undefined : { chosen: known, over: before };
}

function parseDraft(stored: unknown): Draft | null {
  if (!isObject(stored) || typeof stored.text !== 'string') return null;
  const { text, cursor } = stored;
  const attachments = stored.attachments === undefined ? undefined : parseFiles(stored.attachments);
  const editing = editingOf(stored.editing ?? null);
  if (editing === undefined || attachments === null) return null;
  const isInside = typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0 && cursor <= text.length;
  const recalled = recalledOf(stored.recalled);
  return {
    ...emptyDraft,
    text,
    cursor: isInside ? cursor : text.length,
    editing,
    ...(attachments && { attachments }),
    ...(recalled && { recalled }),
    ...(stored.hasLongPaste === true && { hasLongPaste: true }),
  };
}

function recalledOf(value: unknown): Draft['recalled'] {
  if (!isObject(value)) return undefined;
  const { text, stash } = value;
  return typeof text === 'string' && typeof stash === 'string' ? { text, stash } : undefined;
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

function parseRefusal(stored: unknown): Refusal | null {
  if (!isObject(stored)) return null;
  const { reason, evidence, at } = stored;
  if (typeof reason !== 'string' || typeof evidence !== 'string' || typeof at !== 'number') return null;
  return { reason, evidence, at };
}

function parseSentText(stored: unknown): SentText | null {
  if (!isObject(stored)) return null;
  const { conversationId, text, at } = stored;
  if (typeof conversationId !== 'string' || typeof text !== 'string' || typeof at !== 'number') return null;
  return { conversationId, text, at };
}

function parseUse(stored: unknown): Use | null {
  if (!isObject(stored)) return null;
  const { weight, at } = stored;
  const isWeight = typeof weight === 'number' && Number.isFinite(weight) && weight > 0;
  return isWeight && typeof at === 'number' && Number.isFinite(at) ? { weight, at } : null;
}

function parseMe(stored: unknown): Me | null {
  if (!isObject(stored)) return null;
  const { contactId, username, isConfirmed, isDisputed } = stored;
  if (typeof contactId !== 'string' || !(username === null || typeof username === 'string')) return null;
  return {
    contactId,
    username,
    ...(isConfirmed === true && { isConfirmed }),
    ...(isDisputed === true && { isDisputed }),
  };
}

const orders: readonly unknown[] = ['newest-first', 'oldest-first'];
const pagingKinds: readonly unknown[] = ['hint', 'limit', 'none'] satisfies readonly PagingWay['kind'][];
const pagingParameters: readonly unknown[] = ['starting_after', 'after', 'before', 'page', 'offset'];

const isPaging = (value: unknown): boolean =>
  isObject(value) &&
  (pagingKinds.includes(value.kind) || (value.kind === 'parameter' && pagingParameters.includes(value.name)));

const among =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;

const isUnit = among('s', 'ms', 'us', 'ns');

const isTimeFormat = (value: unknown): boolean =>
  isObject(value) && (value.kind === 'iso' || (among('number', 'digits')(value.kind) && isUnit(value.unit)));

/** Whether a stored value is one that the capability can have. */
const possible: Readonly<Record<CapabilityName, (value: unknown) => boolean>> = {
  messageOrder: (value) => orders.includes(value) || value === 'mixed',
  conversationOrder: (value) => orders.includes(value),
  messagePaging: isPaging,
  conversationPaging: isPaging,
  largestLimit: isCount,
  timeFormat: isTimeFormat,
  reactionRule: among('replace', 'add', 'append', 'toggle'),
  reactionAuthors: among('username', 'id'),
  ownReactionsOnly: among(true, false),
  omittedText: among('kept', 'dropped'),
  omittedReactions: among('kept', 'dropped'),
  omittedFiles: among('kept', 'dropped'),
  appendsFiles: among(true, false),
  clearPinnedMessage: among('', 'null', null),
  clearArchivedAt: among('', 'null', '0', null),
  conversationPutRule: among('partial', 'full-replace'),
  textChange: among('none', 'trim', 'escape', 'unknown'),
  waitsForNews: among(true, false),
};

/** Undefined for a capability that this version does not know, or a value that is not possible: it is learned again. */
export function parseCapability(learned: unknown, name: string): RecordValue<'capabilities'> | undefined {
  if (!isObject(learned) || !Object.hasOwn(possible, name)) return undefined;
  const { value, at, from } = learned;
  if (!possible[name as CapabilityName](value) || !Number.isFinite(at) || typeof from !== 'string') return undefined;
  return { value, at, from } as RecordValue<'capabilities'>;
}

/** As `parseDensity`. */
function parsePlace(stored: unknown): Place | undefined {
  if (!isObject(stored) || !isObject(stored.scroll)) return undefined;
  const { at, messageId, line } = stored.scroll;
  const selectedId = typeof stored.selectedId === 'string' ? stored.selectedId : null;
  if (at === 'bottom') return { scroll: { at }, selectedId, ...parseShown(stored) };
  return at === 'message' && typeof messageId === 'string' && Number.isSafeInteger(line)
    ? { scroll: { at, messageId, line: Number(line) }, selectedId, ...parseShown(stored) }
    : undefined;
}

/** How messages are shown there. Earlier versions did not store it. */
function parseShown({ part, rawId, unfolded }: Record<string, unknown>): Partial<Place> {
  const read = parsePart(part);
  const ids = parseIds(unfolded);
  return {
    ...(read !== null && { part: read }),
    ...(typeof rawId === 'string' && { rawId }),
    ...(ids !== null && { unfolded: ids }),
  };
}

function parsePart(stored: unknown): ReadPart | null {
  if (!isObject(stored) || typeof stored.messageId !== 'string') return null;
  const { messageId, starts } = stored;
  return Array.isArray(starts) && starts.every(isCount) ? { messageId, starts } : null;
}

/** As `parseDensity`. */
function parseListView(stored: unknown): NonNullable<Local['listView']> | undefined {
  if (stored === 'unread' || stored === 'pinned' || stored === 'muted' || stored === 'archived') return stored;
  return isObject(stored) && typeof stored.groupId === 'string' ? { groupId: stored.groupId } : undefined;
}
