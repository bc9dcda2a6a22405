/** Chooses theme and signs from the settings and from what the terminal says about itself. */
import type { Environment } from '../config/environment.ts';
import { memoLast } from '../state/collections/memo.ts';
import type { Settings, ThemeName } from '../state/model/settings.ts';
import type { Capabilities } from '../terminal/capabilities.ts';
import { type Markdown, noMarkdown } from '../view/markdown.ts';
import { createPanes, type Panes } from '../view/panes.ts';
import { themes } from '../view/theme.ts';
import type { TerminalSession } from './terminal-session.ts';

export interface Look {
  /** The same ones until the theme changes, or a part of the drawing of formatted messages was loaded. */
  readonly panes: () => Panes;
  /** Makes other panes of the same look, to draw with out of sight. */
  readonly spare: () => Panes;
}

/** What the user asked for. */
export interface LookOptions extends Pick<Environment, 'noColor' | 'forceColor'> {
  readonly theme: () => Settings['theme'];
  readonly ascii: boolean;
}

export function createLook(
  terminal: Pick<TerminalSession, 'capabilities'>,
  options: LookOptions,
  keyOf: (id: string) => string,
  markdown: () => Markdown = () => noMarkdown,
): Look {
  const make = (theme: ThemeName, formats: Markdown): Panes =>
    createPanes({
      theme: themes[theme],
      ascii: isAscii(terminal, options.ascii),
      colours: manyColours(terminal.capabilities().colours),
      now: Date.now,
      markdown: formats,
      keyOf,
    });
  const shown = memoLast(make);
  return {
    panes: () => shown(themeFor(terminal, options), markdown()),
    spare: () => make(themeFor(terminal, options), markdown()),
  };
}

const manyColours = (colours: Capabilities['colours']): '256' | 'truecolor' | null =>
  colours === '256' || colours === 'truecolor' ? colours : null;

/** Whether `--ascii` was given or the terminal has ASCII alone. */
export const isAscii = (terminal: Pick<TerminalSession, 'capabilities'>, asked: boolean): boolean =>
  asked || !terminal.capabilities().isUnicode;

function themeFor(
  terminal: Pick<TerminalSession, 'capabilities'>,
  { noColor, forceColor, theme }: LookOptions,
): ThemeName {
  if (noColor !== null) return 'none';
  const chosen = theme();
  if (chosen !== null) return chosen;
  const { background, colours } = terminal.capabilities();
  if (colours === 'none' && !forceColor) return 'none';
  return background === 'light' ? 'light' : 'dark';
}
