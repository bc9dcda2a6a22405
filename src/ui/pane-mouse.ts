/**
 * Hands each event of the mouse to what it is over, or to what follows a held button, and carries out the wheel and the clicks
 * over the panes.
 */
import type { CommandContext } from '../commands/context.ts';
import type { Keymap } from '../commands/keymap.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { selectCompletion, stepCompletion } from '../state/view/composer.ts';
import { scrollListTo } from '../state/view/list-place.ts';
import { topOverlay } from '../state/view/overlays.ts';
import type { MouseEvent } from '../terminal/events.ts';
import type { Target } from '../text/layout/row.ts';
import { paneAt } from '../view/layout.ts';
import type { Panes } from '../view/panes.ts';
import { actOn, openMenuOf } from './click.ts';
import { ComposerMouse } from './composer-mouse.ts';
import { DividerMouse } from './divider-mouse.ts';
import { withoutSecondClicks } from './double-click.ts';
import type { DrawnOverlays } from './drawn-overlays.ts';
import { OverlayMouse } from './overlay-mouse.ts';
import { SelectionHint } from './selection-hint.ts';
import { ThreadMouse } from './thread-mouse.ts';

export interface MouseOptions {
  readonly context: CommandContext;
  readonly keymap: Keymap;
  readonly panes: () => Panes;
  readonly drawnOverlays: DrawnOverlays;
  /** The target of the span at a cell of the screen. */
  readonly targetAt: (x: number, y: number) => Target | null;
}

/** By how many rows one step of the wheel scrolls messages and a long draft, and by how many conversations the list. */
const wheelRows = 3;
const wheelDraftRows = 2;
const wheelConversations = 2;

/**
 * Whether the panes do not get the mouse, as an overlay has it, the screen is too small, or it is switched off. They do not
 * hear then of the release of a button that was pressed over them.
 */
export const isTaken = (state: AppState): boolean =>
  topOverlay(state) !== null || selectIsTooSmall(state) || !state.settings.mouse;

/** The parts of the screen that follow a held button come first. */
export function createMouse(options: MouseOptions): {
  readonly onMouseEvent: (event: MouseEvent) => void;
  /** Ends what follows a held button. */
  readonly letGo: () => void;
} {
  const { context } = options;
  const overlays = new OverlayMouse(options);
  const divider = new DividerMouse(context, options.panes);
  const composer = new ComposerMouse(context, options.panes);
  const thread = new ThreadMouse({
    ...options,
    click: (target) => actOn(options, target),
    isTaken: () => isTaken(context.get()),
  });
  const hint = new SelectionHint(context, options.keymap);
  const act = (event: MouseEvent): void => {
    if (selectIsTooSmall(context.get())) return;
    const isOverlay = topOverlay(context.get()) !== null;
    if (!isOverlay && (divider.handle(event) || composer.handle(event) || thread.handle(event))) return;
    if (event.action === 'drag') hint.handle(event);
    else if (isOverlay) overlays.handle(event);
    else onMouse(options, composer, event);
  };
  const letGo = (): void => {
    for (const part of [divider, composer, thread]) part.letGo();
  };
  return { onMouseEvent: withoutSecondClicks(context, act), letGo };
}

function onMouse(options: MouseOptions, composer: ComposerMouse, event: MouseEvent): void {
  const { context } = options;
  const state = context.get();
  const pane = paneAt(options.panes().layout(state), event.x, event.y);
  if (event.action === 'wheel-up' || event.action === 'wheel-down') {
    const direction = event.action === 'wheel-up' ? -1 : 1;
    if (pane === 'list') wheelList(options, direction);
    else if (pane === 'completion') wheelCompletion(context, direction);
    else if (pane !== 'composer' || !composer.wheel(direction * wheelDraftRows))
      context.scrollThread({ rows: direction * wheelRows });
    return;
  }
  if (event.action !== 'press') return;
  const target = options.targetAt(event.x, event.y);
  if (event.button === 'right' && target !== null) openMenuOf(options, target);
  if (event.button !== 'left') return;
  if (pane === 'composer') composer.press(event);
  if (target !== null) actOn(options, target);
}

/** Moves the choice, as in every list to choose from. Where nothing is chosen, there is no row above. */
function wheelCompletion(context: CommandContext, direction: -1 | 1): void {
  const isChosen = (selectCompletion(context.get())?.selected ?? null) !== null;
  if (direction === 1 || isChosen) context.update(stepCompletion(direction));
}

/** Scrolls the list and leaves its selection, which the keyboard has. */
function wheelList({ context, panes }: MouseOptions, direction: -1 | 1): void {
  const state = context.get();
  const top = panes().listTopAfter(state, panes().layout(state), direction * wheelConversations);
  if (top !== null) context.update(scrollListTo(top));
}
