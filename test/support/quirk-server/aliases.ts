/** Ids that stand in answers to POSTs alone, in the place of the one by which everything else knows what was made. */
import type { Quirks } from './quirks.ts';
import type { World } from './world.ts';

const aliasMs = 300_000;

export class Aliases {
  readonly #quirks: Quirks;
  readonly #world: World;
  readonly #now: () => number;
  readonly #real = new Map<string, { readonly id: string; readonly until: number }>();

  constructor(quirks: Quirks, world: World, now: () => number) {
    this.#quirks = quirks;
    this.#world = world;
    this.#now = now;
  }

  /** The id that the answer to a POST names. */
  answered(id: string, isMessage: boolean): string {
    const kind = isMessage ? this.#quirks.sentId : this.#quirks.createdId;
    if (kind === 'own') return id;
    const alias = this.#world.newId('t');
    if (kind === 'alias') this.#real.set(alias, { id, until: this.#now() + aliasMs });
    return alias;
  }

  real(id: string): string {
    const found = this.#real.get(id);
    return found !== undefined && this.#now() < found.until ? found.id : id;
  }
}
