import { describe, expect, test } from 'vitest';
import { authorColours, authorStyle, onDark, onLight } from '../../src/view/author-colour.ts';
import { themes } from '../../src/view/theme.ts';

/** Relative luminance of a colour of the 6 × 6 × 6 cube of the 256-colour palette (WCAG 2.2). */
function luminance(colour: number): number {
  const levels = [0, 95, 135, 175, 215, 255];
  const at = colour - 16;
  const [r, g, b] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => {
    const part = levels[level]! / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

describe('the colour of an author', () => {
  test('is readable on its background', () => {
    for (const colour of onDark) expect([colour, (luminance(colour) + 0.05) / 0.05 >= 4.5]).toEqual([colour, true]);
    for (const colour of onLight) expect([colour, 1.05 / (luminance(colour) + 0.05) >= 4.5]).toEqual([colour, true]);
  });

  test('depends only on the id, and a group of six almost never shares one', () => {
    const colours = authorColours(themes.dark, true);
    expect(authorStyle('contact-1', colours)).toBe(authorStyle('contact-1', colours));
    const counts = colours.map(() => 0);
    for (let i = 0; i < 1200; i++) counts[colours.indexOf(authorStyle(`contact-${i}`, colours))]!++;
    expect(Math.min(...counts)).toBeGreaterThan(50);
  });

  test('is of the palette of 16 where the terminal has no more, and an attribute without colours', () => {
    expect(authorColours(themes.dark, false)).toBe(themes.dark.authors);
    expect(authorColours(themes['high-contrast'], true)).toEqual(['1;4']);
    expect(authorColours(themes.none, true)).toEqual(['1']);
  });
});
