/** Keeps the second click of a double click from acting in the dialog that the first one has opened. */
import type { CommandContext } from '../commands/context.ts';
import type { Millis } from '../protocol/types.ts';
import type { MouseEvent } from '../terminal/events.ts';

const doubleClickMs = 500;

/**
 * Drops the second half of a double click whose first half has opened or closed an overlay: it was meant for what was
 * there before.
 */
export function withoutSecondClicks(
  context: CommandContext,
  act: (event: MouseEvent) => void,
): (event: MouseEvent) => void {
  let last: { readonly x: number; readonly y: number; readonly at: Millis } | null = null;
  return (event) => {
    const { action, x, y } = event;
    const isSecond = last !== null && x === last.x && y === last.y && context.now() - last.at < doubleClickMs;
    if (action === 'press' && isSecond) return;
    const before = context.get().screen.overlays.length;
    act(event);
    if (action !== 'press' && action !== 'release') return;
    if (context.get().screen.overlays.length !== before) last = { x, y, at: context.now() };
  };
}
