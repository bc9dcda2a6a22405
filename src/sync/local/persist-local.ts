/** Writes what exists only here to the disk behind the frame that shows it, drafts when typing pauses; takes over what others write. */
import { capabilityChanges } from '../../protocol/capabilities.ts';
import type { ConversationId } from '../../protocol/types.ts';
import { eachChange } from '../../state/collections/sharded-map.ts';
import { updateDraft } from '../../state/composer/drafts.ts';
import { isSameDraft, mergeLocal } from '../../state/local/merge-local.ts';
import type { AppState, Draft } from '../../state/model/app-state.ts';
import { dropNotice } from '../../state/view/connection.ts';
import { notify, type Services, stateOf, update, writeToDisk } from '../services/services.ts';
import { afterPaintMs } from '../services/timing.ts';

export interface LocalPersistence {
  /** From now on changes are written as they come, those since the keeper was made first. */
  start(): void;
  /** Everything is on disk when it returns. */
  flush(): void;
  /** Reads the disk again and brings what other processes wrote into the state, in one update. */
  takeOver(isSender: boolean): void;
  stop(): void;
}

/** Without a key for so long, a draft is written; while typing goes on, so often. */
const draftPauseMs = 400;
const draftMostMs = 2_000;
const refusedPauseMs = 5_000;
const consequence = 'Not saved on this machine:';

/** Drafts are on disk half a second after the last key at the latest (R-DRAFT). */
export function persistLocal(context: Services): LocalPersistence {
  /** What the disk holds as far as this process knows. */
  let saved = stateOf(context).local;
  let cancel: (() => void) | null = null;
  let cancelRetry: (() => void) | null = null;
  let cancelPlaces: (() => void) | null = null;
  let unsubscribe: (() => void) | null = null;
  /** Of drafts that are not on disk yet, on the monotonic clock. */
  let firstChangeAt = 0;
  let lastChangeAt = 0;
  let isTakingOver = false;
  /** Drafts with a key pressed in them here since they were read. */
  const typed = new Set<ConversationId>();
  /** What another process has written where this one is writing, too: nobody's words may go. */
  const contested = new Map<ConversationId, Draft>();

  const flushDrafts = (): void => {
    cancel?.();
    cancel = null;
    const { drafts } = stateOf(context).local;
    const held = saved.drafts;
    const onDisk = new Map(drafts);
    saved = { ...saved, drafts: onDisk };
    eachChange(held, drafts, (id, draft) => {
      if (isSaved(held.get(id), draft)) return;
      if (!save(() => context.outbox.saveDraft(id, draft ?? null))) return putBack(onDisk, held, id);
    });
  };
  /** What is open and how far it was read: opening a conversation does not wait for the disk. */
  const flushPlaces = (): void => {
    cancelPlaces?.();
    cancelPlaces = null;
    const { readLines, opened } = stateOf(context).local;
    const before = saved;
    saved = { ...saved, readLines, opened };
    eachChange(before.readLines, readLines, (id, line) => save(() => context.outbox.saveReadLine(id, line ?? null)));
    if (opened !== before.opened) save(() => context.outbox.saveOpened(opened));
  };
  const flush = (): void => {
    flushPlaces();
    flushDrafts();
  };
  const retry = (): void => {
    cancelRetry = null;
    flushDrafts();
  };
  /** What the disk refused is offered to it again, whether a key is pressed or not. */
  const putBack = (
    onDisk: Map<ConversationId, Draft>,
    held: ReadonlyMap<ConversationId, Draft>,
    id: ConversationId,
  ) => {
    const before = held.get(id);
    if (before === undefined) onDisk.delete(id);
    else onDisk.set(id, before);
    if (unsubscribe !== null) cancelRetry ??= context.clock.after(refusedPauseMs, retry);
  };
  const save = (write: () => void): boolean => {
    const isDone = writeToDisk(context, 'local', consequence, write);
    if (isDone) update(context, dropNotice('local'));
    return isDone;
  };
  const follow = ({ local }: AppState, previous: AppState): void => {
    const before = saved;
    saved = { ...local, drafts: before.drafts, readLines: before.readLines, opened: before.opened };
    if (isTakingOver) return;
    if (local.readLines !== before.readLines || local.opened !== before.opened)
      cancelPlaces ??= context.clock.after(afterPaintMs, flushPlaces);
    if (local.names !== before.names)
      eachChange(before.names, local.names, (id, name) => save(() => context.outbox.saveName(id, name ?? null)));
    if (local.me !== before.me) save(() => context.outbox.saveMe(local.me));
    const learned = capabilityChanges(before.capabilities, local.capabilities);
    if (learned !== null) save(() => context.outbox.saveCapabilities(learned));
    if (local.drafts === previous.local.drafts) return;
    eachChange(previous.local.drafts, local.drafts, (id, draft) => (draft ? typed.add(id) : typed.delete(id)));
    lastChangeAt = context.clock.monotonic();
    if (cancel !== null) return;
    firstChangeAt = lastChangeAt;
    cancel = context.clock.after(draftPauseMs, flushWhenPaused);
  };
  /** One timer for all keys: moved on when it fires, not with every key. */
  const flushWhenPaused = (): void => {
    const now = context.clock.monotonic();
    const at = Math.min(lastChangeAt + draftPauseMs, firstChangeAt + draftMostMs);
    if (at <= now) flushDrafts();
    else cancel = context.clock.after(at - now, flushWhenPaused);
  };

  /** Being written: open here, or not yet on disk as it stands here. */
  const isTyped = (id: ConversationId): boolean => {
    if (!typed.has(id)) return false;
    const { view, local } = stateOf(context);
    if (view.openId === id || !isSaved(saved.drafts.get(id), local.drafts.get(id))) return true;
    typed.delete(id);
    return false;
  };

  const detectDraftConflicts = (disk: ReadonlyMap<ConversationId, Draft>): void => {
    for (const id of [...typed].filter(isTyped)) {
      const theirs = disk.get(id);
      const before = saved.drafts.get(id);
      if (theirs === undefined) contested.delete(id);
      else if (before === undefined || !isSameDraft(theirs, before)) {
        contested.set(id, theirs);
        update(
          context,
          updateDraft(id, (draft) => ({ ...draft, kill: theirs.text })),
        );
        const text = 'Another msg-tui writes in this conversation, too. Ctrl-Y puts its text here.';
        notify(context, 'warning', `draft ${id}`, text);
      }
    }
  };

  const takeOver = (isSender: boolean): void => {
    flushPlaces();
    save(() => {
      const disk = context.outbox.load();
      detectDraftConflicts(disk.drafts);
      isTakingOver = true;
      try {
        update(context, mergeLocal(disk, { isSender, isTyped }));
      } finally {
        isTakingOver = false;
      }
      saved = { ...stateOf(context).local, drafts: disk.drafts };
    });
  };

  const mergeConflictingDrafts = (): void => {
    for (const [id, theirs] of contested) {
      const mine = stateOf(context).local.drafts.get(id);
      if (mine?.editing || mine?.text.includes(theirs.text)) continue;
      const text = mine === undefined || mine.text === '' ? theirs.text : `${mine.text}\n${theirs.text}`;
      save(() => context.outbox.saveDraft(id, { ...(mine ?? theirs), text }));
    }
  };

  return {
    start: () => {
      if (unsubscribe !== null) return;
      const state = stateOf(context);
      if (state.local !== saved) follow(state, { ...state, local: saved });
      unsubscribe = context.store.subscribe(follow);
    },
    flush,
    takeOver,
    stop: () => {
      unsubscribe?.();
      unsubscribe = null;
      flush();
      cancelRetry?.();
      mergeConflictingDrafts();
    },
  };
}

const isSaved = (a: Draft | undefined, b: Draft | undefined): boolean => {
  if (a === undefined || b === undefined) return a === b || isBlank(a ?? b);
  return a.cursor === b.cursor && isSameDraft(a, b);
};

/** The disk keeps no draft that holds nothing. */
const isBlank = (draft: Draft | undefined): boolean => draft?.text === '' && draft.editing === null;
