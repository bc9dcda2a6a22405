/** Makes the keymap from the settings, which may change while the program runs. */
import { memoLast } from '../state/collections/memo.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { KeySettings } from '../state/model/key-settings.ts';
import { overridesOf } from './bindings.ts';
import { createKeymap, type Keymap } from './keymap.ts';
import { withMacros } from './table.ts';

const none: ReadonlySet<string> = new Set();

/** @param lost keys that this terminal does not send */
export function keymapFor(settings: KeySettings, lost: ReadonlySet<string> = none): Keymap {
  return createKeymap(withMacros(settings), overridesOf(settings), { hasCounts: settings.profile === 'vim', lost });
}

/** A keymap that follows `settings.keys`: it is made again when they change, and only then. */
export function followingKeymap(get: () => AppState, lost?: ReadonlySet<string>): Keymap {
  const made = memoLast((settings: KeySettings) => keymapFor(settings, lost));
  const now = (): Keymap => made(get().settings.keys);
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
