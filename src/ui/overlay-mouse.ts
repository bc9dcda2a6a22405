/**
 * Carries out the mouse while an overlay is open: a click on a row takes it, a click on a key or a link acts, the wheel
 * scrolls, and a click beside the dialog closes it.
 */
import { rowIds } from '../commands/accept.ts';
import { closeLayer } from '../commands/close-layer.ts';
import { contextsOf } from '../commands/command.ts';
import type { CommandContext } from '../commands/context.ts';
import { invoke } from '../commands/invoke.ts';
import type { Keymap } from '../commands/keymap.ts';
import { moveInMenu } from '../commands/menus.ts';
import { selectPalette } from '../commands/table.ts';
import { chooseRow, closeOverlays, topOverlay } from '../state/view/overlays.ts';
import type { MouseEvent } from '../terminal/events.ts';
import type { Target } from '../text/layout/row.ts';
import { actOn, runCommand } from './click.ts';
import { contains, type DrawnOverlays } from './drawn-overlays.ts';

interface OverlayMouseOptions {
  readonly context: CommandContext;
  readonly keymap: Keymap;
  readonly drawnOverlays: DrawnOverlays;
  readonly targetAt: (x: number, y: number) => Target | null;
}

/** The rows by which the wheel scrolls a page; it moves a selection by one row. */
const wheelRows = 3;

export class OverlayMouse {
  readonly #options: OverlayMouseOptions;

  constructor(options: OverlayMouseOptions) {
    this.#options = options;
  }

  handle(event: MouseEvent): void {
    const { drawnOverlays } = this.#options;
    const { action, button, x, y } = event;
    if (action === 'wheel-up' || action === 'wheel-down') {
      this.#wheel(action === 'wheel-up' ? 'up' : 'down', x, y);
      return;
    }
    if (action !== 'press' || button !== 'left') return;
    const row = drawnOverlays.at(x, y);
    if (row !== null) this.#take(row);
    else this.#click(x, y);
  }

  #take(row: string): void {
    const { context } = this.#options;
    // Results that came since the frame was drawn may have put another row there.
    const index = rowIds(context.get(), selectPalette).indexOf(row);
    if (index < 0) return;
    const before = topOverlay(context.get());
    context.update(moveInMenu(chooseRow(index)));
    // A click on the selected setting changes its value; a first one selects it.
    if (before?.kind !== 'settings') runCommand(this.#options, 'choice.accept');
    else if (before.selected === index) runCommand(this.#options, 'settings.next');
  }

  #click(x: number, y: number): void {
    const { context, drawnOverlays, targetAt } = this.#options;
    if (this.#isOutside(x, y)) {
      const target = targetAt(x, y);
      if (target?.kind === 'command' && this.#worksHere(target.id)) actOn(this.#options, target);
      else closeLayer(context);
      return;
    }
    const target = drawnOverlays.targetAt(x, y);
    if (target !== null) actOnInOverlay(this.#options, target);
  }

  /** Whether the cell is outside of the dialog; false also while the overlay of the state has not been drawn yet. */
  #isOutside(x: number, y: number): boolean {
    const { context, drawnOverlays } = this.#options;
    const top = drawnOverlays.dialogs.at(-1);
    const isDrawn = drawnOverlays.dialogs.length === context.get().screen.overlays.length;
    return top !== undefined && isDrawn && !contains(top, x, y);
  }

  /** Whether the command belongs to the overlay; its keys are in the footer then. */
  #worksHere(id: string): boolean {
    const { context, keymap } = this.#options;
    const where = keymap.commands.find((command) => command.id === id)?.where ?? [];
    return contextsOf(context.get()).some((one) => where.includes(one));
  }

  /** Runs what the arrow keys run in the overlay, so that the command table needs no row for the wheel. */
  #wheel(key: 'up' | 'down', x: number, y: number): void {
    const { context, keymap } = this.#options;
    const top = topOverlay(context.get());
    if (top === null || this.#isOutside(x, y)) return;
    const found = keymap.find(contextsOf(context.get()), key);
    const steps = 'scroll' in top ? wheelRows : 1;
    for (let step = 0; found !== null && step < steps; step++) invoke(context, found.command);
  }
}

/** Acts on the target; a conversation that is named on a page is opened, and the page closed. */
function actOnInOverlay(options: OverlayMouseOptions, target: Target): void {
  const { context } = options;
  if (target.kind === 'conversation') context.update(closeOverlays);
  actOn(options, target);
}
