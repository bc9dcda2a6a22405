/** The mouse on the stage: events go through the router, and the cells of the panes have the targets that are drawn there. */
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import type { MouseEvent } from '../../src/terminal/events.ts';
import { type Target, targetAt } from '../../src/text/layout/row.ts';
import { createRouter } from '../../src/ui/key-router.ts';
import { paneAt } from '../../src/view/layout.ts';
import type { Stage } from './stage.tsx';

type Cell = readonly [x: number, y: number];

export interface Pointer {
  send(action: MouseEvent['action'], at: Cell, fields?: Partial<MouseEvent>): void;
  /** Presses and releases the left button. */
  click(at: Cell): void;
  rightClick(at: Cell): void;
  drag(from: Cell, to: Cell): void;
  /** Presses a key, by its canonical name, while a button may be held. */
  key(key: string): void;
  /** The terminal reports its focus. */
  focus(focused: boolean): void;
}

export function pointerOn(app: Stage, onFocus: (focused: boolean) => void = () => undefined): Pointer {
  const paneTarget = (x: number, y: number): Target | null => {
    const state = app.store.getState();
    const where = app.panes.layout(state);
    const pane = paneAt(where, x, y);
    const rect = pane === null ? null : where[pane];
    if (pane === null || rect === null) return null;
    return targetAt(app.panes.rows(pane, state, where, app.hints())[y - rect.y] ?? [], x - rect.x);
  };
  const router = createRouter({
    context: app.context,
    keymap: createKeymap(commands),
    panes: () => app.panes,
    drawnOverlays: app.drawnOverlays,
    targetAt: paneTarget,
    echo: { foresee: () => undefined, settle: () => undefined },
    onFocus,
    onReply: () => undefined,
  });
  const send: Pointer['send'] = (action, [x, y], fields = {}) => {
    const button = action.startsWith('wheel') ? 'none' : 'left';
    router({ type: 'mouse', action, button, x, y, ctrl: false, alt: false, shift: false, ...fields });
  };
  return {
    send,
    click(at) {
      send('press', at);
      send('release', at);
    },
    rightClick: (at) => send('press', at, { button: 'right' }),
    drag(from, to) {
      send('press', from);
      send('drag', to);
      send('release', to);
    },
    key: (key) => router({ type: 'key', key, text: '' }),
    focus: (focused) => router({ type: 'focus', focused }),
  };
}

/** Where a text begins on the screen. */
export function placeOf(app: Stage, text: string): Cell {
  const lines = app.frame().split('\n');
  const y = lines.findIndex((line) => line.includes(text));
  if (y < 0) throw new Error(`${text} is not in\n${app.frame()}`);
  return [lines[y]?.indexOf(text) ?? 0, y];
}
