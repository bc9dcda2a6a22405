/** Changes the width of the list when the left button drags the border between list and thread. */
import type { CommandContext } from '../commands/context.ts';
import { setListWidth } from '../state/local/list-layout.ts';
import type { MouseEvent } from '../terminal/events.ts';
import type { Panes } from '../view/panes.ts';

export class DividerMouse {
  readonly #context: CommandContext;
  readonly #panes: () => Panes;
  #isHeld = false;

  constructor(context: CommandContext, panes: () => Panes) {
    this.#context = context;
    this.#panes = panes;
  }

  /** Returns false for events that do not belong to a drag of the border. */
  handle({ action, button, x, y }: MouseEvent): boolean {
    if (action === 'press') this.#isHeld = button === 'left' && this.#isOn(x, y);
    if (!this.#isHeld) return false;
    if (action === 'drag') this.#context.update(setListWidth(x));
    if (action === 'release') this.#isHeld = false;
    return true;
  }

  /** Forgets the held button, whose release is not reported here. */
  letGo(): void {
    this.#isHeld = false;
  }

  #isOn(x: number, y: number): boolean {
    const layout = this.#panes().layout(this.#context.get());
    const { list, thread } = layout;
    return layout.kind === 'two' && list !== null && x === thread?.x && y >= list.y && y < list.y + list.height;
  }
}
