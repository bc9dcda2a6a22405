/** What the panes look like in this terminal: theme and signs, from the settings and from what the terminal says of itself. */
import type { Environment } from '../config/environment.ts';
import type { ThemeChoice } from '../config/theme.ts';
import { createPanes, type Panes } from '../view/panes.ts';
import { type ThemeName, themes } from '../view/theme.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface Look {
  readonly panes: () => Panes;
  /** Others that look the same, to be drawn with out of sight. */
  readonly spare: () => Panes;
  /** After the terminal has said more of itself; true when the panes look different now. */
  refresh(): boolean;
}

/** What was asked for. */
export interface LookOptions extends Pick<Environment, 'noColor' | 'forceColor'> {
  /** Null: the theme follows the terminal. */
  readonly theme: ThemeChoice | null;
  readonly ascii: boolean;
}

export function createLook(
  terminal: Pick<TerminalSession, 'capabilities'>,
  options: LookOptions,
  keyOf: (id: string) => string,
): Look {
  const make = (theme: ThemeName): Panes =>
    createPanes({
      theme: themes[theme],
      ascii: isAscii(terminal, options.ascii),
      now: Date.now,
      keyOf,
    });
  let theme = themeFor(terminal, options);
  let panes = make(theme);
  return {
    panes: () => panes,
    spare: () => make(theme),
    refresh() {
      const next = themeFor(terminal, options);
      if (next === theme) return false;
      theme = next;
      panes = make(theme);
      return true;
    },
  };
}

/** Asked for by `--ascii`, or all that the terminal has. */
export const isAscii = (terminal: Pick<TerminalSession, 'capabilities'>, asked: boolean): boolean =>
  asked || !terminal.capabilities().isUnicode;

function themeFor(
  terminal: Pick<TerminalSession, 'capabilities'>,
  { noColor, forceColor, theme }: LookOptions,
): ThemeName {
  if (noColor !== null) return 'none';
  if (theme !== null) return theme;
  const { background, colours } = terminal.capabilities();
  if (colours === 'none' && !forceColor) return 'none';
  return background === 'light' ? 'light' : 'dark';
}
