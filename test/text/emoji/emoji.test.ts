import { readFileSync } from 'node:fs';
import { gemoji } from 'gemoji';
import { describe, expect, test } from 'vitest';
import { glyphOf, quickReactions, searchEmoji, spellEmoji } from '../../../src/text/emoji/emoji.ts';
import { sanitizeLine } from '../../../src/text/safe/sanitize.ts';
import { width } from '../../../src/text/unicode/width.ts';

describe('glyphOf', () => {
  test('has every name of gemoji, and its glyphs are clean', () => {
    for (const { emoji, names } of gemoji) {
      expect(sanitizeLine(emoji)).toBe(emoji);
      for (const name of names) expect([name, glyphOf(name)]).toEqual([name, emoji]);
    }
  });

  test.each([
    ['+1', '👍'],
    [':thumbsup:', '👍'],
    ['thumbs_up', '👍'],
    ['thumbs-up', '👍'],
    ['Thumbs Up', '👍'],
    ['like', '👍'],
    ['love', '❤️'],
    ['👍🏽', '👍🏽'],
    ['🇩🇪', '🇩🇪'],
    ['nothing_of_that_name', null],
    ['', null],
    ['👍👍', null],
    ['constructor', null],
    ['7', null],
    ['\x1b]0;x\x07', null],
    ['x'.repeat(100_000), null],
  ])('%j is %s', (name, glyph) => {
    expect(glyphOf(name)).toBe(glyph);
  });
});

describe('searchEmoji', () => {
  test('lists the exact name first, then names that begin with the query, each emoji once', () => {
    expect(searchEmoji('heart', 5)[0]).toEqual({ name: 'heart', glyph: '❤️' });
    const found = searchEmoji('thumb', 10);
    expect(found.map(({ glyph }) => glyph)).toEqual(['👍', '👎', '🫰']);
    const names = searchEmoji('eye', 50).map(({ name }) => name);
    expect(names.findLastIndex((name) => name.startsWith('eye'))).toBeLessThan(
      names.findIndex((name) => !name.startsWith('eye')),
    );
  });

  test('keeps to the limit and finds nothing for an empty query', () => {
    expect(searchEmoji('a', 7)).toHaveLength(7);
    expect(searchEmoji(' ', 7)).toEqual([]);
    expect(searchEmoji('zzzz', 7)).toEqual([]);
  });
});

test('quick reactions all have a glyph of two columns', () => {
  expect(quickReactions).toHaveLength(9);
  for (const name of quickReactions) expect(width(glyphOf(name) ?? '')).toBe(2);
});

test('the table on disk is what the script writes from this version of gemoji', () => {
  const source = readFileSync(new URL('../../../src/text/emoji/emoji-table.ts', import.meta.url), 'utf8');
  for (const { emoji, names } of gemoji) for (const name of names) expect(source).toContain(`${name} ${emoji}`);
});

test.each([
  ['Soup 🍲 at nine 🎉🎉', 'Soup :stew: at nine :tada::tada:'],
  ['👍🏽 and ❤️', ':+1: and :heart:'],
  ['👩‍👩‍👧 🇫🇷', ':family_woman_woman_girl: :fr:'],
  ['© 2026, 5 + #3, ☎ Ann™', '© 2026, 5 + #3, ☎ Ann™'],
  ['plain, Fähre, 漢字', 'plain, Fähre, 漢字'],
  ['', ''],
])('emoji in a text are replaced by their names: %s', (text, spelled) => {
  expect(spellEmoji(sanitizeLine(text))).toBe(spelled);
});

test('of names that begin alike, quick reactions come first, and then the shorter ones', () => {
  const names = searchEmoji('hea', 20).map(({ name }) => name);
  expect(names[0]).toBe('heart');
  const begin = names.filter((name) => name.startsWith('hea')).slice(1);
  expect(begin).toEqual([...begin].sort((a, b) => a.length - b.length));
});
