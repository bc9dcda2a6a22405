/**
 * Notices that another terminal shows this pseudo-terminal now. dtach and abduco say so by a SIGWINCH without a new size;
 * the new terminal is empty, and nothing is turned on in it.
 */
import { createQuiet, type Timers } from './idle-timer.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Signals {
  on(signal: 'SIGWINCH', listener: () => void): unknown;
}

/** Signals of a window that is being resized may come after the size was read, and each would cost a whole frame. */
const sameResizeMs = 200;

/** @param size the size as it is known here; a listener that updates it was added before */
export function onReattached(
  size: () => Size,
  then: () => void,
  signals: Signals = process,
  timers?: Timers,
): { readonly expectSignal: () => void } {
  const quiet = createQuiet(timers);
  let last = size();
  let isResizing = false;
  const expectSignal = (): void => {
    isResizing = true;
    quiet.wait(sameResizeMs, () => {
      isResizing = false;
    });
  };
  signals.on('SIGWINCH', () => {
    const now = size();
    const isSame = now.columns === last.columns && now.rows === last.rows;
    last = now;
    if (!isSame) expectSignal();
    else if (!isResizing) quiet.wait(sameResizeMs, then);
  });
  return { expectSignal };
}
