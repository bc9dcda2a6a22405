import { describe, expect, test } from 'vitest';
import type { Coverage, MessageSearchOverlay, MessageSearchResult } from '../../src/state/model/app-state.ts';
import type { ShownHit } from '../../src/state/search/message-search.ts';
import { parseSearch } from '../../src/state/search/search-query.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { sanitizeLine } from '../../src/text/safe/sanitize.ts';
import { asciiSigns, unicodeSigns } from '../../src/view/glyph-set.ts';
import { coverageLine, hitRow, messageSearchTitle, nothingFound } from '../../src/view/message-search.ts';
import * as eg from '../support/builders/eg.ts';
import { rowToText } from '../support/builders/row-text.ts';

const hit = (line: string, fields: Partial<ShownHit> = {}): ShownHit => ({
  id: 'c1 m1',
  at: eg.now - eg.hour,
  author: sanitizeLine('Ann'),
  where: sanitizeLine('Harbour crew'),
  line: sanitizeLine(line),
  ...fields,
});
const facts = { words: ['ferry'], isEverywhere: false, now: eg.now, signs: unicodeSigns };
const textOf = (shown: ShownHit, columns: number, isEverywhere = false): string =>
  rowToText(hitRow(shown, columns, { ...facts, isEverywhere })).trimEnd();

const finding = (
  coverage: Partial<Coverage> | null,
  fields: Partial<MessageSearchResult> & { query?: string } = {},
): MessageSearchOverlay => {
  const { query = 'ferry', ...rest } = fields;
  const found: MessageSearchResult = {
    identity: parseSearch('ferry').identity,
    words: ['ferry'],
    conversationId: null,
    hits: [],
    count: 0,
    coverage: {
      messages: 12_431,
      conversations: 41,
      known: 52,
      oldest: Date.UTC(2026, 2, 3, 12),
      inPart: 0,
      ...coverage,
    },
    isDone: true,
    ...rest,
  };
  return {
    kind: 'message-search',
    conversationId: found.conversationId,
    here: 'c1',
    typed: query,
    selected: 0,
    result: coverage === null ? null : found,
  };
};

describe('the row of a message that was found', () => {
  test('has time, sender and text; everywhere the conversation, with the sender if that is another', () => {
    expect(textOf(hit('The ferry leaves'), 60)).toBe('13:02     Ann          The ferry leaves');
    expect(textOf(hit('The ferry leaves'), 60, true)).toBe('13:02     Harbour crew Ann: The ferry leaves');
    const direct = hit('The ferry', { where: sanitizeLine('Ann') });
    expect(textOf(direct, 60, true)).toBe('13:02     Ann          The ferry');
  });

  test('marks the words', () => {
    const marked = hitRow(hit('The Férry, ferry'), 60, facts).filter(({ style }) => style !== '');
    expect(marked.map(({ text }) => text)).toEqual(['Férry', 'ferry']);
  });

  test('shows the first mark, is exactly as wide as it may be and cuts no wide character', () => {
    const line = `${'漢字 and so on '.repeat(20)}the ferry${' 漢字漢字'.repeat(20)}`;
    for (const columns of [30, 40, 41, 42, 43, 74, 94]) {
      const row = hitRow(hit(line), columns, facts);
      expect(rowWidth(row)).toBe(columns);
      expect(rowToText(row)).toMatch(columns < 40 ? /…/ : /…[^…]*ferry[^…]*…$/);
    }
    expect(textOf(hit('a'.repeat(200)), 40)).toMatch(/ a+…$/);
  });
});

describe('the last line', () => {
  test('states what was searched', () => {
    const searched = 'Searched 12,431 messages in 41 of 52 conversations, back to 3 March';
    expect(coverageLine(finding({}), eg.now)).toBe(searched);
    expect(coverageLine(finding({ oldest: Date.UTC(2025, 2, 3, 12) }), eg.now)).toBe(`${searched} 2025`);
    expect(coverageLine(finding({ inPart: 3 }), eg.now)).toContain(
      'of 52 conversations (3 of them only in part), back',
    );
    const here = { conversationId: 'c1' };
    expect(coverageLine(finding({ messages: 1, oldest: null, inPart: 1 }, here), eg.now)).toBe(
      'Searched 1 message; the rest is not kept here',
    );
    const key = sanitizeLine('F5 fetches the rest');
    expect(coverageLine(finding({ inPart: 1 }, here), eg.now, key)).toMatch(/back to 3 March; F5 fetches the rest$/);
    const fetched = { begunAt: 0, pages: 1, oldest: Date.UTC(2026, 2, 3, 12), isOver: false };
    const line = (over: boolean) =>
      coverageLine({ ...finding({}, here), fetched: { ...fetched, isOver: over } }, eg.now);
    expect(line(false)).toBe('Fetching older messages, now at 3 March …');
    expect(line(true)).toMatch(/^Searched /);
    expect(coverageLine(finding({}, here), eg.now)).toMatch(/back to 3 March: all there are$/);
  });

  test('says that the search has not ended, and before the first word what can be searched at all', () => {
    expect(coverageLine(finding({}, { isDone: false }), eg.now)).toBe('Searching … 12,431 messages so far');
    expect(coverageLine(finding({}, { query: 'ferr' }), eg.now)).toBe('Searching …');
    expect(coverageLine(finding(null), eg.now)).toBe('Searching …');
    expect(coverageLine(finding(null, { query: ' ' }), eg.now)).toMatch(/on this machine.*offline.*not unsent/);
  });
});

test('without rows there is a hint, then that the search goes on, then that nothing was found', () => {
  expect(nothingFound(finding(null, { query: '' }))).toMatch(/accents are ignored/);
  expect(nothingFound(finding(null))).toBe('Searching …');
  expect(nothingFound(finding({}, { isDone: false }))).toBe('Searching …');
  expect(nothingFound(finding({}))).toBe('Nothing found.');
});

test('the title says where and how many', () => {
  const hits = [{ conversationId: 'c1', message: eg.message(), excerpt: '' }];
  const title = (result: object, name: string | null, columns = 60) =>
    messageSearchTitle(finding({}, result), name === null ? null : sanitizeLine(name), columns, unicodeSigns);
  expect(title({}, null)).toBe('Find everywhere');
  expect(title({ hits, count: 1 }, 'Ann')).toBe('Find in Ann · 1 found');
  expect(title({ hits, count: 1234 }, null)).toBe('Find everywhere · the newest 1 of 1,234 found');
  expect(title({ hits, count: 1 }, 'The crew of the ferry to Brodick', 34)).toBe('Find in The crew of the… · 1 found');
});

test('with --ascii texts are cut with ASCII', () => {
  const row = hitRow(
    hit(`${'before '.repeat(30)}ferry ${'after '.repeat(30)}`, { author: sanitizeLine('A'.repeat(40)) }),
    60,
    {
      ...facts,
      isEverywhere: true,
      signs: asciiSigns,
    },
  );
  expect(rowToText(row)).toMatch(/^[\x20-\x7e]*$/);
  expect(rowWidth(row)).toBe(60);
});
