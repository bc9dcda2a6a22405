/** Chooses the way to notify that this terminal supports, from its answers and the environment. */
import type { TerminalCapabilities, TerminalFacts } from './capabilities.ts';
import type { TerminalMethod } from './notification.ts';

export const terminalMethods: readonly TerminalMethod[] = ['osc99', 'osc777', 'osc9', 'bell'];

/** A method of this terminal, and why it was chosen. */
export interface ChosenMethod {
  readonly method: TerminalMethod;
  /** The reason for the choice, which `doctor` prints. */
  readonly why: string;
}

/**
 * Chooses a method that the terminal is known to show; where nothing is known the bell, which every terminal has.
 *
 * @param answer the method that the user has seen to work in this terminal
 */
export function chooseMethod(
  facts: Pick<TerminalFacts, 'term' | 'termProgram' | 'host' | 'isTmux' | 'isScreen'>,
  { osc99 }: Pick<TerminalCapabilities, 'osc99'>,
  answer: TerminalMethod | null,
): ChosenMethod {
  if (answer !== null) return { method: answer, why: 'as you have answered for this terminal' };
  if (osc99) return { method: 'osc99', why: 'the terminal says that it knows OSC 99' };
  if (facts.isScreen) return { method: 'bell', why: 'GNU screen hands on nothing else' };
  const inside = facts.isTmux ? ', through tmux with allow-passthrough on' : '';
  const names = [facts.term ?? '', facts.termProgram ?? '', facts.host];
  for (const [pattern, method, name] of known)
    if (names.some((one) => pattern.test(one))) return { method, why: `the terminal is ${name}${inside}` };
  return { method: 'bell', why: 'nothing else is known to work in this terminal' };
}

/** The methods of known terminals; Windows Terminal, VTE as most systems have it, Alacritty and Terminal.app have none. */
const known: readonly (readonly [RegExp, TerminalMethod, string])[] = [
  [/kitty/i, 'osc99', 'kitty'],
  [/ghostty/i, 'osc777', 'Ghostty'],
  [/wezterm/i, 'osc777', 'WezTerm'],
  [/^foot/i, 'osc777', 'foot'],
  [/^rxvt-unicode/i, 'osc777', 'urxvt'],
  [/contour/i, 'osc777', 'Contour'],
  [/^WarpTerminal$/i, 'osc777', 'Warp'],
  [/^iterm2?(\.app)?$/i, 'osc9', 'iTerm2'],
];
