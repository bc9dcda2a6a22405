/** The mouse in the panes: everything that looks as if it could be clicked does something. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { draftOf } from '../../src/state/composer/drafts.ts';
import { selectVim } from '../../src/state/select/selectors.ts';
import { setCompletion } from '../../src/state/view/composer.ts';
import { selectInList, setFilter, startFilter } from '../../src/state/view/list-place.ts';
import { addNotice } from '../../src/state/view/notices.ts';
import { pushOverlay, topOverlay } from '../../src/state/view/overlays.ts';
import { setFocus, setSize } from '../../src/state/view/view.ts';
import { targetAt } from '../../src/text/layout/row.ts';
import type { PaneName } from '../../src/view/layout.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';
import { type Pointer, placeOf, pointerOn } from './pointer.ts';
import { type Stage, stage } from './stage.tsx';

beforeEach(eg.restart);

const failed = eg.op(
  { kind: 'message.send', conversationId: 'c-ann', text: 'lost', attachments: [] } as never,
  {
    state: 'failed',
  } as never,
);
const help = { kind: 'help', typed: '', selected: 0 } as const;
const wide = { size: { columns: 120, rows: 34 } };

const targetOf = (app: Stage, pane: PaneName, text: string): unknown => {
  const state = app.store.getState();
  const where = app.panes.layout(state);
  for (const row of app.panes.rows(pane, state, where, app.hints())) {
    const line = row.map((span) => span.text).join('');
    if (line.includes(text)) return targetAt(row, [...line.slice(0, line.indexOf(text))].length);
  }
  return `no ${text}`;
};

const command = (id: string): unknown => ({ kind: 'command', id });

test.each<readonly [PaneName, string, unknown]>([
  ['header', '3 unread', command('unread.next')],
  ['header', '1 failed', command('message.nextTrouble')],
  ['list', 'All', command('list.views')],
  ['list', 'Harbour', { kind: 'conversation', conversationId: 'c-crew' }],
  ['thread', 'Today', command('thread.goToDate')],
  ['thread', 'The ferry', { kind: 'jump', messageId: 'a3' }],
  ['thread', 'Hi Ann', { kind: 'message', messageId: 'a5' }],
  ['thread', 'timetable', { kind: 'link', messageId: 'a4', address: 'https://example.org/t.pdf' }],
  ['footer', 'help', command('help.open')],
])('%s: %s', (pane, text, target) => {
  const names = new Map([['crew', 'Harbour crew']]);
  const app = stage(scene(wide, { outbox: [failed], names } as never));
  expect(targetOf(app, pane, text)).toEqual(target);
});

describe('notices', () => {
  const noticed = () => {
    const app = stage(scene(wide));
    app.store.setState(addNotice({ tone: 'info', text: 'Copied', at: eg.now, until: null, about: 'copy' }));
    return app;
  };
  test('a click closes a notice', async () => {
    const app = noticed();
    await app.see('Copied');
    pointerOn(app).click(placeOf(app, 'Copied'));
    expect(app.store.getState().screen.notices).toEqual([]);
  });

  test('the right button opens the log', async () => {
    const app = noticed();
    await app.see('Copied');
    pointerOn(app).rightClick(placeOf(app, 'Copied'));
    expect(topOverlay(app.store.getState())?.kind).toBe('notices');
  });
});

describe('the right button', () => {
  test.each([
    ['Hi Ann', 'menu'],
    ['noon?', 'menu'],
    ['Ann Wells ─', 'person'],
  ])('on %s opens %s', (text, kind) => {
    const app = stage(scene(wide));
    pointerOn(app).rightClick(placeOf(app, text));
    expect(topOverlay(app.store.getState())?.kind).toBe(kind);
  });
});

test('the wheel over the list scrolls it and leaves its selection, which the keyboard has', () => {
  const app = stage(scene({ size: { columns: 120, rows: 10 } }));
  const { focus } = app.store.getState().screen;
  pointerOn(app).send('wheel-down', [3, 3]);
  const { view, screen } = app.store.getState();
  expect(view.list).toMatchObject({ isScrolled: true, selectedId: null });
  expect(screen.focus).toBe(focus);
});

test('the list shows its selection again when the keyboard comes to it, as its keys act on that', () => {
  const app = stage(scene({ size: { columns: 120, rows: 10 }, focus: 'composer' }));
  pointerOn(app).send('wheel-down', [3, 3]);
  expect(app.store.getState().view.list.isScrolled).toBe(true);
  app.store.setState(setFocus('list'));
  expect(app.store.getState().view.list.isScrolled).toBe(false);
});

test('a key of the list shows the selection that the wheel left out of sight, as it acts on that', () => {
  const app = stage(scene({ size: { columns: 120, rows: 10 }, focus: 'list' }));
  app.store.setState(selectInList('c-ann'));
  pointerOn(app).send('wheel-down', [3, 3]);
  expect(app.store.getState().view.list).toMatchObject({ isScrolled: true, selectedId: 'c-ann' });
  pointerOn(app).key('p');
  expect(app.store.getState().view.list).toMatchObject({ isScrolled: false, selectedId: 'c-ann' });
});

test.each([40, 50, 72, 79])('with %i columns, the sign before the title leads to the list', async (columns) => {
  const app = stage(scene({ size: { columns, rows: 20 }, focus: 'composer' }));
  expect(app.frame()).toContain('┌ ‹ Ann Wells ');
  pointerOn(app).click(placeOf(app, '‹'));
  await app.see('Conversations');
  expect(app.store.getState().screen.focus).toBe('list');
});

describe('the composer', () => {
  const written = () => {
    const app = stage(
      scene({ ...wide, focus: 'composer' }, { drafts: new Map([['c-ann', eg.draft('see the harbour master')]]) }),
    );
    const [x, y] = placeOf(app, 'see the harbour');
    const selected = (): string => {
      const { text, anchor, cursor } = draftOf(app.store.getState(), 'c-ann');
      return anchor === null ? '' : text.slice(Math.min(anchor, cursor), Math.max(anchor, cursor));
    };
    return { app, pointer: pointerOn(app), x, y, selected };
  };

  test('selects by a drag, also backwards and beyond the text', () => {
    const { pointer, x, y, selected } = written();
    pointer.drag([x + 4, y], [x + 7, y]);
    expect(selected()).toBe('the');
    pointer.drag([x + 7, y], [x, y]);
    expect(selected()).toBe('see the');
    pointer.drag([x + 8, y], [x + 60, y + 9]);
    expect(selected()).toBe('harbour master');
  });

  test('selects a word by two clicks, everything by three, and one more sets the cursor', () => {
    const { app, pointer, x, y, selected } = written();
    pointer.click([x + 9, y]);
    expect(selected()).toBe('');
    pointer.click([x + 9, y]);
    expect(selected()).toBe('harbour');
    pointer.click([x + 9, y]);
    expect(selected()).toBe('see the harbour master');
    pointer.click([x + 9, y]);
    expect(draftOf(app.store.getState(), 'c-ann')).toMatchObject({ anchor: null, cursor: 9 });
  });
});

describe('the composer in the modes of vim', () => {
  const commanding = () => {
    const begun = scene({ ...wide, focus: 'composer' }, { drafts: new Map([['c-ann', eg.draft('see the harbour')]]) });
    const app = stage({ ...begun, settings: { ...begun.settings, keys: { ...begun.settings.keys, profile: 'vim' } } });
    app.press('escape');
    const [x, y] = placeOf(app, 'see the harbour');
    const text = () => draftOf(app.store.getState(), 'c-ann').text;
    return { app, pointer: pointerOn(app), x, y, text, mode: () => selectVim(app.store.getState())?.mode };
  };

  test('a drag selects in visual mode, in either direction, and a click ends that mode', () => {
    const { pointer, x, y, text, mode } = commanding();
    pointer.drag([x + 4, y], [x + 6, y]);
    expect(mode()).toBe('visual');
    pointer.click([x + 1, y]);
    expect(mode()).toBe('normal');
    pointer.key('x');
    expect(text()).toBe('se the harbour');
    pointer.drag([x + 5, y], [x + 3, y]);
    pointer.key('d');
    expect([text(), mode()]).toEqual(['se  harbour', 'normal']);
  });

  test('two clicks select a word, and motions extend it', () => {
    const { pointer, x, y, text } = commanding();
    pointer.click([x + 5, y]);
    pointer.click([x + 5, y]);
    pointer.key('l');
    pointer.key('d');
    expect(text()).toBe('see harbour');
  });
});

describe('a draft that has more rows than the composer', () => {
  const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1} of it`);
  const long = () => {
    const app = stage(
      scene({ ...wide, focus: 'composer' }, { drafts: new Map([['c-ann', eg.draft(lines.join('\n'))]]) }),
    );
    const cursor = () => app.panes.cursor(app.store.getState(), app.panes.layout(app.store.getState()));
    const shown = () => app.frame().match(/line \d+ of it/g);
    return { app, pointer: pointerOn(app), cursor, shown };
  };

  test('is scrolled by the wheel, up to its ends, and typing shows the cursor again', async () => {
    const { app, pointer, cursor, shown } = long();
    expect(shown()).toEqual(lines.slice(22));
    const at = placeOf(app, 'line 25');
    pointer.send('wheel-up', at);
    await app.see('line 21 of it');
    expect([shown(), cursor()]).toEqual([lines.slice(20, 28), null]);
    for (let i = 0; i < 20; i++) pointer.send('wheel-up', at);
    await app.see('line 1 of it');
    expect(shown()).toEqual(lines.slice(0, 8));
    expect(app.panes.echoes(app.store.getState(), app.panes.layout(app.store.getState()))).toBe(null);
    pointer.send('wheel-down', at);
    await app.see('line 10 of it');
    app.type('!');
    await app.see('line 30 of it!');
    expect([shown(), cursor()]).toEqual([lines.slice(22), expect.anything()]);
  });

  test('is scrolled by a drag beyond its first visible row', async () => {
    const { app, pointer } = long();
    const [x, y] = placeOf(app, 'line 25');
    pointer.drag([x, y], [x, y - 5]);
    const { anchor, cursor, text } = draftOf(app.store.getState(), 'c-ann');
    expect(text.slice(cursor, anchor ?? 0)).toBe(`${lines.slice(21, 24).join('\n')}\n`);
  });
});

test('the wheel over a draft that is completely visible scrolls the messages', () => {
  const app = stage(scene(wide, { drafts: new Map([['c-ann', eg.draft('short')]]) }));
  const scroll = vi.spyOn(app.context, 'scrollThread');
  pointerOn(app).send('wheel-up', placeOf(app, 'short'));
  expect(scroll).toHaveBeenCalledWith({ rows: -3 });
});

test('a click on a conversation of a filtered list opens it and clears the filter, as Enter does', async () => {
  const app = stage(scene({ ...wide, focus: 'list' }));
  app.store.setState((state) => setFilter('bob')(startFilter(state)));
  await app.see('Filter: bob');
  pointerOn(app).click(placeOf(app, 'Bob'));
  expect(app.opened).toEqual(['c-bob']);
  const { list } = app.store.getState().view;
  expect([list.filter, list.isFiltering, list.selectedId]).toEqual(['', undefined, 'c-bob']);
});

test('a click on the footer does not reach the composer, also where the footer has fewer rows after it', () => {
  const app = stage(scene({ ...wide, focus: 'list' }));
  // The question about Enter, which a click ends.
  const text = 'words '.repeat(30);
  app.store.setState(addNotice({ tone: 'info', text, at: eg.now, until: null, about: 'enter after letters' }));
  const { footer } = app.panes.layout(app.store.getState());
  expect(footer?.height).toBeGreaterThan(1);
  pointerOn(app).click([60, footer?.y ?? 0]);
  expect(app.store.getState().screen).toMatchObject({ focus: 'list', notices: [] });
});

test('the wheel over what the composer offers for a word moves the choice, and the messages stay', () => {
  const app = stage(scene({ ...wide, focus: 'composer' }, { drafts: new Map([['c-ann', eg.draft(':sm')]]) }));
  const rows = ['smile', 'smirk', 'smiley'].map((name) => ({ text: name, label: `:${name}:`, note: '' }));
  const word = { kind: 'emoji', start: 0, typed: ':sm', conversationId: 'c-ann' } as const;
  app.store.setState(setCompletion({ ...word, rows, isDone: true, selected: null, isClosed: false }));
  const scroll = vi.spyOn(app.context, 'scrollThread');
  const { completion } = app.panes.layout(app.store.getState());
  const at = [(completion?.x ?? 0) + 3, (completion?.y ?? 0) + 1] as const;
  const pointer = pointerOn(app);
  const chosen = () => app.store.getState().view.completion?.selected;
  pointer.send('wheel-up', at);
  expect(chosen()).toBe(null);
  for (let turn = 0; turn < 5; turn++) pointer.send('wheel-down', at);
  expect(chosen()).toBe(2);
  for (let turn = 0; turn < 5; turn++) pointer.send('wheel-up', at);
  expect(chosen()).toBe(null);
  expect(scroll).not.toHaveBeenCalled();
});

test('in a message two clicks select a word, three the whole message', () => {
  const app = stage(scene(wide));
  const pointer = pointerOn(app);
  const selected = (): string => {
    const state = app.store.getState();
    return app.panes.selectedText(state, app.panes.layout(state));
  };
  const [x, y] = placeOf(app, 'Hi Ann');
  const at = [x + 3, y] as const;
  pointer.click(at);
  expect(selected()).toBe('');
  pointer.click(at);
  expect(selected()).toBe('Ann');
  pointer.click(at);
  expect(selected()).toBe('Hi Ann');
});

describe('a mouse button that is held', () => {
  const held = () => {
    const app = stage(scene(wide));
    const scroll = vi.spyOn(app.context, 'scrollThread').mockReturnValue();
    const timers: (() => void)[] = [];
    vi.spyOn(app.context, 'later').mockImplementation((_, run) => void timers.push(run));
    const tick = () => {
      for (const run of timers.splice(0)) run();
    };
    const [x, y] = placeOf(app, 'Hi Ann');
    return { app, pointer: pointerOn(app), scroll, tick, inside: [x, y] as const, below: [x, 33] as const };
  };

  test('scrolls the messages at one speed, also when the pointer leaves the pane and comes back', () => {
    const { pointer, scroll, tick, inside, below } = held();
    pointer.send('press', inside);
    pointer.send('drag', below);
    pointer.send('drag', [inside[0] + 1, inside[1]]);
    pointer.send('drag', below);
    scroll.mockClear();
    tick();
    expect(scroll).toHaveBeenCalledTimes(1);
    pointer.send('release', below);
    tick();
    expect(scroll).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['a dialog that opens by a key', (pointer: Pointer) => pointer.key('f1')],
    ['a dialog that opens by itself', (_: Pointer, app: Stage) => app.store.setState(pushOverlay(help))],
    ['a mouse that is turned off', (pointer: Pointer) => pointer.key('alt+m')],
    ['Ctrl-Z, after which the button is released elsewhere', (pointer: Pointer) => pointer.key('ctrl+z')],
  ])('no longer scrolls the messages after %s', (_, take) => {
    const { app, pointer, scroll, tick, inside, below } = held();
    pointer.send('press', inside);
    pointer.send('drag', below);
    scroll.mockClear();
    take(pointer, app);
    tick();
    expect(scroll).not.toHaveBeenCalled();
  });

  test('selects and copies nothing more after the size has changed', () => {
    const { app, pointer, scroll, tick, inside, below } = held();
    const copy = vi.spyOn(app.context, 'copy');
    pointer.send('press', inside);
    pointer.send('drag', below);
    expect(app.store.getState().view.textSelection).not.toBe(null);
    app.store.setState(setSize({ columns: 100, rows: 34 }));
    expect(app.store.getState().view.textSelection).toBe(null);
    scroll.mockClear();
    tick();
    pointer.send('drag', below);
    pointer.send('release', below);
    expect(app.store.getState().view.textSelection).toBe(null);
    expect([copy.mock.calls, scroll.mock.calls]).toEqual([[], []]);
  });

  test('on the border counts as released after a dialog, so that the wheel scrolls', () => {
    const { app, pointer, scroll, inside } = held();
    const border = app.panes.layout(app.store.getState()).thread?.x ?? 0;
    pointer.send('press', [border, 5]);
    pointer.key('f1');
    pointer.send('release', [border, 5]);
    pointer.key('escape');
    expect(topOverlay(app.store.getState())).toBe(null);
    pointer.send('wheel-up', inside);
    expect(scroll).toHaveBeenCalledWith({ rows: -3 });
  });
});

test('the note below a long message shows the rest of it, whichever message is selected', async () => {
  const text = Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n');
  const base = scene(wide);
  const thread = eg.thread([eg.message({ id: 'long', conversationId: 'c-ann', text })]);
  const app = stage({ ...base, cache: { ...base.cache, threads: new Map([['c-ann', thread]]) } });
  await app.see('more lines');
  expect(app.frame()).not.toContain('line 29');
  pointerOn(app).click(placeOf(app, 'more lines'));
  await app.see('line 29');
});

test('a drag over a dialog says how the terminal selects text, too', async () => {
  const app = stage(scene({ ...wide, overlays: [help] }));
  pointerOn(app).drag([40, 10], [60, 12]);
  await app.see('hold Shift while you drag');
});

test('a drag that selects nothing says once how the terminal selects text', async () => {
  const app = stage(scene(wide));
  const pointer = pointerOn(app);
  pointer.drag([3, 3], [9, 3]);
  await app.see('hold Shift while you drag; Alt-m');
  app.store.setState((state) => ({ ...state, screen: { ...state.screen, notices: [] } }));
  pointer.drag([3, 3], [9, 3]);
  expect(app.store.getState().screen.notices).toEqual([]);
});

test('a double click on a link opens the question once and does not close it', () => {
  const app = stage(scene(wide));
  const pointer = pointerOn(app);
  const at = placeOf(app, 'https://example.org/ferry');
  pointer.click(at);
  pointer.click(at);
  expect(topOverlay(app.store.getState())?.kind).toBe('links');
});
