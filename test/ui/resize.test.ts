/** Resizing: nothing of an old size stays on the screen, and what is read keeps its place. */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { recountPlace } from '../../src/cli/chat/recount-place.ts';
import type { AppState, Place, ScrollPlace } from '../../src/state/model/app-state.ts';
import { createAppStore } from '../../src/state/store.ts';
import { setScroll } from '../../src/state/view/thread-place.ts';
import { setSize } from '../../src/state/view/view.ts';
import { Screen } from '../../src/terminal/screen.ts';
import { Painter } from '../../src/ui/painter.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { scene } from '../support/builders/scene.ts';
import { campaignSize } from '../support/campaigns/partition.ts';
import { createHeadless } from '../support/terminals/headless.ts';

beforeEach(eg.restart);

const words = ['ferry', 'leaves', 'at', 'nine', '漢字', '👩‍👩‍👧', 'naïve', 'harbour', 'waits', 'https://example.org/a'];

/** Messages of different lengths, each with its number before every word. */
function history(scroll: ScrollPlace): AppState {
  const state = scene();
  const text = (i: number): string =>
    Array.from({ length: 1 + ((i * 7) % 40) }, (_, word) => `${i}:${words[(i + word) % words.length]}`).join(' ');
  const messages = Array.from({ length: 80 }, (_, i) =>
    eg.message({ id: `m${i}`, conversationId: 'c-ann', text: text(i), createdAt: eg.now - (80 - i) * eg.minute }),
  );
  const cache = { ...state.cache, threads: new Map([['c-ann', eg.thread(messages)]]) };
  return setScroll('c-ann', scroll)({ ...state, cache });
}

function draw(state: AppState, columns: number, rows: number) {
  const tty = createHeadless(columns, rows);
  const store = createAppStore(setSize({ columns, rows })(state));
  const panes = createPanes({ theme: themes.dark, ascii: false, now: () => eg.now });
  const resized = (size: { readonly columns: number; readonly rows: number }): void => {
    store.setState(setSize(size));
    store.setState(recountPlace(panes));
    painter.paint();
  };
  const screen = new Screen({ tty, onResize: resized });
  const painter = new Painter({ ...store, screen, panes: () => panes, hintsOf: () => [], isCovered: () => false });
  screen.enter();
  painter.paint();
  return {
    tty,
    store,
    panes,
    async cells() {
      await new Promise(setImmediate);
      await tty.settled();
      return Array.from({ length: tty.rows }, (_, y) => tty.cells(y)).join('\n');
    },
    close() {
      painter.stop();
    },
  };
}

const size = fc.record({ columns: fc.integer({ min: 40, max: 200 }), rows: fc.integer({ min: 10, max: 60 }) });
const storm = fc.array(size, { minLength: 50, maxLength: 50 });

/** The first numbered word below the title. */
const firstWords = ({ store, panes }: ReturnType<typeof draw>): string | undefined => {
  const state = store.getState();
  const rows = panes.rows('thread', state, panes.layout(state));
  return rows.flatMap((row) => /\d+:\S+/.exec(row.map(({ text }) => text).join('')) ?? [])[0];
};

test('after a storm of sizes the screen is that of a new start, and the thread begins with the same message', async () => {
  const from = { at: 'message', messageId: 'm40', line: 0 } as unknown as ScrollPlace;
  await fc.assert(
    fc.asyncProperty(storm, fc.boolean(), async (sizes, isAtEnd) => {
      const it = draw(history(isAtEnd ? { at: 'bottom' } : from), 100, 30);
      const before = firstWords(it);
      for (const { columns, rows } of sizes) it.tty.resize(columns, rows);
      const last = sizes.at(-1) ?? { columns: 100, rows: 30 };
      const fresh = draw(it.store.getState(), last.columns, last.rows);
      expect(await it.cells()).toBe(await fresh.cells());
      if (!isAtEnd) expect(firstWords(it)).toMatch(/^40:/);
      it.tty.resize(100, 30);
      expect(firstWords(it)).toBe(before);
      it.close();
      fresh.close();
    }),
    { numRuns: campaignSize(3, 60) },
  );
});

test('a position that is saved after a new size is the same at the next start in that size, and in the old size again', async () => {
  const text = Array.from({ length: 400 }, (_, word) => `40:word${word}`).join(' ');
  const long = history({ at: 'bottom' });
  const messages = long.cache.threads.get('c-ann')?.messages ?? [];
  const thread = eg.thread(messages.map((message) => (message.id === 'm40' ? { ...message, text } : message)));
  const state = { ...long, cache: { ...long.cache, threads: new Map([['c-ann', thread]]) } };
  const place = { scroll: { at: 'message', messageId: 'm40', line: 9 }, selectedId: null, unfolded: ['m40'] } as const;
  const places = new Map([['c-ann', place as unknown as Place]]);
  const it = draw({ ...state, view: { ...state.view, places } }, 100, 30);
  const before = firstWords(it);
  it.tty.resize(60, 20);
  const narrow = firstWords(it);
  const kept = it.store.getState();
  // What is read from the disk is another object than the one that the run had.
  const next = { ...kept, view: { ...kept.view, places: new Map(structuredClone([...kept.view.places])) } };
  const fresh = draw(next, 60, 20);
  expect(firstWords(fresh)).toBe(narrow);
  expect(narrow).toMatch(/^40:word\d\d/);
  it.tty.resize(100, 30);
  expect(firstWords(it)).toBe(before);
  it.close();
  fresh.close();
});
