/** Takes over the terminal (screen and keyboard) for the welcome screen and the chat, and gives it back. */
import type { Environment } from '../../config/environment.ts';
import {
  backgroundQuery,
  initialCapabilities,
  learnFromReply,
  queriesFor,
  type TerminalCapabilities,
  type TerminalFacts,
} from '../../terminal/capabilities.ts';
import type { InputEvent } from '../../terminal/events.ts';
import { Input } from '../../terminal/input.ts';
import { LinePace } from '../../terminal/line-pace.ts';
import { onReattached } from '../../terminal/reattached.ts';
import { Restore } from '../../terminal/restore.ts';
import { Screen } from '../../terminal/screen.ts';
import type { ScreenOptions } from '../../terminal/screen-options.ts';
import { StreamTty } from '../../terminal/tty-port.ts';
import type { SafeText } from '../../text/safe-text.ts';
import { ExitError, exitCodes } from './exit.ts';
import type { Teardown } from './teardown.ts';

/** Removes the listener again. */
type RemoveListener = () => void;

export interface TerminalSession {
  readonly screen: Screen;
  readonly input: Input;
  readonly restore: Restore;
  capabilities(): TerminalCapabilities;
  /** Asks for the colour of the background, which may have changed while the terminal had no focus. */
  askAgain(): void;
  /** Processes a report of the terminal about itself. Returns true when the known facts changed. */
  learn(event: Extract<InputEvent, { type: 'reply' }>): boolean;
  /** The listener is called when the terminal has reported a new fact about itself. */
  onLearn(listener: () => void): RemoveListener;
  /** The listener is called with every new size, and once more after a pause. */
  onResize(listener: () => void): RemoveListener;
  /** The listener is called before a signal or an error ends the program, to save unsaved data. */
  onLeave(listener: () => void): RemoveListener;
  /** The listener is called before the program is stopped, which may never be continued, to save unsaved data. */
  onStop(listener: () => void): RemoveListener;
}

export function terminalFacts({ terminal }: Pick<Environment, 'terminal'>): TerminalFacts {
  return {
    term: terminal.term,
    colorTerm: terminal.colorTerm,
    termProgram: terminal.program === '' ? undefined : terminal.program,
    host: terminal.host,
    locale: terminal.locale,
    colorFgBg: terminal.colors,
    isTmux: terminal.tmux,
    isScreen: terminal.screen,
    isSsh: terminal.ssh,
    isWindowsTerminal: terminal.windowsTerminal,
    isWindows: process.platform === 'win32',
    isTty: process.stdout.isTTY === true && process.stdin.isTTY === true,
  };
}

/** @throws ExitError where a full screen cannot be drawn */
export function requireTerminal(facts: TerminalFacts): void {
  if (!facts.isTty)
    throw new ExitError(exitCodes.usage, 'this needs a terminal; see msg-tui --help for what works without one');
  if (initialCapabilities(facts).isDumb)
    throw new ExitError(
      exitCodes.usage,
      `the terminal (TERM=${facts.term ?? ''}) cannot move its cursor; set TERM to what it is, such as xterm-256color`,
    );
}

function callAll(listeners: readonly (() => void)[]): void {
  for (const listener of [...listeners]) listener();
}

function endAfter(listeners: readonly (() => void)[]): never {
  callAll(listeners);
  process.exit(exitCodes.failure);
}

function added(listeners: (() => void)[], listener: () => void): () => void {
  listeners.push(listener);
  return () => void (listeners.includes(listener) && listeners.splice(listeners.indexOf(listener), 1));
}

/** The terminal for one of several chats of a run: what it has subscribed to ends with `teardown`. */
export function terminalUntil(terminal: TerminalSession, teardown: Teardown): TerminalSession {
  return {
    ...terminal,
    onLearn: (listener) => ended(teardown, terminal.onLearn(listener)),
    onResize: (listener) => ended(teardown, terminal.onResize(listener)),
    onLeave: (listener) => ended(teardown, terminal.onLeave(listener)),
    onStop: (listener) => ended(teardown, terminal.onStop(listener)),
  };
}

function ended(teardown: Teardown, remove: RemoveListener): RemoveListener {
  teardown.add(remove);
  return remove;
}

const screenOptions = (facts: TerminalFacts, { isUtf8 }: TerminalCapabilities): ScreenOptions => ({
  tty: new StreamTty(process.stdout),
  mouse: true,
  isUtf8,
  // The Linux console prints sequences that it does not know.
  hasCursorShapes: facts.term !== 'linux',
  hasHyperlinks: facts.term !== 'linux',
  queries: queriesFor(facts),
  pace: new LinePace(),
});

/** @param onFatal returns the text to print for an unexpected error */
export function openTerminal(environment: Environment, onFatal: (error: unknown) => SafeText): TerminalSession {
  const facts = terminalFacts(environment);
  let capabilities = initialCapabilities(facts);
  const resizeListeners: (() => void)[] = [];
  const leaveListeners: (() => void)[] = [];
  const stopListeners: (() => void)[] = [];
  const learnListeners: (() => void)[] = [];
  const resized = (): void => callAll(resizeListeners);
  const hangUp = (): void => endAfter(leaveListeners);
  const screen = new Screen({ ...screenOptions(facts, capabilities), onResize: resized, onHangup: hangUp });
  const input = new Input({ stdin: process.stdin, onHangup: hangUp, answers: screen, isTmux: facts.isTmux });
  const { expectSignal } = onReattached(() => ({ columns: screen.columns, rows: screen.rows }), screen.redraw);
  const restore = new Restore({
    screen,
    input,
    onFatal: (error) => `${onFatal(error)}\n`,
    beforeExit: () => callAll(leaveListeners),
    beforeStop: () => callAll(stopListeners),
    onResume: () => callAll([expectSignal, resized]),
    isProfiled: environment.isProfiled,
  });
  return {
    screen,
    input,
    restore,
    capabilities: () => capabilities,
    askAgain: () => screen.writeControl(backgroundQuery(facts)),
    learn(event) {
      const before = capabilities;
      capabilities = learnFromReply(capabilities, event, screen);
      if (capabilities.kittyKeyboard) screen.setKittyKeyboard(true);
      if (before !== capabilities) callAll(learnListeners);
      return before !== capabilities;
    },
    onLearn: (listener) => added(learnListeners, listener),
    onResize: (listener) => added(resizeListeners, listener),
    onLeave: (listener) => added(leaveListeners, listener),
    onStop: (listener) => added(stopListeners, listener),
  };
}
