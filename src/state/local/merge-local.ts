/** Merges what another process of the same profile has written to disk into the state. Text typed here stays. */
import type { ConversationId } from '../../protocol/types.ts';
import { sameValue } from '../collections/equal.ts';
import { emptyDraft, holdsNothing } from '../composer/draft.ts';
import type { Draft, Local, Op } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { fieldOf, patchLocal, type RecordKind, recordKinds, recordsOf } from './records.ts';

export interface OwnProcess {
  /** This process is the sender: it knows more of the attempts under way than the disk. */
  readonly isSender: boolean;
  /** Conversations whose drafts stay as they are in this process: the user is writing there. */
  readonly keptDrafts: ReadonlySet<ConversationId>;
}

/**
 * The same state when the disk has nothing new. Each process keeps its own open conversation, its places in threads,
 * and the view, width and density of its list: these are not merged.
 */
export const mergeLocal =
  (disk: Local, mine: OwnProcess): Transition =>
  (state) => {
    const { local } = state;
    const merged = recordKinds(local).map((kind) => mergeRecords(local, disk, kind, mine));
    const outbox = mergeOps(local.outbox, disk.outbox, mine.isSender);
    return patchLocal(state, Object.assign({ outbox }, ...merged));
  };

function mergeOps(held: readonly Op[], disk: readonly Op[], isSender: boolean): readonly Op[] {
  const mine = new Map(held.map((op) => [op.uuid, op]));
  const merged = disk.map((op) => {
    const own = mine.get(op.uuid);
    if (own === undefined) return op;
    const isKnownBetter = isSender && (own.state === 'sending' || op.state === 'sending');
    return isKnownBetter || sameValue(own, op) ? own : op;
  });
  // An attempt under way is followed to its end, even when another process has removed its record.
  const kept = new Set(merged.map((op) => op.uuid));
  const underWay = isSender ? held.filter((op) => op.state === 'sending' && !kept.has(op.uuid)) : [];
  const all = underWay.length === 0 ? merged : [...merged, ...underWay].sort((a, b) => a.seq - b.seq);
  return all.length === held.length && all.every((op, index) => op === held[index]) ? held : all;
}

function mergeDrafts(
  held: ReadonlyMap<ConversationId, Draft>,
  disk: ReadonlyMap<ConversationId, Draft>,
  kept: ReadonlySet<ConversationId>,
): ReadonlyMap<ConversationId, Draft> {
  const merged = new Map<ConversationId, Draft>();
  for (const [id, draft] of held) {
    const written = disk.get(id);
    // The disk has no record of one with nothing in it, which may hold what was cut, and what can be undone.
    const isSame = written === undefined ? holdsNothing(draft) : isSameDraft(draft, written);
    if (kept.has(id) || isSame) merged.set(id, draft);
    else if (written !== undefined || draft.kill !== '') merged.set(id, withKillsOf(draft, written ?? emptyDraft));
  }
  for (const [id, draft] of disk) if (!merged.has(id) && !kept.has(id)) merged.set(id, draft);
  return isSameMap(held, merged) ? held : merged;
}

/** What was cut here can still be put back after another process has written, or sent, the draft. */
const withKillsOf = ({ kill, earlierKills, killedFiles }: Draft, draft: Draft): Draft => ({
  ...draft,
  kill,
  ...(earlierKills && { earlierKills }),
  ...(killedFiles && { killedFiles }),
});

/** Compares the fields of a draft that are stored on disk. */
export const isSameDraft = (a: Draft, b: Draft): boolean =>
  a.text === b.text &&
  sameValue(a.editing, b.editing) &&
  sameValue(a.attachments, b.attachments) &&
  (a.recalled?.stash ?? '') === (b.recalled?.stash ?? '');

/**
 * Attaches what another process has attached to its version of a draft.
 *
 * @param before what the disk held when this process last read or wrote it: a file in it that is not attached here any
 *   more was removed here
 */
export function withAddedFiles(mine: Draft, theirs: Draft, before: Draft | undefined): Draft {
  const held = mine.attachments ?? [];
  const known = [...held, ...(before?.attachments ?? [])];
  const added = (theirs.attachments ?? []).filter((file) => !known.some((other) => sameValue(other, file)));
  return added.length === 0 ? mine : { ...mine, attachments: [...held, ...added] };
}

/** Whether each process keeps its own records of this kind, whatever the others write. */
export const isOwnKind = (kind: RecordKind): boolean =>
  kind === 'opened' || kind === 'savedPlaces' || kind === 'listView' || kind === 'listWidth' || kind === 'density';

/** Takes the records of the disk: changes here are written at once, so what differs there is newer or was removed there. */
function mergeRecords(local: Local, disk: Local, kind: RecordKind, { keptDrafts }: OwnProcess): Partial<Local> {
  if (isOwnKind(kind)) return {};
  if (kind === 'drafts') return { drafts: mergeDrafts(local.drafts, disk.drafts, keptDrafts) };
  const held = recordsOf(local, kind);
  const merged = new Map<string, unknown>();
  for (const [key, value] of recordsOf(disk, kind)) {
    const own = held.get(key);
    merged.set(key, sameValue(own, value) ? own : value);
  }
  return isSameMap(held, merged) ? {} : fieldOf(kind, merged);
}

const isSameMap = <K, V>(a: ReadonlyMap<K, V>, b: ReadonlyMap<K, V>): boolean =>
  a.size === b.size && [...b].every(([key, value]) => a.has(key) && a.get(key) === value);
