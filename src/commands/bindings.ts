/** Determines the keys of a command from the command table, the key profile and the user's own keys. */
import { memoLast } from '../state/collections/memo.ts';
import type { KeySettings } from '../state/model/key-settings.ts';
import type { Command } from './command.ts';
import { parseKeys } from './key-names.ts';
import type { KeyOverrides } from './keymap.ts';
import { profileKeys } from './profiles/profiles.ts';

/** Names of keys that mean nothing are left out; `checkKeys` reports them. */
export const overridesOf = memoLast(
  ({ profile, bind }: KeySettings): KeyOverrides => ({
    ...profileKeys[profile],
    ...Object.fromEntries(Object.entries(bind).map(([id, keys]) => [id, canonical(keys)])),
  }),
);

export const canonical = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => parseKeys(key) ?? []);

export function boundKeys(settings: KeySettings, { id, keys }: Pick<Command, 'id' | 'keys'>): readonly string[] {
  const overrides = overridesOf(settings);
  return Object.hasOwn(overrides, id) ? (overrides[id] ?? []) : keys;
}
