/** Chooses theme and signs from the settings and from what the terminal says about itself. */
import type { Environment } from '../config/environment.ts';
import type { ThemeChoice } from '../config/theme.ts';
import { createPanes, type Panes } from '../view/panes.ts';
import { type ThemeName, themes } from '../view/theme.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface Look {
  readonly panes: () => Panes;
  /** Makes other panes of the same look, to draw with out of sight. */
  readonly spare: () => Panes;
  /** Called when the terminal has said more about itself; true when the panes look different now. */
  refresh(): boolean;
}

/** What the user asked for. */
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

/** Whether `--ascii` was given or the terminal has ASCII alone. */
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
