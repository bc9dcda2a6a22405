/**
 * Says once how the terminal itself selects text, when somebody drags where msg-tui selects nothing, or drags with Shift in
 * a terminal that reports that.
 */
import type { CommandContext } from '../commands/context.ts';
import type { Keymap } from '../commands/keymap.ts';
import { keyLabel } from '../commands/label.ts';
import { notify } from '../commands/notify.ts';
import type { MouseEvent } from '../terminal/events.ts';

const shownMs = 10_000;

export class SelectionHint {
  readonly #context: CommandContext;
  readonly #keymap: Keymap;
  #isShown = false;

  constructor(context: CommandContext, keymap: Keymap) {
    this.#context = context;
    this.#keymap = keymap;
  }

  /** @param event an event that nothing else has handled */
  handle({ action, button, shift }: MouseEvent): void {
    if (this.#isShown || action !== 'drag' || (button !== 'left' && !shift)) return;
    this.#isShown = true;
    const key = this.#keymap.keysOf('mouse.toggle')[0];
    const off = key === undefined ? '' : `; ${keyLabel(key)} leaves the mouse to the terminal`;
    notify(this.#context, `Drag over messages to copy their text. Anywhere else, hold Shift while you drag${off}`, {
      forMs: shownMs,
    });
  }
}
