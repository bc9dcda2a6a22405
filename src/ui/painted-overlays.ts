/** Puts the overlays that are drawn without Ink on the screen, and reports their rows to the mouse. */
import type { AppState, Overlay } from '../state/model/app-state.ts';
import { shownOverlays } from '../state/view/overlays.ts';
import type { Layer, Screen } from '../terminal/screen.ts';
import type { DrawnChoices } from '../view/choices.ts';
import type { DrawnDialog } from '../view/dialog.ts';
import type { Hint } from '../view/hint-row.ts';
import type { ClickArea } from '../view/keys-line.ts';
import type { Panes } from '../view/panes.ts';
import { createDrawnOverlays } from './drawn-overlays.ts';
import { drawOverlay, isPainted } from './overlays/painted.ts';

interface PaintedOverlaysOptions {
  readonly screen: Screen;
  readonly panes: () => Panes;
  readonly now: () => number;
  readonly hintsOf: (state: AppState) => readonly Hint[];
}

interface Shown {
  readonly kind: Overlay['kind'];
  readonly layer: Layer;
  rect: DrawnDialog['rect'];
  readonly choices: { current: DrawnChoices };
  readonly areas: { current: readonly ClickArea[] };
  hideDialog: () => void;
  readonly hideChoices: () => void;
  readonly hideAreas: () => void;
}

/** The z-order of the lowest overlay; each one above it has the next one. */
export const overlayZ = 10;

export class PaintedOverlays {
  /** The rows and areas of all overlays, those of Ink as well. */
  readonly drawnOverlays = createDrawnOverlays();
  readonly #options: PaintedOverlaysOptions;
  /** The painted overlays by their place in the stack. */
  readonly #shown = new Map<number, Shown>();
  /** That of the top overlay, unless Ink draws it. */
  #cursor: DrawnDialog['cursor'] = null;

  constructor(options: PaintedOverlaysOptions) {
    this.#options = options;
  }

  /** The cell of the cursor in the text field of the top overlay; null where it has none. */
  get cursor(): DrawnDialog['cursor'] {
    return this.#cursor ?? this.drawnOverlays.cursor;
  }

  /** Call with the state that is painted. The frame that follows shows its overlays. */
  paint(state: AppState): void {
    const overlays = shownOverlays(state);
    for (const [place, { kind }] of this.#shown) if (overlays[place]?.kind !== kind) this.#remove(place);
    this.#cursor = null;
    for (const [place, overlay] of overlays.entries()) {
      if (!isPainted(overlay)) continue;
      const { panes, now, hintsOf } = this.#options;
      const isTop = place === overlays.length - 1;
      const context = { look: panes().look, now: now(), hints: hintsOf(state) };
      const drawn = drawOverlay(overlay, isTop, state, context);
      if (isTop) this.#cursor = drawn.cursor;
      this.#show(place, overlay.kind, drawn);
    }
  }

  #show(place: number, kind: Overlay['kind'], drawn: DrawnDialog): void {
    const { rect, rows, choices, areas } = drawn;
    const old = this.#shown.get(place);
    if (old === undefined) this.#add(place, kind, drawn);
    else {
      old.layer.setRect(rect);
      old.layer.setRows(rows);
      old.choices.current = choices;
      old.areas.current = areas;
      if (!isSame(old.rect, rect)) this.#move(old, rect, place);
    }
  }

  #add(place: number, kind: Overlay['kind'], { rect, rows, ...drawn }: DrawnDialog): void {
    const { drawnOverlays } = this;
    const layer = this.#options.screen.addLayer({ rect, z: overlayZ + place });
    layer.setRows(rows);
    const choices = { current: drawn.choices };
    const areas = { current: drawn.areas };
    this.#shown.set(place, {
      kind,
      layer,
      rect,
      choices,
      areas,
      hideDialog: drawnOverlays.showDialog(rect, place),
      hideChoices: drawnOverlays.show(choices, place),
      hideAreas: drawnOverlays.showAreas(areas, place),
    });
  }

  #move(shown: Shown, rect: DrawnDialog['rect'], place: number): void {
    shown.hideDialog();
    shown.hideDialog = this.drawnOverlays.showDialog(rect, place);
    shown.rect = rect;
  }

  #remove(place: number): void {
    const shown = this.#shown.get(place);
    if (shown === undefined) return;
    shown.layer.remove();
    shown.hideDialog();
    shown.hideChoices();
    shown.hideAreas();
    this.#shown.delete(place);
  }
}

const isSame = (a: DrawnDialog['rect'], b: DrawnDialog['rect']): boolean =>
  a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
