/**
 * The records of `Local`: every field but the outbox is stored as rows of one table, one row for each key. A new kind of
 * record is a field of `Local` with a codec in `src/storage/outbox/record-codecs.ts`.
 */
import type { CapabilityName, ServerCapabilities } from '../../protocol/capabilities.ts';
import { isPatched } from '../collections/equal.ts';
import { eachChange } from '../collections/sharded-map.ts';
import type { AppState, Local } from '../model/app-state.ts';

/** The name of the field, by which the rows are found on disk too. */
export type RecordKind = Exclude<keyof Local, 'outbox'>;

export type RecordValue<K extends RecordKind> =
  Local[K] extends ReadonlyMap<string, infer V>
    ? V
    : K extends 'capabilities'
      ? NonNullable<ServerCapabilities[CapabilityName]>
      : NonNullable<Local[K]>;

/** The new value of one record; null removes it. */
export type RecordChange = {
  [K in RecordKind]: readonly [kind: K, key: string, value: RecordValue<K> | null];
}[RecordKind];

export const recordKinds = (local: Local): readonly RecordKind[] =>
  (Object.keys(local) as (keyof Local)[]).filter((kind) => kind !== 'outbox');

/** The kinds whose records differ between two states. */
export function changedKinds(before: Local, after: Local): readonly RecordKind[] {
  const kinds: RecordKind[] = [];
  let kind: keyof Local;
  for (kind in after) if (kind !== 'outbox' && before[kind] !== after[kind]) kinds.push(kind);
  return kinds;
}

const isSingle = (kind: RecordKind): kind is 'me' | 'opened' | 'listView' | 'listWidth' | 'density' =>
  kind === 'me' || kind === 'opened' || kind === 'listView' || kind === 'listWidth' || kind === 'density';

/** The records of one kind by their keys. A kind with a single record has it under ''. */
export function recordsOf(local: Local, kind: RecordKind): ReadonlyMap<string, unknown> {
  if (kind === 'capabilities') return new Map(Object.entries(local.capabilities));
  if (isSingle(kind)) return new Map(local[kind] === null ? [] : [['', local[kind]]]);
  return local[kind];
}

/** The field of `Local` that has these records. */
export function fieldOf(kind: RecordKind, records: ReadonlyMap<string, unknown>): Partial<Local> {
  if (kind === 'capabilities') return { capabilities: Object.fromEntries(records) };
  return { [kind]: isSingle(kind) ? (records.get('') ?? null) : records };
}

export function changedRecords(before: Local, after: Local, kind: RecordKind): readonly RecordChange[] {
  const changes: RecordChange[] = [];
  if (before[kind] !== after[kind])
    eachChange(recordsOf(before, kind), recordsOf(after, kind), (key, value) =>
      changes.push([kind, key, value ?? null] as RecordChange),
    );
  return changes;
}

export function withRecords(local: Local, changes: readonly RecordChange[]): Local {
  const changed = new Map<RecordKind, Map<string, unknown>>();
  for (const [kind, key, value] of changes) {
    const records = changed.get(kind) ?? new Map(recordsOf(local, kind));
    changed.set(kind, records);
    if (value === null) records.delete(key);
    else records.set(key, value);
  }
  return Object.assign({}, local, ...[...changed].map(([kind, records]) => fieldOf(kind, records)));
}

/** The state with the patch; the same state when every field of the patch has its value already. */
export const patchLocal = (state: AppState, patch: Partial<Local>): AppState =>
  isPatched(state.local, patch) ? state : { ...state, local: { ...state.local, ...patch } };
