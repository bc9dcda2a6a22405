/** Chooses theme and signs from the settings and the capabilities of the terminal. */
import type { Environment } from '../../config/environment.ts';
import { memoLast } from '../../state/collections/memo.ts';
import type { Settings } from '../../state/model/settings.ts';
import type { TerminalCapabilities } from '../../terminal/capabilities.ts';
import { type Markdown, noMarkdown } from '../../view/markdown.ts';
import { createPanes, type Panes } from '../../view/panes.ts';
import { type Theme, themes } from '../../view/theme.ts';
import type { ThemePair } from '../../view/theme-built-in.ts';
import { chooseTheme, type TerminalColours } from '../../view/theme-choice.ts';
import type { TerminalSession } from '../process/terminal-session.ts';

type Background = TerminalColours['background'];
type Depth = TerminalColours['depth'];

export interface Appearance {
  /** The panes, which stay the same until theme or signs change, or a part of the drawing of formatted messages is loaded. */
  readonly panes: () => Panes;
  /** Makes further panes of the same appearance, which draw nothing on the screen. */
  readonly spare: () => Panes;
}

/** The appearance that the user asked for. */
export interface AppearanceOptions extends Pick<Environment, 'noColor' | 'forceColor'> {
  readonly theme: () => Settings['theme'];
  /** The user's own theme of that name; null where there is none. */
  readonly own: (name: string | null) => ThemePair | null;
  readonly ascii: boolean;
  readonly glyphs?: () => Settings['glyphs'];
}

export function createAppearance(
  terminal: Pick<TerminalSession, 'capabilities'>,
  options: AppearanceOptions,
  keyOf: (id: string) => string,
  markdown: () => Markdown = () => noMarkdown,
): Appearance {
  const make = (theme: Theme, formats: Markdown, ascii: boolean): Panes =>
    createPanes({
      theme,
      ascii,
      colours: manyColours(terminal.capabilities().colours),
      now: Date.now,
      markdown: formats,
      keyOf,
    });
  const shown = memoLast(make);
  const chosen = memoLast(
    (name: string | null, own: ThemePair | null, background: Background, depth: Depth): Theme =>
      chooseTheme(name, own, { background, depth }),
  );
  const theme = (): Theme => {
    const colours = coloursOf(terminal, options);
    const name = options.theme();
    return colours === null ? themes.none : chosen(name, options.own(name), colours.background, colours.depth);
  };
  const ascii = (): boolean => drawsAscii(terminal, options.ascii, options.glyphs?.());
  return {
    panes: () => shown(theme(), markdown(), ascii()),
    spare: () => make(theme(), markdown(), ascii()),
  };
}

const manyColours = (colours: TerminalCapabilities['colours']): '256' | 'truecolor' | null =>
  colours === '256' || colours === 'truecolor' ? colours : null;

/** Whether `--ascii` was given, the setting says so, or the terminal has ASCII alone and the setting leaves it to that. */
export const drawsAscii = (
  terminal: Pick<TerminalSession, 'capabilities'>,
  asked: boolean,
  glyphs: Settings['glyphs'] = 'auto',
): boolean => asked || (glyphs === 'auto' ? !terminal.capabilities().isUnicode : glyphs === 'ascii');

function coloursOf(
  terminal: Pick<TerminalSession, 'capabilities'>,
  { noColor, forceColor }: AppearanceOptions,
): TerminalColours | null {
  if (noColor !== null) return null;
  const { background, colours } = terminal.capabilities();
  return { background, depth: colours === 'none' && forceColor ? '16' : colours };
}
