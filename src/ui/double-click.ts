/** Recognises a double click, and keeps its second click from acting in the dialog that the first one has opened. */
import type { CommandContext } from '../commands/context.ts';
import type { Millis } from '../protocol/types.ts';
import { isWithin } from '../state/view/overlays.ts';
import type { MouseEvent } from '../terminal/events.ts';

const doubleClickMs = 500;

export interface Click {
  readonly x: number;
  readonly y: number;
  readonly at: Millis;
}

/** Whether a click is at the cell of the click before it and soon enough after it to belong to it. */
export const isNextClick = (last: Click | null, { x, y, at }: Click): boolean =>
  last !== null && x === last.x && y === last.y && isWithin(doubleClickMs, last.at, at);

/**
 * Drops the second half of a double click whose first half has opened or closed an overlay: it was meant for what was
 * there before.
 */
export function withoutSecondClicks(
  context: CommandContext,
  act: (event: MouseEvent) => void,
): (event: MouseEvent) => void {
  let last: Click | null = null;
  return (event) => {
    const { action, x, y } = event;
    if (action === 'press' && isNextClick(last, { x, y, at: context.now() })) return;
    const before = context.get().screen.overlays.length;
    act(event);
    if (action !== 'press' && action !== 'release') return;
    if (context.get().screen.overlays.length !== before) last = { x, y, at: context.now() };
  };
}
