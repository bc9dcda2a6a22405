/** Carries out input: keys run commands of the one table, a click acts on the target of the span under it. */

import type { CommandContext } from '../commands/context.ts';
import { KeyRunner } from '../commands/key-runner.ts';
import type { Keymap } from '../commands/keymap.ts';
import { notify } from '../commands/notify.ts';
import type { AppState } from '../state/model/app-state.ts';
import { selectIsTooSmall } from '../state/select/pane-columns.ts';
import { selectCompletion, stepCompletion } from '../state/view/composer.ts';
import { scrollListTo } from '../state/view/list-place.ts';
import { topOverlay } from '../state/view/overlays.ts';
import { selectText } from '../state/view/thread-place.ts';
import type { InputEvent, KeyEvent, MouseEvent } from '../terminal/events.ts';
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

export interface RouterOptions {
  readonly context: CommandContext;
  readonly keymap: Keymap;
  readonly panes: () => Panes;
  readonly drawnOverlays: DrawnOverlays;
  /** The target of the span at a cell of the screen. */
  readonly targetAt: (x: number, y: number) => Target | null;
  /** Shows a typed character before its command runs, and corrects the screen afterwards. */
  readonly echo: { foresee(event: KeyEvent): void; settle(): void };
  readonly onFocus: (focused: boolean) => void;
  readonly onReply: (event: Extract<InputEvent, { type: 'reply' }>) => void;
}

const wheelRows = 3;
const wheelDraftRows = 2;
const wheelConversations = 2;
const guessedPaste = 'Several lines came at once: they are taken for a paste, and nothing was sent';
const openPaste = 'The paste has not ended: Enter is a new line. Ctrl-C and a second without keys end it';

export function createRouter(options: RouterOptions): (event: InputEvent) => void {
  const { context } = options;
  const keys = new KeyRunner(context, options.keymap);
  const { onMouseEvent, letGo } = createMouse(options);
  const act = (event: InputEvent): void => {
    switch (event.type) {
      case 'key':
        // The key may stop the program or lend the terminal, and then the release of a held button goes elsewhere.
        letGo();
        if (context.get().view.textSelection) context.update(selectText(null));
        onKey(keys, options.echo, event);
        break;
      case 'paste':
        if (event.isGuessed) notify(context, guessedPaste);
        keys.paste(event.text, event.isMore);
        break;
      case 'paste-open':
        notify(context, openPaste);
        break;
      case 'mouse':
        if (event.action === 'press') keys.endTyping();
        onMouseEvent(event);
        break;
      case 'focus':
        options.onFocus(event.focused);
        break;
      case 'reply':
        options.onReply(event);
    }
  };
  return (event) => {
    act(event);
    if (isTaken(context.get())) letGo();
  };
}

/**
 * Whether the panes do not get the mouse, as an overlay has it, the screen is too small, or it is switched off. They do not
 * hear then of the release of a button that was pressed over them.
 */
const isTaken = (state: AppState): boolean =>
  topOverlay(state) !== null || selectIsTooSmall(state) || !state.settings.mouse;

function onKey(keys: KeyRunner, echo: RouterOptions['echo'], event: KeyEvent): void {
  if (!keys.isHolding) echo.foresee(event);
  keys.press(event);
  echo.settle();
}

/** The parts of the screen that follow a held button come first. */
function createMouse(options: RouterOptions): {
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

function onMouse(options: RouterOptions, composer: ComposerMouse, event: MouseEvent): void {
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
function wheelList({ context, panes }: RouterOptions, direction: -1 | 1): void {
  const state = context.get();
  const top = panes().listTopAfter(state, panes().layout(state), direction * wheelConversations);
  if (top !== null) context.update(scrollListTo(top));
}
