/** Saves the reading places of conversations a while after they change, so that no key waits for the disk. */

import type { AppState } from '../../state/model/app-state.ts';
import { savePlaces } from '../../state/view/saved-places.ts';
import type { LocalServices } from '../services/durable-write.ts';
import { stateOf, update } from '../services/services.ts';

const pauseMs = 500;

export class PlaceKeeper {
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
