/** The "go to" overlay drawn from state: each of its states, typing, choosing, the mouse. */

import { beforeEach, describe, expect, test } from 'vitest';
import { rowIds } from '../../../src/commands/accept.ts';
import { createKeymap } from '../../../src/commands/keymap.ts';
import { commands, selectPalette } from '../../../src/commands/table.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import type { SwitcherRow } from '../../../src/state/model/search-results.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { openNamePrompt } from '../../../src/state/search/name-prompt.ts';
import { openSwitcher, selectSwitcher } from '../../../src/state/search/switcher.ts';
import { replaceOverlay } from '../../../src/state/view/overlays.ts';
import { targetAt } from '../../../src/text/layout/row.ts';
import { createRouter } from '../../../src/ui/key-router.ts';
import * as eg from '../../support/builders/eg.ts';
import { scene } from '../../support/builders/scene.ts';
import { type Stage, stage } from '../stage.tsx';

beforeEach(eg.restart);

const opened = (query = '', shown: eg.Shown = {}): Stage => stage(typeText(query)(openSwitcher(scene(shown))));

describe('the overlay', () => {
  test('shows conversations with their details, and finds by name', async () => {
    const app = opened();
    expect(app.frame()).toMatch(/Go to +│[\s\S]*To: name[\s\S]*> Harbour crew +\d unread/);
    expect(app.frame()).toMatch(/│ > commands · @ people · # groups +│/);
    app.type('bob');
    await app.see(/Go to · 1 found[\s\S]*To: bob[\s\S]*> Bob Quist +.*muted/);
    app.press('escape');
    await app.see('Write a message');
    expect(app.frame()).not.toContain('Go to ·');
  });

  test('marks archived ones', () => {
    const state = scene();
    const [first] = state.cache.conversations.values();
    const conversations = new Map(state.cache.conversations).set(first!.id, { ...first!, archivedAt: eg.now });
    const app = stage(openSwitcher({ ...state, cache: { ...state.cache, conversations } }));
    expect(app.frame()).toMatch(/archived +\d\d:\d\d/);
  });

  test('distinguishes "nothing found" from "still searching"', () => {
    expect(opened('nobody').frame()).toContain('No conversation has this name; @ searches all people.');
    const forward = stage(typeText('@nobody')(openNamePrompt('forward')(scene())));
    expect(forward.frame()).toMatch(/│ No conversation has this name\. +│/);
    expect(opened('@nobody').frame()).toContain('No known person has this name');
    expect(opened('#nobody').frame()).toContain('No group has this name.');
    expect(opened('>zzz').frame()).toContain('No command has this name.');
    const many = Array.from({ length: 600 }, (_, index) =>
      eg.conversation({ id: `c${index}`, contactId: `k${index}` }),
    );
    const app = stage(
      typeText('zz')(openSwitcher(eg.state({ conversations: many, screen: { size: { columns: 100, rows: 30 } } }))),
    );
    expect(app.frame()).toMatch(/│ Searching … +│[\s\S]*Searching … {2}> commands/);
    expect(stage(openSwitcher(eg.state())).frame()).toContain('There are no conversations yet.');
  });

  test('shows commands with their keys, or why they cannot run', async () => {
    const app = opened('>');
    expect(app.frame()).toMatch(/Commands[\s\S]*│ Composer +│[\s\S]*> Send; .* Enter │/);
    app.type('back to the');
    await app.see(/> Back to the conversation that was open before {2}No other .*… +Alt-\/ │/);
    expect(app.frame()).toMatch(/│ Not now: No other conversation has been open yet +│/);
    app.press('enter');
    await app.see(/· No other conversation has been open yet +\S/);
  });

  test.each([
    [80, 24],
    [40, 12],
    [200, 60],
  ])('fits into %i × %i', (columns, rows) => {
    const frame = opened('', { size: { columns, rows } }).frame();
    expect(frame).toMatch(/Go to[\s\S]*> Harbour/);
    expect(Math.max(...frame.split('\n').map((row) => row.length))).toBeLessThanOrEqual(columns);
  });

  test('shows names of any kind without control characters', () => {
    const names = ['\u001b]0;PWN\u0007', '\u202egpj.ann', '李明李明', '👩‍👩‍👧 family'];
    const app = stage(
      openSwitcher(
        eg.state({
          conversations: names.map((_, index) => eg.conversation({ id: `c${index}`, contactId: `k${index}` })),
          contacts: names.map((username, index) => eg.contact({ id: `k${index}`, username })),
        }),
      ),
    );
    const frame = app.frame();
    for (const name of ['␛]0;PWN␇', 'gpj.ann', '李明李明', '👩‍👩‍👧 family']) expect(frame).toContain(name);
    expect(frame).not.toMatch(/\u202e|\u0007/);
  });
});

describe('the mouse', () => {
  const keymap = createKeymap(commands);
  const mouseOf = (app: Stage) => {
    const router = createRouter({
      context: app.context,
      keymap,
      panes: () => app.panes,
      drawnOverlays: app.drawnOverlays,
      targetAt(x, y) {
        const state = app.store.getState();
        const where = app.panes.layout(state);
        return targetAt(app.panes.rows('list', state, where)[y - (where.list?.y ?? 0)] ?? [], x);
      },
      echo: { foresee: () => undefined, settle: () => undefined },
      onFocus: () => undefined,
      onReply: () => undefined,
    });
    return (action: 'press' | 'wheel-down' | 'wheel-up', x: number, y: number): void => {
      const button = action === 'press' ? 'left' : 'none';
      router({ type: 'mouse', action, button, x, y, ctrl: false, alt: false, shift: false });
    };
  };
  /** The place of a text. */
  const placeOf = (app: Stage, text: string): readonly [number, number] => {
    const lines = app.frame().split('\n');
    const y = lines.findIndex((line) => line.includes(text));
    return [lines[y]?.indexOf(text) ?? 0, y];
  };

  test('a click on a row opens it, and one beside the rows does nothing', async () => {
    const app = opened();
    const mouse = mouseOf(app);
    mouse('press', ...placeOf(app, 'Go to'));
    mouse('press', ...placeOf(app, '> commands'));
    expect(app.opened).toEqual([]);
    mouse('press', ...placeOf(app, 'Bob Quist '));
    await app.see('Write a message');
    expect(app.opened).toEqual(['c-bob']);
  });

  test('a click acts on the row that was drawn, also when others have just been found', async () => {
    const app = opened();
    const mouse = mouseOf(app);
    const place = placeOf(app, 'Bob Quist ');
    const find = (change: (rows: readonly SwitcherRow[]) => readonly SwitcherRow[]): void =>
      app.store.setState((state) => {
        const top = selectSwitcher(state);
        if (top === null) return state;
        return replaceOverlay({ ...top, result: { ...top.result, rows: change(top.result.rows) } })(state);
      });
    find((rows) => rows.filter(({ conversationId }) => conversationId !== 'c-bob'));
    mouse('press', ...place);
    expect(app.opened).toEqual([]);
    app.press('escape');
    app.store.setState(openSwitcher);
    await app.see('Bob Quist ');
    find((rows) => [...rows].reverse());
    mouse('press', ...place);
    expect(app.opened).toEqual(['c-bob']);
  });

  test.each([
    ['conversations', openSwitcher],
    ['commands', (state: AppState) => typeText('>')(openSwitcher(state))],
    ['partners', openNamePrompt('new-conversation')],
  ])('the rows of %s are drawn with the ids by which a click finds them', (_, open) => {
    const app = stage(open(scene()));
    const ids = rowIds(app.store.getState(), selectPalette);
    expect(ids.length).toBeGreaterThan(0);
    const lines = app.frame().split('\n');
    const drawn = lines.flatMap((line, y) => app.drawnOverlays.at(Math.floor(line.length / 2), y) || []);
    expect(drawn.length).toBeGreaterThan(0);
    expect(ids.slice(0, drawn.length)).toEqual(drawn);
  });

  test('the second click of a double click does not reach what is below the dialog', async () => {
    const app = opened();
    const mouse = mouseOf(app);
    // Of the list beneath, which the rows begin in.
    const [, y] = placeOf(app, 'Bob Quist ');
    mouse('press', 5, y);
    await app.see('Write a message');
    mouse('press', 5, y);
    expect(app.opened).toEqual(['c-bob']);
    mouse('press', 6, y);
    expect(app.opened).toHaveLength(2);
  });

  test('the wheel moves the choice', async () => {
    const app = opened();
    const mouse = mouseOf(app);
    mouse('wheel-down', ...placeOf(app, 'Harbour crew  '));
    await app.see(/\n.*> (?!Harbour)/);
    mouse('wheel-up', ...placeOf(app, 'Harbour crew  '));
    await app.see('> Harbour crew');
  });
});
