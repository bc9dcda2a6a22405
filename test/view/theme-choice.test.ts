import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { themes } from '../../src/view/theme.ts';
import { colourBlindPair, standardPair, type ThemePair } from '../../src/view/theme-built-in.ts';
import { chooseTheme } from '../../src/view/theme-choice.ts';
import { contrast, nearestXterm, parseColour, type Rgb, styleOf } from '../../src/view/theme-colour.ts';
import { readTheme } from '../../src/view/theme-file.ts';
import { colourRoles, type Palette } from '../../src/view/theme-palette.ts';

const pairs: readonly (readonly [string, ThemePair])[] = [
  ['the standard themes', standardPair],
  ['the colour-blind pair', colourBlindPair],
];

/** The colours of the texts of a palette; frames are no text. */
function textsOf({ colours, authors }: Palette): readonly (readonly [string, Rgb])[] {
  const named = Object.entries(colours).filter(([role]) => role !== 'border');
  const all = [...named, ...authors.map((author, index) => [`author ${index}`, author] as const)];
  return all.flatMap(([role, { ink }]) => (typeof ink === 'object' && ink !== null ? [[role, ink] as const] : []));
}

describe.each(pairs)('%s', (_, pair) => {
  test.each([
    ['dark', [0, 0, 0]],
    ['dark', [30, 30, 30]],
    ['light', [255, 255, 255]],
    ['light', [253, 246, 227]],
  ] as const)('the %s half can be read on %j', (half, background) => {
    const low = textsOf(pair[half]).filter(([, ink]) => contrast(ink, background) < 4.5);
    expect(low).toEqual([]);
  });
});

/** What somebody without red or without green cones sees (Viénot, Brettel and Mollon 1999, in linear RGB). */
const sightOf = {
  protanopia: [0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1],
  deuteranopia: [0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1],
} as const;

function seen(ink: Rgb, sight: keyof typeof sightOf): Rgb {
  const linear = ink.map((level) => (level / 255) ** 2.2);
  const m = sightOf[sight];
  return [0, 3, 6].map((row) => {
    const level = m[row]! * linear[0]! + m[row + 1]! * linear[1]! + m[row + 2]! * linear[2]!;
    return 255 * Math.max(0, level) ** (1 / 2.2);
  }) as unknown as Rgb;
}

/** CIE 1976 L*a*b* under D65, in which the distance of two colours says how well they can be told apart. */
function labOf(ink: Rgb): Rgb {
  const [r, g, b] = ink.map((level) => (level / 255) ** 2.2) as unknown as Rgb;
  const root = (part: number): number => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116);
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const usual = (ink: Rgb): Rgb => ink;
const blind = (sight: keyof typeof sightOf) => (ink: Rgb) => seen(ink, sight);

test.each([
  ['the dark theme', standardPair.dark, 24, [usual]],
  ['the light theme', standardPair.light, 24, [usual]],
  ['the dark colour-blind theme', colourBlindPair.dark, 12, [usual, blind('protanopia'), blind('deuteranopia')]],
  ['the light colour-blind theme', colourBlindPair.light, 10, [usual, blind('protanopia'), blind('deuteranopia')]],
] as const)('the authors of %s have colours that can be told apart', (_, { authors }, count, sights) => {
  expect(authors).toHaveLength(count);
  for (const sight of sights) {
    const labs = authors.map(({ ink }) => labOf(sight(ink as Rgb)));
    const near = labs.flatMap((lab, i) => labs.slice(0, i).filter((other) => distance(lab, other) < 12));
    expect(near).toEqual([]);
  }
});

const inkOf = ({ colours }: Palette, role: keyof Palette['colours']): Rgb => colours[role].ink as Rgb;
const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each(['protanopia', 'deuteranopia'] as const)('the colour-blind pair with %s', (sight) => {
  test.each([
    ['addition', 'deletion'],
    ['own', 'error'],
    ['info', 'warning'],
    ['link', 'error'],
  ] as const)('shows %s and %s in different colours', (one, other) => {
    for (const palette of [colourBlindPair.dark, colourBlindPair.light])
      expect(distance(seen(inkOf(palette, one), sight), seen(inkOf(palette, other), sight))).toBeGreaterThan(90);
  });
});

describe('the theme', () => {
  test('has the half for the background of the terminal', () => {
    const ofLight = chooseTheme(null, null, { depth: '256', background: 'light' });
    const ofDark = chooseTheme(null, null, { depth: '256', background: 'dark' });
    expect([ofLight.name, ofDark.name]).toEqual(['light', 'dark']);
    expect(chooseTheme('light', null, { depth: '256', background: 'dark' })).toEqual(ofLight);
    expect(chooseTheme('colour-blind', null, { depth: '256', background: 'light' })).not.toEqual(
      chooseTheme('colour-blind', null, { depth: '256', background: 'dark' }),
    );
  });

  test('has the 16 colours of the terminal if it has no more, or if they are chosen', () => {
    expect(chooseTheme(null, null, { depth: '16', background: 'dark' })).toBe(themes.dark);
    expect(chooseTheme('ansi', null, { depth: 'truecolor', background: 'light' })).toBe(themes.light);
    expect(chooseTheme('colour-blind', null, { depth: '16', background: 'dark' })).toBe(themes.dark);
  });

  test('of 16 colours can be read on white, also where bold text gets the bright colour, as in xterm', () => {
    const byNumber = [
      ...['000000', 'cd0000', '00cd00', 'cdcd00', '0000ee', 'cd00cd', '00cdcd', 'e5e5e5'],
      ...['7f7f7f', 'ff0000', '00ff00', 'ffff00', '5c5cff', 'ff00ff', '00ffff', 'ffffff'],
    ].map((hex) => parseColour(`#${hex}`)?.ink as Rgb);
    const pale = [...JSON.stringify(themes.light).matchAll(/"([\d;]+)"/g)].map(([, style = '']) => {
      const codes = style.split(';').map(Number);
      const code = codes.find((one) => one >= 30) ?? 30;
      const number = code >= 90 ? code - 82 : code - 30 + (codes.includes(1) && code > 30 ? 8 : 0);
      return contrast(byNumber[number] ?? [255, 255, 255], [255, 255, 255]) < 3 ? style : null;
    });
    expect(pale.filter((style) => style !== null)).toEqual([]);
  });

  test('has no colours if the terminal has none, or if none are chosen', () => {
    expect(chooseTheme(null, null, { depth: 'none', background: 'dark' })).toBe(themes.none);
    expect(chooseTheme('none', null, { depth: '256', background: 'dark' })).toBe(themes.none);
    expect(chooseTheme('high-contrast', null, { depth: '256', background: 'dark' })).toBe(themes['high-contrast']);
  });
});

describe('a colour', () => {
  test.each([
    ['#5fd7ff', 'truecolor', '38;5;81'],
    ['#123456', 'truecolor', '38;2;18;52;86'],
    ['#123456', '256', '38;5;23'],
    ['#ff0000', '16', '31'],
    ['#cc0000', '16', '31'],
    ['bright-cyan', '256', '96'],
    ['bold underline red', '16', '1;4;31'],
    ['bold', '256', '1'],
    ['default', '256', ''],
  ] as const)('%s with %s colours is %j', (text, depth, style) => {
    const colour = parseColour(text);
    expect(colour && styleOf(colour, depth)).toBe(style);
  });

  test('becomes the nearest of the colours 16 to 255', () => {
    const levels = [0, 95, 135, 175, 215, 255];
    const greys = Array.from({ length: 24 }, (_, i) => 8 + 10 * i);
    const all: readonly Rgb[] = [
      ...levels.flatMap((red) => levels.flatMap((green) => levels.map((blue): Rgb => [red, green, blue]))),
      ...greys.map((grey): Rgb => [grey, grey, grey]),
    ];
    const off = (a: Rgb, b: Rgb): number => a.reduce((sum, level, i) => sum + (level - (b[i] ?? 0)) ** 2, 0);
    for (let i = 0; i < 4_096; i++) {
      const colour: Rgb = [(i >> 8) * 17, ((i >> 4) & 15) * 17, (i & 15) * 17];
      const found = all[nearestXterm(colour) - 16] ?? [-1, -1, -1];
      expect(off(found, colour)).toBe(Math.min(...all.map((one) => off(one, colour))));
    }
  });

  test.each([
    '',
    'blu',
    '#12345',
    '#1234567',
    'red bold',
    '\x1b[31m',
    'rgb(1,2,3)',
    '1;31',
    'constructor red',
    'constructor',
    '__proto__ red',
  ])('%j is none', (text) => {
    expect(parseColour(text)).toBeNull();
  });
});

describe('a theme of the user', () => {
  test('has its own colours, and those of the built-in theme for the others', () => {
    const { pair, problems } = readTheme({ dark: { link: 'underline #00ff00', authors: ['#ffaf5f', 'cyan'] } });
    expect(problems).toEqual([]);
    expect(pair.dark.colours.link).toEqual({ attributes: ['4'], ink: [0, 255, 0] });
    expect(pair.dark.colours.error).toBe(standardPair.dark.colours.error);
    expect(pair.dark.authors).toHaveLength(2);
    expect(pair.light).toBe(standardPair.light);
    expect(chooseTheme('mine', pair, { depth: 'truecolor', background: 'dark' })).toMatchObject({ name: 'mine' });
  });

  test('names what cannot be read', () => {
    const { problems } = readTheme({
      dark: { muted: '#333333', border: '#222222' },
      light: { background: '#808080', link: '#ff8800', authors: ['#777777'] },
    });
    expect(problems).toEqual([
      '[dark] muted: the contrast with the background is 1.7 to 1; text needs 4.5 to 1',
      '[light] link: the contrast with the background is 1.7 to 1; text needs 4.5 to 1',
      '[light] authors[0]: the contrast with the background is 1.1 to 1; text needs 4.5 to 1',
    ]);
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ drak: {} }, /"drak"; use \[dark\] and \[light\]/],
    [{ dark: 1 }, /dark must be a table/],
    [{ dark: { mutted: '#fff' } }, /mutted: there is no colour of this name/],
    [{ dark: { muted: '#fff' } }, /muted: write a colour as/],
    [{ dark: { background: 'red' } }, /background: write it as/],
    [{ dark: { authors: [] } }, /authors: write a list/],
    [{ dark: { __proto__: null, constructor: 'red' } }, /constructor: there is no colour/],
  ])('with %j gets one line that says what is wrong, and is used without it', (table, problem) => {
    const { pair, problems } = readTheme(table);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(pair).toEqual(standardPair);
  });
});

test('the documentation has a row for each colour of a theme', () => {
  const page = readFileSync(new URL('../../docs/themes.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+)` \| (.*) \|$/gm)].map(([, name, about]) => [name, about]);
  expect(rows.filter(([name]) => name !== 'authors')).toEqual(expect.arrayContaining(Object.entries(colourRoles)));
});
