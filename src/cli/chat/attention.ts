/**
 * Determines whether the user sees the chat, as far as the terminal reports it, and whether keys are being pressed. The
 * focus changes the pace of the polls, and the screen may be dimmed without it. When it returns, the terminal is asked for
 * the colour of its background again.
 */
import type { Session } from '../../session.ts';
import type { AppState } from '../../state/model/app-state.ts';
import { type InputEvent, needsFocus } from '../../terminal/events.ts';
import type { Style } from '../../text/layout/row.ts';
import { dimmedStyles } from '../../view/dimmed.ts';
import type { Panes } from '../../view/panes.ts';
import type { TerminalSession } from '../process/terminal-session.ts';

export interface Attention {
  /** To be called with everything that comes from the terminal. */
  readonly note: (event: InputEvent) => void;
  readonly isAttended: () => boolean;
  /** Whether a key or the mouse was used so lately that more may follow at once. */
  readonly isBusy: () => boolean;
}

/** The time after a key for which somebody counts as looking, where the terminal does not report its focus. */
const afterKeyMs = 60_000;
/**
 * The time after a key or click in which more may follow at once: longer than between two keys of somebody who is typing.
 */
const betweenKeysMs = 500;

export function createAttention(monotonic: () => number): Attention {
  /** Null until the terminal has reported it. */
  let hasFocus: boolean | null = null;
  let usedAt = Number.NEGATIVE_INFINITY;
  return {
    note(event) {
      if (event.type === 'focus') hasFocus = event.focused;
      else if (event.type !== 'reply') usedAt = monotonic();
      if (hasFocus === false && needsFocus(event)) hasFocus = true;
    },
    isAttended: () => hasFocus ?? monotonic() - usedAt < afterKeyMs,
    isBusy: () => monotonic() - usedAt < betweenKeysMs,
  };
}

export interface TerminalFocusOptions {
  readonly terminal: Pick<TerminalSession, 'askAgain'>;
  readonly session: { readonly engine: Pick<Session['engine'], 'setFocused'> };
  readonly panes: () => Pick<Panes, 'look'>;
  /** Draws the screen again, if something has changed. */
  readonly paint: () => void;
}

export interface TerminalFocus {
  /** Call with each report of the terminal. A terminal without reports has the focus. */
  readonly set: (isFocused: boolean) => void;
  /** Returns the function that dims a style; null while the screen is not dimmed. */
  readonly restyle: (state: AppState) => ((style: Style) => Style) | null;
}

/** At each return of the focus, the colour of the background is asked for: the user may have switched dark and light. */
export function createTerminalFocus({ terminal, session, panes, paint }: TerminalFocusOptions): TerminalFocus {
  let hasFocus = true;
  return {
    set(isFocused) {
      hasFocus = isFocused;
      session.engine.setFocused(isFocused);
      paint();
      if (isFocused) terminal.askAgain();
    },
    restyle: ({ settings }) => (settings.dimUnfocused && !hasFocus ? dimmedStyles(panes().look.theme.muted) : null),
  };
}
