/** Contrast of the themes in the palettes that terminals come with: at least 4.5 to 1, as WCAG asks for text. */
import { describe, expect, test } from 'vitest';
import { type Theme, themes } from '../../src/view/theme.ts';

/** The colours 31 to 36 and 91 to 96. */
const palettes = {
  xterm: ['cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd', 'ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff'],
  'VS Code': ['cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd', 'f14c4c 23d18b f5f543 3b8eea d670d6 29b8db'],
  GNOME: ['c01c28 26a269 a2734c 12488b a347ba 2aa1b3', 'f66151 33da7a e9ad0c 2a7bde c061cb 33c7de'],
} as const;

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const stylesIn = (part: object): readonly string[] =>
  Object.values(part).flatMap((style) => (style instanceof Object ? stylesIn(style) : [String(style)]));

/** Those of authors are chosen elsewhere, by what the terminal has. */
const coloursOf = ({ markdown, ...theme }: Theme): ReadonlySet<string> =>
  new Set(
    [...Object.values(theme).filter((style) => typeof style === 'string'), ...stylesIn(markdown)]
      .flatMap((style) => style.split(';'))
      .filter((code) => /^(3|9)[1-6]$/.test(code)),
  );

describe.each(['xterm', 'VS Code', 'GNOME'] as const)('in the palette of %s', (name) => {
  const colour = (code: string): string =>
    (palettes[name][code.startsWith('9') ? 1 : 0] ?? '').split(' ')[Number(code.at(-1)) - 1] ?? '';

  test.each([
    ['dark', '000000'],
    ['light', 'ffffff'],
  ] as const)('everything in the %s theme can be read', (theme, background) => {
    const unfit = [...coloursOf(themes[theme])].filter((code) => contrast(colour(code), background) < 4.5);
    expect(unfit).toEqual([]);
  });
});
