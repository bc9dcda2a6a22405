/** The names of the themes, as `theme` in config.toml and MSG_TUI_THEME take them. */

export const themeNames = ['dark', 'light', 'high-contrast', 'colour-blind', 'ansi', 'none'] as const;

/** A name above, or that of a file in the folder `themes` beside config.toml. */
export type ThemeChoice = string;

/** A file is named without a folder. */
export const isThemeFile = (name: string): boolean => /^[\p{L}\p{N}_][\p{L}\p{N}_. -]{0,60}\.toml$/u.test(name);

/** Returns null for a name that no theme can have. */
export const themeOf = (name: string | null): ThemeChoice | null =>
  name !== null && (themeNames.some((known) => known === name) || isThemeFile(name)) ? name : null;

/** Returns the message for a name that no theme has. */
export const noSuchTheme = (name: string): string =>
  `there is no theme ${JSON.stringify(name)}; use ${themeNames.join(', ')} or the name of a file such as "mine.toml"`;
