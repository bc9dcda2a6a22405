/** Determines whether somebody looks at the chat, as far as the terminal reports it, and whether they press keys. */
import type { InputEvent } from '../terminal/events.ts';

export interface Attention {
  /** To be called with everything that comes from the terminal. */
  readonly note: (event: InputEvent) => void;
  readonly isAttended: () => boolean;
  /** Whether a key or the mouse was used so lately that more may follow at once. */
  readonly isBusy: () => boolean;
}

/** The time after a key for which somebody counts as looking, where the terminal does not report its focus. */
const afterKeyMs = 60_000;
/** Longer than between two keys of somebody who is typing. */
const betweenKeysMs = 500;

export function createAttention(monotonic: () => number): Attention {
  /** Null until the terminal has reported it. */
  let hasFocus: boolean | null = null;
  let usedAt = Number.NEGATIVE_INFINITY;
  return {
    note(event) {
      if (event.type === 'focus') hasFocus = event.focused;
      else if (event.type !== 'reply') usedAt = monotonic();
    },
    isAttended: () => hasFocus ?? monotonic() - usedAt < afterKeyMs,
    isBusy: () => monotonic() - usedAt < betweenKeysMs,
  };
}
