/** Carries out the left button in the composer: a click sets the cursor, a drag, two or three clicks select text. */
import type { CommandContext } from '../commands/context.ts';
import { selectByMouseInVim } from '../commands/vim.ts';
import { moveToOffset, selectAllText, selectWordAt } from '../state/composer/draft-move.ts';
import { updateDraft } from '../state/composer/drafts.ts';
import { scrollDraftTo } from '../state/view/composer.ts';
import { setFocus } from '../state/view/view.ts';
import type { MouseEvent } from '../terminal/events.ts';
import { paneAt } from '../view/layout.ts';
import type { Panes } from '../view/panes.ts';
import { type Click, isNextClick } from './double-click.ts';

export class ComposerMouse {
  readonly #context: CommandContext;
  readonly #panes: () => Panes;
  #last: (Click & { readonly count: number }) | null = null;
  #isHeld = false;

  constructor(context: CommandContext, panes: () => Panes) {
    this.#context = context;
    this.#panes = panes;
  }

  /** Gives the composer the keyboard focus, and sets the cursor where the button was pressed. */
  press({ x, y }: MouseEvent): void {
    const context = this.#context;
    const at = context.now();
    const last = this.#last;
    const count = last !== null && isNextClick(last, { x, y, at }) ? (last.count % 3) + 1 : 1;
    this.#last = { x, y, at, count };
    context.update(setFocus('composer'));
    const offset = this.#offsetAt(x, y);
    const { openId } = context.get().view;
    if (openId === null || offset === null) return;
    this.#isHeld = count === 1;
    if (count === 1) context.update(updateDraft(openId, (draft) => moveToOffset(draft, offset)));
    else if (count === 2) context.update(updateDraft(openId, (draft) => selectWordAt(draft, offset)));
    else context.update(updateDraft(openId, selectAllText));
    context.update(selectByMouseInVim(false));
  }

  /** Returns false for events of a button that was not pressed in the text. */
  handle({ action, x, y }: MouseEvent): boolean {
    if (action === 'press') this.#isHeld = false;
    if (!this.#isHeld) return false;
    if (action === 'release') this.#isHeld = false;
    if (action === 'drag') this.#extend(x, y);
    return action === 'release' || action === 'drag';
  }

  /** Forgets the held button, whose release is not reported here. */
  letGo(): void {
    this.#isHeld = false;
  }

  /** Scrolls the draft. False where all of it is in sight. */
  wheel(rows: number): boolean {
    const state = this.#context.get();
    const top = this.#panes().draftTopAfter(state, this.#panes().layout(state), rows);
    if (top === null) return false;
    this.#context.update(scrollDraftTo(top));
    return true;
  }

  /**
   * While the pointer is above or below the text, the draft is scrolled by a row, and the selection reaches to its first or
   * last row.
   */
  #extend(x: number, y: number): void {
    const context = this.#context;
    const { composer: rect } = this.#panes().layout(context.get());
    if (rect === null) return;
    if (y <= rect.y) this.wheel(-1);
    if (y > rect.y + rect.height - 2) this.wheel(1);
    const state = context.get();
    const { openId } = state.view;
    const layout = this.#panes().layout(state);
    const { composer } = layout;
    if (openId === null || composer === null) return;
    const last = composer.y + composer.height - 2;
    const row = Math.max(composer.y + 1, Math.min(y, last));
    const offset = paneAt(layout, x, row) === 'composer' ? this.#offsetAt(x, row) : null;
    if (offset === null) return;
    context.update(updateDraft(openId, (draft) => moveToOffset(draft, offset, true)));
    context.update(selectByMouseInVim(true));
  }

  #offsetAt(x: number, y: number): number | null {
    const state = this.#context.get();
    return this.#panes().offsetAt(state, this.#panes().layout(state), { x, y });
  }
}
