/** The row at the top of the pane stays there when its message is laid out again. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { setScroll, toggleRaw } from '../../src/state/view/thread-place.ts';
import { setSize } from '../../src/state/view/view.ts';
import { parse } from '../../src/text/markdown/parser.ts';
import { type Markdown, noMarkdown } from '../../src/view/markdown.ts';
import { createPanes, type Panes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText } from '../support/builders/row-text.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

beforeEach(eg.restart);

const formatted: Markdown = { ...noMarkdown, parse, hasParser: true };
const make = (markdown: Markdown): Panes =>
  createPanes({ theme: themes.dark, ascii: false, now: () => eg.now, markdown });

/** `word 0 word 1 …`, of which each row has some. */
const words = (count: number, wrap: (word: string, i: number) => string = (word) => word): string =>
  Array.from({ length: count }, (_, i) => wrap(`word${i}`, i)).join(' ');

const after = Array.from({ length: 40 }, (_, i) => eg.message({ id: `n${i}`, conversationId: 'c', text: `line ${i}` }));

function reading(text: string, columns = 80): AppState {
  const messages = [eg.message({ id: 'long', conversationId: 'c', text }), ...after];
  const state = eg.state({
    conversations: [eg.conversation({ id: 'c' })],
    cache: { threads: new Map([['c', eg.thread(messages)]]) },
    ...eg.shown({ openId: 'c', focus: 'messages', size: { columns, rows: 24 } }),
  });
  const places = new Map([['c', { scroll: { at: 'bottom' }, selectedId: null, unfolded: ['long'] } as const]]);
  return { ...state, view: { ...state.view, places } };
}

const linesOf = (panes: Panes, state: AppState): readonly string[] =>
  panes.rows('thread', state, panes.layout(state)).map(rowToText);
const top = (panes: Panes, state: AppState): string => linesOf(panes, state)[1] ?? '';
const firstWord = (line: string): string => /word\d+/.exec(line)?.[0] ?? '';
const wide = (columns: number) => setSize({ columns, rows: 24 });

/** Scrolls by rows, as keys do. */
function scroll(panes: Panes, state: AppState, rows: number | 'top'): AppState {
  const amount = rows === 'top' ? rows : { rows };
  return setScroll('c', panes.scroll(state, panes.layout(state), amount))(state);
}

const readingAt = (panes: Panes, text: string, line: number, columns = 80): AppState =>
  scroll(panes, scroll(panes, reading(text, columns), 'top'), line);

/** Much shorter when it is formatted. */
const marked = words(400, (word, i) => (i % 3 === 0 ? `**${word}** [docs](https://a.example/x)` : word));

describe('the row at the top', () => {
  test('has the same word in every width, and is the same one when the width is back', () => {
    const width = fc.integer({ min: 40, max: 160 });
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 20 }), width, width, (line, from, to) => {
        const panes = make(formatted);
        const state = readingAt(panes, words(600), line, from);
        const before = top(panes, state);
        const resized = wide(to)(state);
        expect(top(panes, resized)).toContain(`${firstWord(before)} `);
        expect(top(panes, wide(from)(resized))).toBe(before);
      }),
      { numRuns: campaignSize(40, 1) },
    );
  });

  test('moves by the requested number of rows in a new width, also to a line of the same number as before', () => {
    const panes = make(formatted);
    const state = wide(60)(readingAt(panes, words(600), 12, 120));
    const before = top(panes, state);
    for (let rows = 1; rows < 15; rows++) expect(linesOf(panes, scroll(panes, state, -rows))[1 + rows]).toBe(before);
  });

  test('stays when the parser is loaded and markup disappears', () => {
    const state = readingAt(make(noMarkdown), marked, 20);
    const before = top(make(noMarkdown), state);
    expect(top(make(formatted), state)).toContain(firstWord(before.replaceAll('docs', '')));
    expect(top(make(noMarkdown), state)).toBe(before);
  });

  test('stays when the message is shown as it was typed', () => {
    const panes = make(formatted);
    const state = readingAt(panes, marked, 15);
    const before = top(panes, state);
    const raw = toggleRaw('c', 'long')(state);
    expect(top(panes, raw)).toContain(firstWord(before));
    expect(top(panes, toggleRaw('c', 'long')(raw))).toBe(before);
  });

  test('of the last run is counted in rows of the formatted message', () => {
    const last = () => setScroll('c', { at: 'message', messageId: 'long', line: 15 })(reading(marked));
    const stored = last();
    const there = top(make(formatted), last());
    linesOf(make(noMarkdown), stored);
    expect(top(make(formatted), stored)).toBe(there);
  });

  test('stays when words above it are edited', () => {
    const panes = make(formatted);
    const text = words(400);
    const state = readingAt(panes, text, 15);
    const before = firstWord(top(panes, state));
    const edited = reading(text.replace('word0 ', `${'new '.repeat(60)}word0 `));
    const next = { ...edited, view: { ...edited.view, places: state.view.places } };
    expect(top(panes, next)).toContain(`${before} `);
  });
});

describe('a report that the thread could not be refreshed', () => {
  const failing = (state: AppState): AppState => {
    const failures = new Map([['c', 'nothing listens at the address of the server']]);
    return { ...state, view: { ...state.view, connection: { ...state.view.connection, failures } } };
  };
  const working = (state: AppState): AppState => {
    const connection = { ...state.view.connection, failures: new Map() };
    return { ...state, view: { ...state.view, connection } };
  };
  const below = (panes: Panes, state: AppState, from: number): readonly string[] => linesOf(panes, state).slice(from);
  const reportRows = 2;

  test('covers rows at the top, and those below it stay on their rows of the screen', () => {
    const panes = make(formatted);
    const state = readingAt(panes, words(400), 15);
    const before = linesOf(panes, state);
    const during = failing(state);
    expect(linesOf(panes, during)[1]).toContain('! Could not refresh');
    expect(below(panes, during, 1 + reportRows)).toEqual(before.slice(1 + reportRows));
    expect(linesOf(panes, working(during))).toEqual(before);
  });

  test('covers no row that the user scrolls to, and shows the rows above when it ends', () => {
    const panes = make(formatted);
    const during = scroll(panes, failing(readingAt(panes, words(400), 15)), -4);
    const shown = below(panes, during, 1 + reportRows);
    expect(below(panes, working(during), 1 + reportRows)).toEqual(shown);
    const atTop = scroll(panes, during, 'top');
    expect(below(panes, atTop, 1 + reportRows).join('\n')).toContain('word0 ');
  });

  test('leaves the place as it is saved', () => {
    const panes = make(formatted);
    const state = readingAt(panes, words(400), 15);
    const during = failing(state);
    expect(panes.place(during, panes.layout(during))).toEqual(panes.place(state, panes.layout(state)));
  });
});
