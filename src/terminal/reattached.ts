/**
 * Notices that another terminal may show this pseudo-terminal now: nothing is turned on in it. dtach and abduco say so by
 * a SIGWINCH; where its size is the same, nothing else draws the screen in it.
 */
import { createIdleTimer, type Timers } from './idle-timer.ts';

interface Size {
  readonly columns: number;
  readonly rows: number;
}

interface Signals {
  on(signal: 'SIGWINCH', listener: () => void): unknown;
}

/** Signals of a window that is being resized may come after the size was read, and each would cost a whole frame. */
const sameResizeMs = 200;

/**
 * @param size the size as it is known here; a listener that updates it was added before
 * @param then called when no more signals come. `isDrawn`: the screen was drawn meanwhile, for another size or after a
 *   suspension
 */
export function onReattached(
  size: () => Size,
  then: (isDrawn: boolean) => void,
  signals: Signals = process,
  timers?: Timers,
): { readonly expectSignal: () => void } {
  const idleTimer = createIdleTimer(timers);
  let last = size();
  let isDrawn = false;
  const wait = (isDrawnNow: boolean): void => {
    isDrawn ||= isDrawnNow;
    idleTimer.wait(sameResizeMs, () => {
      then(isDrawn);
      isDrawn = false;
    });
  };
  signals.on('SIGWINCH', () => {
    const now = size();
    const isSame = now.columns === last.columns && now.rows === last.rows;
    last = now;
    wait(!isSame);
  });
  return { expectSignal: () => wait(true) };
}
