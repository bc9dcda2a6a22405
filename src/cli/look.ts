/** What the panes look like in this terminal: theme and signs, from the settings and from what the terminal says of itself. */
import type { Environment } from '../config/environment.ts';
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

export function createLook(
  terminal: TerminalSession,
  environment: Environment,
  ascii: boolean,
  keyOf: (id: string) => string,
): Look {
  const make = (theme: ThemeName): Panes =>
    createPanes({
      theme: themes[theme],
      ascii: isAscii(terminal, ascii),
      now: Date.now,
      keyOf,
    });
  let theme = themeFor(terminal, environment);
  let panes = make(theme);
  return {
    panes: () => panes,
    spare: () => make(theme),
    refresh() {
      const next = themeFor(terminal, environment);
      if (next === theme) return false;
      theme = next;
      panes = make(theme);
      return true;
    },
  };
}

/** Asked for by `--ascii`, or all that the terminal has. */
export const isAscii = (terminal: TerminalSession, asked: boolean): boolean =>
  asked || !terminal.capabilities().isUnicode;

function themeFor(terminal: TerminalSession, { noColor, theme }: Environment): ThemeName {
  if (noColor) return 'none';
  const wanted = Object.keys(themes).find((name): name is ThemeName => name === theme);
  if (wanted !== undefined) return wanted;
  const { background, colours } = terminal.capabilities();
  if (colours === 'none') return 'none';
  return background === 'light' ? 'light' : 'dark';
}
