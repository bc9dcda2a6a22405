/** The names of the themes, as `theme` in config.toml and MSG_TUI_THEME take them. */

export const themeNames = ['dark', 'light', 'high-contrast', 'colour-blind', 'ansi', 'none'] as const;
export type ThemeChoice = (typeof themeNames)[number];

/** Returns null for a name that no theme has. */
export const themeOf = (name: string | null): ThemeChoice | null => themeNames.find((known) => known === name) ?? null;

/** Returns the message for a name that no theme has. */
export const noSuchTheme = (name: string): string =>
  `there is no theme ${JSON.stringify(name)}; use ${themeNames.slice(0, -1).join(', ')} or ${themeNames.at(-1)}`;
