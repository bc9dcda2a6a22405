/**
 * Writes the local state and the reading places to the disk when they change, and takes over what other processes have
 * written.
 */
import { mergeLocal } from '../../state/local/merge-local.ts';
import { changedKinds, changedRecords, type RecordKind } from '../../state/local/records.ts';
import type { AppState, Local } from '../../state/model/app-state.ts';
import { savePlaces } from '../../state/view/saved-places.ts';
import { afterPaintMs } from '../services/clock.ts';
import { type LocalServices, type SavedLocal, save, saveRecords } from '../services/durable-write.ts';
import { stateOf, update } from '../services/services.ts';
import { DraftWriter } from './draft-writer.ts';

/** Kinds that are written after the next frame, so that opening a conversation does not wait for the disk. */
const lateKinds = ['readLines', 'opened', 'conversationUses', 'detours'] as const satisfies readonly RecordKind[];

const lateOf = ({ readLines, opened, conversationUses, detours }: Local) => ({
  readLines,
  opened,
  conversationUses,
  detours,
});

const isLate = (kind: RecordKind): boolean => lateKinds.some((late) => late === kind);

/** To be created while the state is still what was read from the disk; it writes once it is started. */
export class LocalPersistence {
  readonly #context: LocalServices;
  readonly #saved: SavedLocal;
  readonly #drafts: DraftWriter;
  readonly #placeKeeper: PlaceKeeper;
  #cancelLate: (() => void) | null = null;
  #unsubscribe: (() => void) | null = null;
  #isTakingOver = false;

  constructor(context: LocalServices) {
    this.#context = context;
    this.#saved = { local: stateOf(context).local };
    this.#drafts = new DraftWriter(context, this.#saved);
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

  /** Everything is on disk when it returns. */
  flush(): void {
    this.#placeKeeper.flush();
    this.#flushLate();
    this.#drafts.flush();
  }

  stop(): void {
    this.#placeKeeper.stop();
    this.#unsubscribe?.();
    this.#unsubscribe = null;
    this.#flushLate();
    this.#drafts.stop();
  }

  /** Reads the disk again and brings what other processes wrote into the state, in one update. */
  takeOver(isSender: boolean): void {
    this.#flushLate();
    save(this.#context, () => {
      const disk = this.#context.outbox.load();
      this.#drafts.detectDraftConflicts(disk.drafts);
      this.#isTakingOver = true;
      try {
        update(this.#context, mergeLocal(disk, { isSender, isTyped: this.#drafts.isTyped }));
      } finally {
        this.#isTakingOver = false;
      }
      this.#saved.local = { ...stateOf(this.#context).local, drafts: disk.drafts };
    });
  }

  readonly #follow = ({ local }: AppState, previous: AppState): void => {
    if (local === previous.local) return;
    const before = this.#saved.local;
    // A typed letter changes the drafts alone: nothing is copied for it.
    const kinds = changedKinds(before, local).filter((kind) => kind !== 'drafts');
    if (kinds.length > 0) this.#saved.local = { ...local, drafts: before.drafts, ...lateOf(before) };
    if (this.#isTakingOver) return;
    if (kinds.some(isLate)) this.#cancelLate ??= this.#context.clock.after(afterPaintMs, () => this.#flushLate());
    const atOnce = kinds.filter((kind) => !isLate(kind));
    saveRecords(
      this.#context,
      atOnce.flatMap((kind) => changedRecords(before, local, kind)),
    );
    if (local.drafts !== previous.local.drafts) this.#drafts.noteChanges(previous.local.drafts, local.drafts);
  };

  #flushLate(): void {
    this.#cancelLate?.();
    this.#cancelLate = null;
    const { local } = stateOf(this.#context);
    const before = this.#saved.local;
    this.#saved.local = { ...before, ...lateOf(local) };
    saveRecords(
      this.#context,
      lateKinds.flatMap((kind) => changedRecords(before, local, kind)),
    );
  }
}

const pauseMs = 500;

/** Saves the reading places of conversations a while after they change, so that no key waits for the disk. */
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
      this.#cancel ??= this.#context.clock.after(pauseMs, () => this.flush());
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
