/** Paints the panes from the store through `Screen` without React: one write for all changes of one event loop turn. */
import type { AppState } from '../state/model/app-state.ts';
import type { KeyEvent } from '../terminal/events.ts';
import type { Layer, Screen } from '../terminal/screen.ts';
import type { Row } from '../text/layout/row.ts';
import type { Hint } from '../view/footer.ts';
import type { Layout, PaneName, Rect } from '../view/layout.ts';
import type { Echoes, Panes } from '../view/panes.ts';

export interface PainterOptions {
  readonly getState: () => AppState;
  readonly subscribe: (listener: (state: AppState, previous: AppState) => void) => () => void;
  readonly screen: Screen;
  readonly panes: () => Panes;
  readonly hintsOf: (state: AppState) => readonly Hint[];
  /** An overlay has the keyboard, and with it the cursor. */
  readonly isCovered: (state: AppState) => boolean;
}

export interface Painter {
  /** Shows a typed character before its key is handled, when it changes one cell and nothing else. */
  foresee(event: KeyEvent): void;
  /** Call when the key was handled; corrects what `foresee` has shown wrongly. */
  settle(): void;
  /** Brings the screen up to date now. */
  paint(): void;
  stop(): void;
}

interface Shown {
  readonly layer: Layer;
  rect: Rect;
  rows: readonly Row[];
}

const names: readonly PaneName[] = ['header', 'list', 'thread', 'composer', 'footer'];

export function createPainter(options: PainterOptions): Painter {
  const { screen, getState } = options;
  const shown = new Map<PaneName, Shown>();
  let shownLayout: Layout | null = null;
  let shownHints: readonly Hint[] = [];
  /** The state on the screen, and the characters that may be typed into it. */
  let shownState: AppState | null = null;
  let echoes: Echoes | null = null;
  /** Characters shown without asking the panes since `echoes` was made. */
  let foreseen = 0;
  let isForeseeing = false;
  let isScheduled = false;
  let isStopped = false;

  const paintPane = (name: PaneName, state: AppState, layout: Layout): void => {
    const rect = layout[name];
    const old = shown.get(name);
    if (rect === null) {
      old?.layer.remove();
      shown.delete(name);
      return;
    }
    const rows = options.panes().rows(name, state, layout, options.hintsOf(state));
    if (old === undefined) {
      const layer = screen.addLayer({ rect, z: 1 });
      layer.setRows(rows);
      shown.set(name, { layer, rect, rows });
      return;
    }
    if (old.rect !== rect) old.layer.setRect(rect);
    if (old.rows !== rows) old.layer.setRows(rows);
    old.rect = rect;
    old.rows = rows;
  };

  const paint = (): void => {
    isScheduled = false;
    if (isStopped) return;
    const state = getState();
    const layout = options.panes().layout(state);
    shownLayout = layout;
    shownHints = options.hintsOf(state);
    for (const name of names) paintPane(name, state, layout);
    const isCovered = options.isCovered(state);
    screen.setCursor(isCovered ? null : options.panes().cursor(state, layout));
    screen.flush();
    shows(state, isCovered ? null : options.panes().echoes(state, layout));
  };

  const shows = (state: AppState, next: Echoes | null): void => {
    shownState = state;
    echoes = next;
    foreseen = 0;
  };

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(paint);
  };

  /** Writes the typed character before any other listener of the store runs. */
  const paintTyping = (state: AppState): void => {
    const panes = options.panes();
    const layout = panes.layout(state);
    if (layout !== shownLayout) {
      schedule();
      return;
    }
    paintPane('composer', state, layout);
    screen.setCursor(panes.cursor(state, layout));
    screen.flush();
    shows(state, panes.echoes(state, layout));
    if (options.hintsOf(state) !== shownHints) schedule();
  };

  const drawComposer = (): void => {
    if (!isStopped) paintPane('composer', getState(), options.panes().layout(getState()));
  };

  /** The draft now has the character that the screen already shows, so that nothing is painted. */
  const keep = (state: AppState): void => {
    isForeseeing = false;
    foreseen++;
    screen.keepEcho(drawComposer);
    shownState = state;
    if (options.hintsOf(state) !== shownHints) schedule();
  };

  const unsubscribe = options.subscribe((state, previous) => {
    if (isScheduled || isStopped || !isTyping(state, previous) || options.isCovered(state)) schedule();
    else if (isForeseeing && isAppended(state, previous)) keep(state);
    else paintTyping(state);
  });
  return {
    foresee({ text }) {
      if (echoes === null || foreseen >= echoes.room || isScheduled || getState() !== shownState) return;
      const character = echoes.characters.get(text);
      isForeseeing = character !== undefined && screen.echo(character);
    },
    settle() {
      if (isForeseeing) screen.flush();
      isForeseeing = false;
    },
    paint,
    stop: () => {
      isStopped = true;
      unsubscribe();
    },
  };
}

/** Nothing but the text of the open conversation's composer has changed, and it had one before. */
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

/** The draft got one more UTF-16 unit at its end, and the cursor is behind it. */
function isAppended({ view, local }: AppState, previous: AppState): boolean {
  if (view.openId === null) return false;
  const before = previous.local.drafts.get(view.openId);
  const after = local.drafts.get(view.openId);
  if (before === undefined || after === undefined) return false;
  const { length } = after.text;
  return after.lastChange === 'insert' && length === before.text.length + 1 && after.cursor === length;
}
