/**
 * Carries out the left button over the messages: a drag selects text and copies it, as do two clicks for a word and three
 * for a message. A single click acts when the button is released.
 */
import type { CommandContext } from '../commands/context.ts';
import { copy } from '../commands/copy-menu.ts';
import type { Size } from '../state/model/app-state.ts';
import type { TextSpot } from '../state/model/place.ts';
import { copyOf } from '../state/select/message-texts.ts';
import { selectText } from '../state/view/thread-place.ts';
import type { MouseEvent } from '../terminal/events.ts';
import type { Target } from '../text/layout/row.ts';
import { paneAt } from '../view/layout.ts';
import type { Panes } from '../view/panes.ts';
import { type Click, isNextClick } from './double-click.ts';

interface ThreadMouseOptions {
  readonly context: CommandContext;
  readonly panes: () => Panes;
  readonly targetAt: (x: number, y: number) => Target | null;
  readonly click: (target: Target) => void;
  /** Whether the panes do not have the mouse, so that no release comes: see `letGo`. */
  readonly isTaken: () => boolean;
}

/** Where and on what the held button was pressed. */
interface Press extends Click {
  readonly spot: TextSpot;
  /** The target under the pointer when the button was pressed. */
  readonly target: Target | null;
  /** The number of clicks at this place in a short time. */
  readonly clicks: number;
  /** In another size, the spot would be another one. */
  readonly size: Size;
}

/** The least time between two rows by which the messages scroll while the pointer is beyond the edge of the pane. */
const scrollEveryMs = 80;
/** The most rows by which they scroll while the pointer stays there. */
const longestScroll = 2_000;

export class ThreadMouse {
  readonly #options: ThreadMouseOptions;
  #press: Press | null = null;
  #lastClick: Press | null = null;
  #isDragging = false;
  /** The cell of the pointer while it is beyond the edge. */
  #beyond: { readonly x: number; readonly y: number } | null = null;
  /** The press for which the messages scroll, until its timer has found that they need not. */
  #scrolling: Press | null = null;

  constructor(options: ThreadMouseOptions) {
    this.#options = options;
  }

  /** Returns false for events that do not belong to a press over the messages. */
  handle(event: MouseEvent): boolean {
    if (event.action === 'press') return this.#onPress(event);
    if (this.#press === null || (event.action !== 'drag' && event.action !== 'release')) return false;
    if (this.#isResized(this.#press)) this.letGo();
    else if (event.action === 'drag') this.#onDrag(this.#press, event);
    else this.#onRelease(this.#press);
    return true;
  }

  /** Forgets the held button: it was released, or its release goes elsewhere. */
  letGo(): void {
    this.#press = null;
    this.#isDragging = false;
    this.#beyond = null;
  }

  #isResized({ size }: Press): boolean {
    return size !== this.#options.context.get().screen.size;
  }

  #onPress(event: MouseEvent): boolean {
    const { context, panes, targetAt } = this.#options;
    const { x, y } = event;
    this.letGo();
    context.update(selectText(null));
    const state = context.get();
    const layout = panes().layout(state);
    if (event.button !== 'left' || paneAt(layout, x, y) !== 'thread') return false;
    const pointed = panes().spotAt(state, layout, { x, y });
    if (pointed === null || pointed.beyond !== 0) return false;
    const last = this.#lastClick;
    const at = context.now();
    const clicks = last !== null && last.clicks < 3 && isNextClick(last, { x, y, at }) ? last.clicks + 1 : 1;
    this.#press = { x, y, at, spot: pointed.spot, target: targetAt(x, y), clicks, size: state.screen.size };
    if (clicks > 1) {
      const unit = clicks === 2 ? 'word' : 'message';
      context.update(selectText(panes().selectionAt(state, layout, pointed.spot, unit)));
    }
    return true;
  }

  #onDrag(press: Press, { x, y }: MouseEvent): void {
    if (press.clicks > 1 || (!this.#isDragging && x === press.x && y === press.y)) return;
    this.#isDragging = true;
    const beyond = this.#extend(press, x, y);
    this.#beyond = beyond === 0 ? null : { x, y };
    // A pointer that comes back and leaves again finds the timer of before, and starts no second one.
    if (beyond !== 0 && this.#scrolling !== press) this.#scroll(press, longestScroll);
  }

  /** @returns on which side of the pane the pointer is */
  #extend(press: Press, x: number, y: number): -1 | 0 | 1 {
    const { context, panes } = this.#options;
    const state = context.get();
    const pointed = panes().spotAt(state, panes().layout(state), { x, y });
    if (pointed === null) return 0;
    context.update(selectText({ anchor: press.spot, head: pointed.spot }));
    return pointed.beyond;
  }

  #scroll(press: Press, left: number): void {
    const { context, isTaken } = this.#options;
    if (isTaken() || this.#isResized(press)) this.letGo();
    const beyond = this.#press === press && left > 0 ? this.#beyond : null;
    const side = beyond === null ? 0 : this.#extend(press, beyond.x, beyond.y);
    if (beyond === null || side === 0) {
      if (this.#scrolling === press) this.#scrolling = null;
      return;
    }
    this.#scrolling = press;
    context.scrollThread({ rows: side });
    this.#extend(press, beyond.x, beyond.y);
    context.later(scrollEveryMs, () => this.#scroll(press, left - 1));
  }

  #onRelease(press: Press): void {
    const { click } = this.#options;
    const isSelection = this.#isDragging || press.clicks > 1;
    this.letGo();
    this.#lastClick = press;
    if (isSelection) this.#copy();
    else if (press.target !== null) click(press.target);
  }

  #copy(): void {
    const { context, panes } = this.#options;
    const state = context.get();
    const text = panes().selectedText(state, panes().layout(state));
    if (text === '') return;
    const lines = text.split('\n').length;
    copy(context, copyOf(text), lines === 1 ? 'Copied 1 line' : `Copied ${lines} lines`);
  }
}
