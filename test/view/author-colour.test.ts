import { describe, expect, test } from 'vitest';
import { authorStyle } from '../../src/view/author-colour.ts';
import { chooseTheme } from '../../src/view/theme-choice.ts';

describe('the colour of an author', () => {
  test('depends only on the id, and a group of six almost never shares one', () => {
    const { authors } = chooseTheme('dark', null, { depth: '256', background: 'dark' });
    expect(authorStyle('contact-1', authors)).toBe(authorStyle('contact-1', authors));
    const counts = authors.map(() => 0);
    for (let i = 0; i < 1200; i++) counts[authors.indexOf(authorStyle(`contact-${i}`, authors))]!++;
    expect(Math.min(...counts)).toBeGreaterThan(50);
  });
});
