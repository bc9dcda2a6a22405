/** Paints the panes from the store without React, with one write for all changes of a turn of the event loop. */
import type { AppState } from '../state/model/app-state.ts';
import type { KeyEvent } from '../terminal/events.ts';
import type { Layer, Screen } from '../terminal/screen.ts';
import type { Row, Style } from '../text/layout/row.ts';
import type { Hint } from '../view/hint-row.ts';
import { type Layout, type PaneName, paneNames, type Rect } from '../view/layout.ts';
import type { Echoes, Panes } from '../view/panes.ts';
import type { PaintedOverlays } from './painted-overlays.ts';

export interface PainterOptions {
  readonly getState: () => AppState;
  readonly subscribe: (listener: (state: AppState, previous: AppState) => void) => () => void;
  readonly screen: Screen;
  readonly panes: () => Panes;
  readonly hintsOf: (state: AppState) => readonly Hint[];
  /** Whether an overlay has the keyboard, and with it the cursor. */
  readonly isCovered: (state: AppState) => boolean;
  /** Puts overlays on the screen that are drawn without Ink. */
  readonly overlays?: Pick<PaintedOverlays, 'paint' | 'cursor'>;
  /** Returns the style to draw in the place of each style, overlays included; null: the styles stay as they are. */
  readonly restyle?: (state: AppState) => ((style: Style) => Style) | null;
}

interface Shown {
  readonly layer: Layer;
  rect: Rect;
  rows: readonly Row[];
}

export class Painter {
  readonly #options: PainterOptions;
  readonly #shown = new Map<PaneName, Shown>();
  readonly #unsubscribe: () => void;
  #shownLayout: Layout | null = null;
  #shownHints: readonly Hint[] = [];
  /** The state that is on the screen. */
  #shownState: AppState | null = null;
  /** The characters that may be shown at the cursor before their keys are handled. */
  #echoes: Echoes | null = null;
  /** How many characters were shown in that way since `#echoes` was made. */
  #foreseen = 0;
  #isForeseeing = false;
  #isScheduled = false;
  #isStopped = false;

  constructor(options: PainterOptions) {
    this.#options = options;
    this.#unsubscribe = options.subscribe((state, previous) => {
      if (this.#isScheduled || this.#isStopped || !isTyping(state, previous) || options.isCovered(state))
        this.#schedule();
      else if (this.#isForeseeing && isAppended(state, previous)) this.#keep(state);
      else this.#paintTyping(state);
    });
  }

  /** Shows a typed character before its key is handled, when it changes one cell and nothing else. */
  foresee({ text }: KeyEvent): void {
    const echoes = this.#echoes;
    if (echoes === null || this.#foreseen >= echoes.room || this.#isScheduled) return;
    if (this.#options.getState() !== this.#shownState) return;
    const character = echoes.characters.get(text);
    this.#isForeseeing = character !== undefined && this.#options.screen.echo(character);
  }

  /** Call when the key was handled. It corrects what `foresee` has shown wrongly. */
  settle(): void {
    if (this.#isForeseeing) this.#options.screen.flush();
    this.#isForeseeing = false;
  }

  /** Brings the screen up to date now. */
  readonly paint = (): void => {
    this.#isScheduled = false;
    if (this.#isStopped) return;
    const { getState, screen, hintsOf, overlays } = this.#options;
    const state = getState();
    const panes = this.#options.panes();
    const layout = panes.layout(state);
    this.#shownLayout = layout;
    this.#shownHints = hintsOf(state);
    for (const name of paneNames) this.#paintPane(name, state, layout);
    overlays?.paint(state);
    const isCovered = this.#options.isCovered(state);
    // A dialog draws a cursor of its own. That of the terminal is hidden there, as input methods show their window at it.
    screen.setCursor(isCovered ? (overlays?.cursor ?? null) : panes.cursor(state, layout), { isHidden: isCovered });
    screen.setCursorShape(panes.cursorShape(state));
    screen.setRestyle(this.#options.restyle?.(state) ?? null);
    screen.flush();
    this.#shows(state, isCovered ? null : panes.echoes(state, layout));
  };

  /** Paints no more; what is on the screen stays. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe();
  }

  /** Removes the panes from the screen, for another painter; they disappear with the next frame. */
  clear(): void {
    this.stop();
    for (const { layer } of this.#shown.values()) layer.remove();
    this.#shown.clear();
  }

  #paintPane(name: PaneName, state: AppState, layout: Layout): void {
    const rect = layout[name];
    const old = this.#shown.get(name);
    if (rect === null) {
      old?.layer.remove();
      this.#shown.delete(name);
      return;
    }
    const { panes, screen } = this.#options;
    const rows = panes().rows(name, state, layout, this.#shownHints);
    if (old === undefined) {
      const layer = screen.addLayer({ rect, z: name === 'completion' ? 2 : 1 });
      layer.setRows(rows);
      this.#shown.set(name, { layer, rect, rows });
      return;
    }
    if (old.rect !== rect) old.layer.setRect(rect);
    if (old.rows !== rows) old.layer.setRows(rows);
    old.rect = rect;
    old.rows = rows;
  }

  #shows(state: AppState, echoes: Echoes | null): void {
    this.#shownState = state;
    this.#echoes = echoes;
    this.#foreseen = 0;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(this.paint);
  }

  #scheduleNewHints(state: AppState): void {
    if (this.#options.hintsOf(state) !== this.#shownHints) this.#schedule();
  }

  /** Writes the typed character before any other listener of the store runs. */
  #paintTyping(state: AppState): void {
    const { screen } = this.#options;
    const panes = this.#options.panes();
    const layout = panes.layout(state);
    if (layout !== this.#shownLayout) {
      this.#schedule();
      return;
    }
    this.#paintPane('composer', state, layout);
    screen.setCursor(panes.cursor(state, layout));
    screen.flush();
    this.#shows(state, panes.echoes(state, layout));
    this.#scheduleNewHints(state);
  }

  /** The draft now holds the character that the screen already shows, so nothing is painted. */
  #keep(state: AppState): void {
    this.#isForeseeing = false;
    this.#foreseen++;
    this.#options.screen.keepEcho(this.#drawComposer);
    this.#shownState = state;
    this.#scheduleNewHints(state);
  }

  readonly #drawComposer = (): void => {
    if (this.#isStopped) return;
    const state = this.#options.getState();
    this.#paintPane('composer', state, this.#options.panes().layout(state));
  };
}

/** Whether nothing has changed but the draft of the open conversation, which had one before. */
function isTyping(state: AppState, previous: AppState): boolean {
  const { view, screen, settings, cache, local } = state;
  const before = previous.local;
  if (view !== previous.view || screen !== previous.screen || settings !== previous.settings) return false;
  return (
    view.openId !== null &&
    cache === previous.cache &&
    local.drafts !== before.drafts &&
    local.drafts.size === before.drafts.size &&
    local.drafts.get(view.openId) !== before.drafts.get(view.openId) &&
    local.outbox === before.outbox &&
    local.readLines === before.readLines &&
    local.names === before.names &&
    local.me === before.me &&
    local.capabilities === before.capabilities
  );
}

/** Whether the draft got one more UTF-16 unit at its end, with the cursor after it. */
function isAppended({ view, local }: AppState, previous: AppState): boolean {
  if (view.openId === null) return false;
  const before = previous.local.drafts.get(view.openId);
  const after = local.drafts.get(view.openId);
  if (before === undefined || after === undefined) return false;
  const { length } = after.text;
  return after.lastChange === 'insert' && length === before.text.length + 1 && after.cursor === length;
}
