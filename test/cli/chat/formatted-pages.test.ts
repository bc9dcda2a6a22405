/** A start shows the messages formatted as they were left, before the parser is loaded. */
import { beforeEach, expect, test, vi } from 'vitest';
import { followFormattedPages } from '../../../src/cli/chat/formatted-pages.ts';
import type { AppState } from '../../../src/state/model/app-state.ts';
import { createAppStore } from '../../../src/state/store.ts';
import { literal } from '../../../src/text/safe-text.ts';
import { createMarkdownLoader } from '../../../src/view/markdown.ts';
import { createPanes } from '../../../src/view/panes.ts';
import { themes } from '../../../src/view/theme.ts';
import * as eg from '../../support/builders/eg.ts';
import { picture } from '../../support/builders/picture.ts';
import { scene } from '../../support/builders/scene.ts';

beforeEach(eg.restart);

/** What the disk keeps between two runs. */
const disk = new Map<string, string>();
beforeEach(() => disk.clear());

const closed = (text: string): AppState => {
  const state = scene({ size: { columns: 100, rows: 30 } });
  const message = eg.message({ id: 'm1', conversationId: 'c-ann', text });
  const threads = new Map([['c-ann', eg.thread([message])]]);
  return { ...state, cache: { ...state.cache, threads }, view: { ...state.view, openId: null } };
};

/** One run of the program with that message. */
function run(text: string) {
  const store = createAppStore(closed(text));
  const onLoaded = vi.fn();
  const markdown = createMarkdownLoader(() => Promise.reject(new Error('no colours')), onLoaded);
  const panes = () =>
    createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, markdown: markdown.current() });
  const timers: (() => void)[] = [];
  const session = {
    store,
    formattedPage: (id: string) => disk.get(id) ?? '',
    saveFormattedPage: vi.fn((id: string, body: string) => void disk.set(id, body)),
  };
  const clock = {
    after: (_: number, callback: () => void) => {
      timers.push(callback);
      return () => void timers.splice(0);
    },
  };
  const save = followFormattedPages({ session, markdown, panes, clock });
  return {
    store,
    session,
    timers,
    save,
    open: () => store.setState((state) => ({ ...state, view: { ...state.view, openId: 'c-ann' } })),
    frame: () => picture(panes(), store.getState()).join('\n'),
    async load() {
      markdown.start();
      markdown.current().parse(literal('*need*'), literal(''));
      await vi.waitFor(() => expect(onLoaded).toHaveBeenCalled());
    },
  };
}

const text = '- **bold**\n- `code`';

/** The first run draws the message, loads the parser for it and rests. */
async function leave(written: string): Promise<void> {
  const first = run(written);
  first.open();
  expect(first.frame()).toContain('- **bold**');
  await first.load();
  expect(first.frame()).toContain('• bold');
  expect(disk.size).toBe(0);
  first.timers[0]?.();
}

test('the first frame after a restart shows formatted messages while the parser is not loaded', async () => {
  await leave(text);
  const second = run(text);
  second.open();
  expect(second.frame()).toMatch(/• bold.*\n.*• code/);
});

test('the list shows its last messages formatted too', async () => {
  const withLast = (of: ReturnType<typeof run>): void =>
    of.store.setState((state) => {
      const last = eg.message({ id: 'm2', conversationId: 'c-bob', text: '**tide** `tables`' });
      return { ...state, cache: { ...state.cache, lastMessages: new Map([['c-bob', last]]) } };
    });
  const first = run(text);
  withLast(first);
  first.open();
  expect(first.frame()).toContain('**tide** `tables`');
  await first.load();
  expect(first.frame()).toContain('tide tables');
  first.timers[0]?.();
  const second = run(text);
  withLast(second);
  second.open();
  expect(second.frame()).toContain('tide tables');
});

test('a message that was edited meanwhile is shown as typed until the parser is loaded', async () => {
  await leave(text);
  const second = run(`${text}!`);
  second.open();
  expect(second.frame()).toContain('- **bold**');
  await second.load();
  expect(second.frame()).toContain('• bold');
});

test('a damaged row is ignored, and replaced once the parser is loaded', async () => {
  await leave(text);
  const sound = disk.get('c-ann') ?? '';
  for (const damaged of [
    '{',
    sound.slice(0, -9),
    sound.replace('"bold"', '"fold"'),
    sound.replaceAll('bold', 'cold'),
  ]) {
    disk.set('c-ann', damaged);
    const next = run(text);
    next.open();
    expect(next.frame()).toContain('- **bold**');
    await next.load();
    expect(next.frame()).toContain('• bold');
    next.timers[0]?.();
    expect(disk.get('c-ann')).toBe(sound);
  }
});

test('a page stays while only the list is shown', async () => {
  await leave(text);
  const next = run(text);
  next.store.setState((state) => ({
    ...state,
    screen: { ...state.screen, size: { columns: 40, rows: 20 }, focus: 'list' as const },
  }));
  next.open();
  await next.load();
  next.save();
  expect(disk.get('c-ann')).toContain('bold');
});

test('nothing is written before the parser is loaded, for the same page, or for a key that changes no page', async () => {
  await leave(text);
  const next = run(text);
  next.open();
  next.frame();
  next.save();
  expect(next.session.saveFormattedPage).not.toHaveBeenCalled();
  await next.load();
  next.store.setState((state) => ({ ...state, view: { ...state.view, places: new Map(state.view.places) } }));
  next.frame();
  next.save();
  expect(next.session.saveFormattedPage).not.toHaveBeenCalled();
  next.store.setState((state) => ({ ...state, local: { ...state.local, drafts: new Map() } }));
  expect(next.timers).toEqual([]);
});
