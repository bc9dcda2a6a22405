/** A click on what the composer offers takes the row that was drawn. */
import { expect, test } from 'vitest';
import type { CommandContext } from '../../src/commands/context.ts';
import { createKeymap } from '../../src/commands/keymap.ts';
import { commands } from '../../src/commands/table.ts';
import { selectComposer } from '../../src/state/select/selectors.ts';
import { setCompletion } from '../../src/state/view/composer.ts';
import type { Target } from '../../src/text/layout/row.ts';
import { createDrawnOverlays } from '../../src/ui/drawn-overlays.ts';
import { createRouter } from '../../src/ui/key-router.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';

/** The draft after a click on the first row, which was drawn with this text. */
function draftAfterClick(drawn: string, offered: readonly string[]): string {
  const drafts = new Map([['c-ann', eg.draft('@b')]]);
  let state = scene({ focus: 'composer' }, { drafts });
  const rows = offered.map((text) => ({ text, label: text, note: '' }));
  state = setCompletion({
    kind: 'person',
    start: 0,
    typed: '@b',
    rows,
    isDone: true,
    conversationId: 'c-ann',
    selected: null,
    isClosed: false,
  })(state);
  const context = {
    get: () => state,
    update: (transition: (before: typeof state) => typeof state) => {
      state = transition(state);
    },
    now: () => eg.now,
  } as unknown as CommandContext;
  const target: Target = { kind: 'completion', row: 0, text: drawn };
  const router = createRouter({
    context,
    keymap: createKeymap(commands),
    panes: () => createPanes({ theme: themes.none, ascii: false, now: () => eg.now }),
    drawnOverlays: createDrawnOverlays(),
    targetAt: () => target,
    echo: { foresee: () => undefined, settle: () => undefined },
    onFocus: () => undefined,
    onReply: () => undefined,
  });
  router({ type: 'mouse', action: 'press', button: 'left', x: 0, y: 0, ctrl: false, alt: false, shift: false });
  return selectComposer(state).text;
}

test('a click inserts the row that was drawn', () => {
  expect(draftAfterClick('@bob', ['@bob', '@bea'])).toContain('@bob');
});

test('nothing is put in where another row has come to its place', () => {
  expect(draftAfterClick('@bob', ['@bea', '@bob'])).toBe('@b');
});
