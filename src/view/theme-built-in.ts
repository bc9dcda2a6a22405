/**
 * The colours of the built-in themes. All are of the palette of 256 colours, which is the same in every terminal, and
 * have a contrast of at least 4.5 to 1 with black, or with white. Those of the colour-blind pair come from the palette
 * of Okabe and Ito (2008): blue against orange and yellow, never red against green. Those of authors are as many as can
 * be told apart: any two differ by 12 in CIELAB at least, in the colour-blind pair also for eyes without red or without
 * green cones.
 */
import { parseColour, type ThemeColour } from './theme-colour.ts';
import type { ColourRole, Palette } from './theme-palette.ts';

/** A theme for dark backgrounds and its counterpart for light ones. */
export interface ThemePair {
  readonly dark: Palette;
  readonly light: Palette;
}

type Half = Omit<Record<ColourRole, string>, 'text' | 'quote' | 'comment'> & { readonly authors: string };

const colourOf = (text: string): ThemeColour => parseColour(text) ?? { attributes: [], ink: null };

/** Quotes and comments have the colour of hints, and text that of the terminal. */
function palette({ authors, ...half }: Half): Palette {
  const texts: Record<ColourRole, string> = { ...half, text: 'default', quote: half.muted, comment: half.muted };
  return {
    colours: Object.fromEntries(
      Object.entries(texts).map(([role, text]) => [role, colourOf(text)]),
    ) as Palette['colours'],
    authors: authors.split(' ').map(colourOf),
  };
}

export const standardPair: ThemePair = {
  dark: palette({
    muted: '#a8a8a8',
    border: '#767676',
    focus: '#5fd7ff',
    own: '#87d787',
    unread: '#5fd7ff',
    new: '#ff8787',
    info: '#87d7d7',
    warning: '#ffd787',
    error: '#ff8787',
    link: '#5fafff',
    reaction: '#5fd7ff',
    key: 'default',
    code: '#d7af87',
    spoiler: '#d7afff',
    heading: '#5fd7ff',
    marker: '#5fd7ff',
    keyword: '#d7afff',
    string: '#afd787',
    number: '#ffd787',
    title: '#5fafff',
    meta: '#87d7d7',
    addition: '#87d787',
    deletion: '#ff8787',
    authors:
      '#ffaf5f #ffd787 #d787d7 #87d7ff #5fd7d7 #ff87af #af87ff #afafd7 #5fafff #d7d787 #ffafff #00af87 #87ff00 #ffd7d7 #af875f #ff5f00 #ff5f5f #00ffaf #00af00 #d7ffd7 #ff00af #ffff00 #af8787 #afaf00',
  }),
  light: palette({
    muted: '#585858',
    border: '#767676',
    focus: '#005faf',
    own: '#005f00',
    unread: '#005faf',
    new: '#af0000',
    info: '#005f5f',
    warning: '#875f00',
    error: '#af0000',
    link: '#005faf',
    reaction: '#005faf',
    key: 'default',
    code: '#875f00',
    spoiler: '#870087',
    heading: '#005faf',
    marker: '#005faf',
    keyword: '#870087',
    string: '#005f00',
    number: '#875f00',
    title: '#005faf',
    meta: '#005f5f',
    addition: '#005f00',
    deletion: '#af0000',
    authors:
      '#005faf #870087 #875f00 #005f5f #af005f #5f0000 #5f5f00 #5f5faf #00005f #af0087 #875f87 #870000 #af00d7 #005f00 #0000af #d70000 #875f5f #005fff #875faf #d7005f #d70087 #5f00ff #5f005f #5f5f87',
  }),
};

export const colourBlindPair: ThemePair = {
  dark: palette({
    muted: '#a8a8a8',
    border: '#767676',
    focus: '#5fafff',
    own: '#87d7ff',
    unread: '#ffd75f',
    new: '#ffaf00',
    info: '#87d7ff',
    warning: '#ffd75f',
    error: '#ffaf00',
    link: '#5fafff',
    reaction: '#ffd75f',
    key: 'default',
    code: '#ffd7af',
    spoiler: '#d7d7ff',
    heading: '#5fafff',
    marker: '#5fafff',
    keyword: '#5fafff',
    string: '#ffd75f',
    number: '#ffaf00',
    title: '#87d7ff',
    meta: '#d7d7ff',
    addition: '#5fafff',
    deletion: '#ffaf00',
    authors: '#ffd75f #af5fff #d7ffff #af8787 #af8700 #ffffd7 #00d7ff #d7af87 #8787af #d7afaf #d75f5f #d7af00',
  }),
  light: palette({
    muted: '#585858',
    border: '#767676',
    focus: '#005faf',
    own: '#00005f',
    unread: '#005faf',
    new: '#875f00',
    info: '#005faf',
    warning: '#875f00',
    error: '#875f00',
    link: '#005faf',
    reaction: '#875f00',
    key: 'default',
    code: '#5f5f00',
    spoiler: '#5f5faf',
    heading: '#005faf',
    marker: '#005faf',
    keyword: '#005faf',
    string: '#875f00',
    number: '#5f5f00',
    title: '#00005f',
    meta: '#5f5faf',
    addition: '#005faf',
    deletion: '#875f00',
    authors: '#005faf #875f00 #00005f #005f5f #5f0000 #af005f #0000af #005fff #875f87 #0000ff',
  }),
};
