/** Long messages fold, and what is read stays in its place. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { quoteAbove } from '../../src/state/composer/quote.ts';
import type { AppState, Place } from '../../src/state/model/app-state.ts';
import { foldedRows, isLong, mostRows, selectBodyColumns } from '../../src/state/select/folded-messages.ts';
import { selectThreadItems } from '../../src/state/select/selectors.ts';
import { setFolded, setScroll } from '../../src/state/view/thread-place.ts';
import { highlight } from '../../src/text/markdown/highlighter.ts';
import { parse } from '../../src/text/markdown/parser.ts';
import { rowsToShow } from '../../src/view/fold-cut.ts';
import { type Markdown, noMarkdown } from '../../src/view/markdown.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const loaded: Markdown = { ...noMarkdown, parse, highlight, hasParser: true };
const keyOf = (id: string): string => (id === 'message.more' ? 'm' : '');
const make = (markdown = loaded) =>
  createPanes({ theme: themes.none, ascii: false, now: () => eg.now, markdown, keyOf });

function showing(texts: readonly string[], place: Partial<Place> = {}, rows = 60): AppState {
  const state = scene({ size: { columns: 100, rows } });
  const messages = texts.map((text, i) =>
    eg.message({ id: `m${i}`, conversationId: 'c-ann', text, createdAt: eg.now - (texts.length - i) * eg.minute }),
  );
  return {
    ...state,
    cache: { ...state.cache, threads: new Map([['c-ann', eg.thread(messages)]]) },
    view: {
      ...state.view,
      places: new Map([['c-ann', { scroll: { at: 'bottom' as const }, selectedId: null, ...place }]]),
    },
  };
}

/** The rows of the thread below its title and pinned message, without the frames. */
function threadRows(state: AppState, panes = make()): string[] {
  const where = panes.layout(state);
  return panes.rows('thread', state, where).map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .replaceAll('│', '')
      .trimEnd(),
  );
}

const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, i) => `${word} ${i}`).join('\n');

describe('a long message', () => {
  test('shows its first rows and the number of hidden rows', () => {
    const rows = threadRows(showing([lines(49)]));
    expect(rows.filter((row) => /line \d/.test(row))).toHaveLength(foldedRows);
    expect(rows.join('\n')).toContain('… 34 more lines · m shows them');
    const whole = threadRows(showing([lines(49)], { unfolded: ['m0'] }));
    expect(whole.filter((row) => /line \d/.test(row))).toHaveLength(49);
    expect(whole.join('\n')).not.toContain('more lines');
  });

  test('is shown whole if it has just as many rows', () => {
    expect(threadRows(showing([lines(mostRows)])).join('\n')).not.toContain('more lines');
    expect(threadRows(showing([lines(mostRows + 1)])).join('\n')).toContain('more lines');
  });

  test('is not cut below the head of a block of code, and in the middle of a long block only after its beginning', () => {
    const code = `${lines(13)}\n\`\`\`js\n${lines(20, 'let')}\n\`\`\``;
    const rows = threadRows(showing([code]));
    expect(rows.filter((row) => /\bjs\b|let \d/.test(row))).toEqual([]);
    expect(rows.join('\n')).toContain('line 12');
    const long = threadRows(showing([`intro\n\`\`\`js\n${lines(40, 'let')}\n\`\`\``]));
    expect(long.filter((row) => /let \d/.test(row)).length).toBeGreaterThan(5);
  });

  test('takes a limited number of rows, whatever it contains', () => {
    const text = fc.array(
      fc.constantFrom('a', '\n', ' ', '漢', '```\n', '> ', '- x\n', '**b**', 'word '.repeat(30), '| a | b |\n', '\t'),
      { minLength: 30, maxLength: 300 },
    );
    fc.assert(
      fc.property(text, (parts) => {
        const state = showing([parts.join('')], {}, 200);
        const [item] = selectThreadItems(state, 'c-ann');
        if (item === undefined || !isLong(item, selectBodyColumns(state))) return;
        const drawn = threadRows(state)
          .slice(1)
          .filter((row) => row !== '');
        expect(drawn.length).toBeLessThan(mostRows + 6);
      }),
      { numRuns: 60 },
    );
  });

  test('is cut between blocks near the limit, else at the limit', () => {
    expect([rowsToShow(20, []), rowsToShow(21, []), rowsToShow(40, [12, 40]), rowsToShow(40, [3, 40])]).toEqual([
      20, 15, 12, 15,
    ]);
  });
});

describe('the scroll position', () => {
  test('stays when the message at the end is unfolded', () => {
    const panes = make();
    const folded = showing([...Array.from({ length: 30 }, (_, i) => `before ${i}`), lines(60)], {}, 40);
    const before = threadRows(folded, panes);
    const held = setScroll('c-ann', panes.scroll(folded, panes.layout(folded), 'hold'))(folded);
    expect(threadRows(held, panes).slice(1)).toEqual(before.slice(1));
    const unfolded = threadRows(setFolded('c-ann', 'm30', false)(held), panes);
    const shown = before.findIndex((row) => row.includes('more lines'));
    expect(unfolded.slice(1, shown)).toEqual(before.slice(1, shown));
    expect(unfolded[shown]).toContain(`line ${foldedRows}`);
  });

  test('ends at the end, so that new messages are scrolled into sight again', () => {
    const panes = make();
    const state = showing([lines(60)], { unfolded: ['m0'] }, 40);
    const held = setScroll('c-ann', panes.scroll(state, panes.layout(state), 'hold'))(state);
    expect(panes.scroll(held, panes.layout(held), 'release')).toEqual({ at: 'bottom' });
  });

  test('is the same message and the same row of it when the parser is loaded late', () => {
    const texts = Array.from({ length: 40 }, (_, i) => `- **item** ${i}\n\n| a | b |\n|---|---|\n| c | d |\n`);
    const place = { scroll: { at: 'message', messageId: 'm20', line: 0 } as const, selectedId: 'm22' };
    const state = showing(texts, place, 40);
    const raw = threadRows(state, make(noMarkdown));
    const formatted = threadRows(state, make());
    const first = (rows: readonly string[]): string | undefined => rows.find((row) => row.includes('item'));
    expect(first(raw)).toContain('- **item** 20');
    expect(first(formatted)).toContain('• item 20');
    expect(raw.findIndex((row) => row.includes('item'))).toBe(formatted.findIndex((row) => row.includes('item')));
  });
});

test.each([
  ['without markers', 'The **ferry** leaves ||at nine||', 'ann: The ferry leaves ▒'],
  ['as the first line of its code', '```sh\n# make *all*\nmake\n```', 'ann: # make *all*'],
  ['as its file where it has no words', '', 'ann: 📎 map.png'],
])('the message that a reply quotes is shown %s', (_, text, shown) => {
  const state = showing([text, quoteAbove('ann', text, 'Thanks')]);
  const attachments = [{ label: 'map.png', url: null, size: null, mediaType: null, fields: {} }];
  const contact = eg.contact({ id: 'ann-id', username: 'ann' });
  const messages = state.cache.threads
    .get('c-ann')!
    .messages.map((message) => ({ ...message, contact, ...(text === '' && { attachments }) }));
  const threads = new Map([['c-ann', eg.thread(messages)]]);
  expect(threadRows({ ...state, cache: { ...state.cache, threads } }).join('\n')).toContain(`▎ ${shown}`);
});

test('a quote of a message in memory is one row, which leads to it', () => {
  const state = showing([
    'The ferry leaves at nine',
    'noon?',
    '> ann wrote:\n> The ferry leaves at nine\nThanks **all**',
  ]);
  const named = {
    ...state,
    cache: {
      ...state.cache,
      threads: new Map([
        [
          'c-ann',
          eg.thread(
            state.cache.threads
              .get('c-ann')!
              .messages.map((message) => ({ ...message, contact: eg.contact({ id: 'ann-id', username: 'ann' }) })),
          ),
        ],
      ]),
    },
  };
  const panes = make();
  const rows = panes.rows('thread', named, panes.layout(named));
  const row = rows.find((one) => one.some(({ target }) => target?.kind === 'jump' && target.messageId === 'm0'));
  expect(row?.map(({ text }) => text).join('')).toContain('▎ ann: The ferry leaves at nine');
  expect(picture(panes, named).join('\n')).not.toContain('wrote:');
  const raw = {
    ...named,
    view: { ...named.view, places: new Map([['c-ann', { ...named.view.places.get('c-ann')!, rawId: 'm2' }]]) },
  };
  expect(picture(make(), raw).join('\n')).toContain('> ann wrote:');
});
