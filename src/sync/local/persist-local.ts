/**
 * Writes the local state and the reading places to the disk when they change, and takes over what other processes have
 * written.
 */
import type { ConversationId } from '../../protocol/types.ts';
import { withEntry, withoutEntry } from '../../state/collections/sharded-map.ts';
import { isOwnKind, mergeLocal } from '../../state/local/merge-local.ts';
import {
  changedKinds,
  changedRecords,
  type RecordChange,
  type RecordKind,
  withRecords,
} from '../../state/local/records.ts';
import type { AppState, Draft, Local } from '../../state/model/app-state.ts';
import { noticeNames } from '../../state/model/screen-state.ts';
import { dropNotice } from '../../state/view/notices.ts';
import { savePlaces } from '../../state/view/saved-places.ts';
import { afterPaintMs } from '../services/clock.ts';
import {
  accessLocal,
  type LocalServices,
  refusedPauseMs,
  type SavedLocal,
  saveRecords,
} from '../services/durable-write.ts';
import { stateOf, update } from '../services/services.ts';
import { DraftWriter } from './draft-writer.ts';

/** Kinds that are written after the next frame, so that opening a conversation does not wait for the disk. */
const lateKinds: readonly RecordKind[] = ['readLines', 'opened', 'conversationUses', 'reactionUses', 'detours'];

const isLate = (kind: RecordKind): boolean => lateKinds.includes(kind);

/** To be created while the state is still what was read from the disk; it writes once it is started. */
export class LocalPersistence {
  readonly #context: LocalServices;
  readonly #saved: SavedLocal;
  readonly #drafts: DraftWriter;
  readonly #placeKeeper: PlaceKeeper;
  #cancelLate: (() => void) | null = null;
  #cancelRetry: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;
  #isTakingOver = false;

  /** @param merge calls `takeOver` if another process has written */
  constructor(context: LocalServices, merge: () => void) {
    this.#context = context;
    this.#saved = { local: stateOf(context).local };
    this.#drafts = new DraftWriter(context, this.#saved, merge);
    this.#placeKeeper = new PlaceKeeper(context);
  }

  /** Writes changes from now on, beginning with those since this object was created. */
  start(): void {
    if (this.#unsubscribe !== null) return;
    this.#drafts.start();
    this.#placeKeeper.start();
    const state = stateOf(this.#context);
    if (state.local !== this.#saved.local) this.#follow(state, { ...state, local: this.#saved.local });
    this.#unsubscribe = this.#context.store.subscribe(this.#follow);
  }

  /** Everything is on disk when it returns, unless the disk refused. A signal ends the program after it, without `stop`. */
  flush(): void {
    this.#placeKeeper.flush();
    this.#flushRecords();
    this.#drafts.flushAll();
  }

  stop(): void {
    this.#placeKeeper.stop();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#flushRecords();
    this.#cancelRetry?.();
    this.#drafts.stop();
  }

  /** A draft was written to the disk with an op. */
  noteDraftOnDisk(id: ConversationId, draft: Draft | null): void {
    const { local } = this.#saved;
    const drafts = draft === null ? withoutEntry(local.drafts, id) : withEntry(local.drafts, id, draft);
    this.#saved.local = { ...local, drafts };
  }

  /** Reads the disk again and brings what other processes wrote into the state, in one update. */
  takeOver(isSender: boolean): void {
    this.#flushRecords();
    const refused = this.#unsavedKinds();
    const before = this.#saved.local;
    const changes = changesOf(refused, before, stateOf(this.#context).local);
    const isRead = accessLocal(this.#context, () => {
      const disk = this.#context.outbox.load();
      const keptDrafts = this.#drafts.detectDraftConflicts(disk.drafts);
      this.#isTakingOver = true;
      try {
        update(this.#context, mergeLocal(withRecords(disk, changes), { isSender, keptDrafts }));
      } finally {
        this.#isTakingOver = false;
      }
      const { local } = stateOf(this.#context);
      const unmerged = fieldsOf(before, refused.filter(isOwnKind));
      this.#saved.local = { ...local, drafts: disk.drafts, ...fieldsOf(disk, refused), ...unmerged };
    });
    if (isRead && refused.length === 0) update(this.#context, dropNotice(noticeNames.local));
  }

  readonly #follow = ({ local }: AppState, previous: AppState): void => {
    if (local === previous.local || this.#isTakingOver) return;
    // Refused records are not tried again here: no key waits for a disk that is full.
    const kinds = changedKinds(previous.local, local).filter((kind) => kind !== 'drafts');
    if (kinds.some(isLate)) this.#cancelLate ??= this.#context.clock.after(afterPaintMs, () => this.#flushRecords());
    this.#write(kinds.filter((kind) => !isLate(kind)));
    if (local.drafts !== previous.local.drafts) this.#drafts.noteChanges(previous.local.drafts, local.drafts);
  };

  /** Writes what the disk does not have yet, drafts aside. */
  #flushRecords(): void {
    this.#cancelLate?.();
    this.#cancelLate = null;
    this.#write(this.#unsavedKinds());
  }

  #unsavedKinds(): readonly RecordKind[] {
    return changedKinds(this.#saved.local, stateOf(this.#context).local).filter((kind) => kind !== 'drafts');
  }

  #write(kinds: readonly RecordKind[]): void {
    if (kinds.length === 0) return;
    const { local } = stateOf(this.#context);
    const before = this.#saved.local;
    if (saveRecords(this.#context, changesOf(kinds, before, local)))
      this.#saved.local = { ...before, ...fieldsOf(local, kinds) };
    else
      this.#cancelRetry ??= this.#context.clock.after(refusedPauseMs, () => {
        this.#cancelRetry = null;
        this.#flushRecords();
      });
  }
}

const changesOf = (kinds: readonly RecordKind[], before: Local, after: Local): readonly RecordChange[] =>
  kinds.flatMap((kind) => changedRecords(before, after, kind));

const fieldsOf = (local: Local, kinds: readonly RecordKind[]): Partial<Local> =>
  Object.fromEntries(kinds.map((kind) => [kind, local[kind]]));

/** The pause after which moving counts as over. */
const movedForMs = 500;

/** Saves the reading places of conversations once moving has paused, so that no key waits for the disk. */
class PlaceKeeper {
  readonly #context: LocalServices;
  #saved: AppState['view']['places'];
  #cancel: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;

  constructor(context: LocalServices) {
    this.#context = context;
    this.#saved = stateOf(context).view.places;
  }

  start(): void {
    this.#unsubscribe ??= this.#context.store.subscribe((state, previous) => {
      if (state.view.places === previous.view.places && state.view.list.view === previous.view.list.view) return;
      this.#cancel?.();
      this.#cancel = this.#context.clock.after(movedForMs, () => this.flush());
    });
  }

  /** Puts the places into the local state, whose changes `LocalPersistence` writes to the disk. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const { places } = stateOf(this.#context).view;
    update(this.#context, savePlaces(this.#saved));
    this.#saved = places;
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.flush();
  }
}
