/** Determines the keys of a command from the command table, the key profile and the user's own keys. */
import { memoLast } from '../state/collections/memo.ts';
import type { KeySettings } from '../state/model/key-settings.ts';
import type { Command } from './command.ts';
import { parseKeys } from './key-names.ts';
import type { KeyOverrides } from './keymap.ts';
import { profileKeys } from './profiles/profiles.ts';

export const overridesOf = memoLast(
  ({ profile, bind }: KeySettings): KeyOverrides => ({ ...profileKeys[profile], ...chosenKeys(bind) }),
);

/**
 * Names of keys that mean nothing are left out; `keyProblems` reports them. A command all of whose keys are misspelt
 * keeps those that it had, as only an empty list says that it shall have none.
 */
const chosenKeys = (bind: KeySettings['bind']): KeyOverrides =>
  Object.fromEntries(
    Object.entries(bind)
      .map(([id, keys]) => [id, canonical(keys), keys] as const)
      .filter(([, known, keys]) => known.length > 0 || keys.length === 0),
  );

/** The commands whose keys the user has chosen. */
export const ownIds = ({ bind, macros }: KeySettings): ReadonlySet<string> =>
  new Set([...Object.keys(chosenKeys(bind)), ...Object.keys(macros).map(macroId)]);

export const macroId = (name: string): string => `macro.${name}`;

export const canonical = (keys: readonly string[]): readonly string[] => keys.flatMap((key) => parseKeys(key) ?? []);

export function boundKeys(settings: KeySettings, { id, keys }: Pick<Command, 'id' | 'keys'>): readonly string[] {
  const overrides = overridesOf(settings);
  return Object.hasOwn(overrides, id) ? (overrides[id] ?? []) : keys;
}

/** The keys of a command in the key profile. */
export const usualKeys = (settings: KeySettings, command: Pick<Command, 'id' | 'keys'>): readonly string[] =>
  profileKeys[settings.profile][command.id] ?? command.keys;
