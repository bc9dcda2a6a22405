/** Clicks on what leads to a message: the pinned row, the note about newer messages, a quote. */
import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import type { AppState } from '../../src/state/model/app-state.ts';
import { type Target, targetAt } from '../../src/text/layout/row.ts';
import { createDrawnOverlays } from '../../src/ui/drawn-overlays.ts';
import { createRouter } from '../../src/ui/key-router.ts';
import type { PaneName } from '../../src/view/layout.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

/** Clicks on a text of a pane and returns what was asked for. */
function click(initial: AppState, pane: PaneName, text: string): readonly string[] {
  let state = initial;
  const asked: string[] = [];
  const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const context = {
    get: () => state,
    update: (transition: (before: AppState) => AppState) => {
      state = transition(state);
    },
    now: () => eg.now,
    scrollThread: (amount: unknown) => void asked.push(`scroll ${JSON.stringify(amount)}`),
    findInHistory: (_: string, aim: unknown) => {
      asked.push(`find ${JSON.stringify(aim)}`);
      return null;
    },
    keyOf: () => '',
  } as unknown as CommandContext;
  const where = panes.layout(state);
  const rows = panes.rows(pane, state, where);
  const lines = rows.map((row) => row.map((span) => span.text).join(''));
  const y = lines.findIndex((line) => line.includes(text));
  const x = (lines[y] ?? '').indexOf(text);
  const rect = where[pane] ?? { x: 0, y: 0 };
  const target: Target | null = targetAt(rows[y] ?? [], x);
  const router = createRouter({
    context,
    keymap: createKeymap(commands),
    panes: () => panes,
    drawnOverlays: createDrawnOverlays(),
    targetAt: () => target,
    echo: { foresee: () => undefined, settle: () => undefined },
    onFocus: () => undefined,
    onReply: () => undefined,
  });
  const at = { x: rect.x + x, y: rect.y + y };
  router({ type: 'mouse', action: 'press', button: 'left', ...at, ctrl: false, alt: false, shift: false });
  return asked;
}

const scrolledBack = (state: AppState): AppState => {
  const [first] = state.cache.threads.get('c-ann')?.messages ?? [];
  const scroll = { at: 'message', messageId: first?.id ?? '', line: 0 } as const;
  return { ...state, view: { ...state.view, places: new Map([['c-ann', { scroll, selectedId: null }]]) } };
};

test('a click on the pinned row leads to the pinned message', () => {
  const state = scene({ size: { columns: 100, rows: 30 } });
  const pinned = state.cache.conversations.get('c-ann')?.pinnedMessageId;
  expect(click(state, 'thread', 'The ferry leaves at nine')).toEqual([
    `find ${JSON.stringify({ kind: 'message', messageId: pinned })}`,
  ]);
});

test('a click on the note about newer messages leads to the newest, and the title names the day that is read', () => {
  const state = scrolledBack(scene({ size: { columns: 100, rows: 14 } }));
  expect(click(state, 'composer', '↓')).toEqual(['scroll "bottom"']);
  const panes = createPanes({ theme: themes.none, ascii: false, now: () => eg.now });
  const title = (shown: AppState): string =>
    panes
      .rows('thread', shown, panes.layout(shown))[0]
      ?.map(({ text }) => text)
      .join('') ?? '';
  expect(title(state)).toMatch(/Yesterday ─┐$/);
  expect(title(scene({ size: { columns: 100, rows: 14 } }))).not.toContain('Yesterday');
});
