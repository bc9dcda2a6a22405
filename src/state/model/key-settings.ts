/** What the user has set for the keys. */

export interface KeySettings {
  readonly profile: KeyProfile;
  /** Keys by the id of their command, as they were written; they take the place of all keys of the command. */
  readonly bind: Readonly<Record<string, readonly string[]>>;
  readonly macros: Readonly<Record<string, Macro>>;
}

export type KeyProfile = 'standard' | 'vim' | 'emacs';

/** Commands that run one after the other. */
export interface Macro {
  readonly keys: readonly string[];
  /** Their ids. */
  readonly run: readonly string[];
}

export const standardKeys: KeySettings = { profile: 'standard', bind: {}, macros: {} };
