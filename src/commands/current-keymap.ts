/** A keymap that follows the settings and the terminal of the state, which may change while the program runs. */
import type { AppState } from '../state/model/app-state.ts';
import type { Keymap } from './keymap.ts';
import { keymapOf } from './table.ts';

export function followingKeymap(get: () => AppState): Keymap {
  const now = (): Keymap => keymapOf(get());
  return {
    get commands() {
      return now().commands;
    },
    get hasCounts() {
      return now().hasCounts;
    },
    get conflicts() {
      return now().conflicts;
    },
    find: (contexts, keys) => now().find(contexts, keys),
    follow: (contexts, keys) => now().follow(contexts, keys),
    keysOf: (id) => now().keysOf(id),
  };
}
