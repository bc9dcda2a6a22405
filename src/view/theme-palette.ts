/** Has the roles that a theme names a colour for, and makes the theme from those colours. */
import type { Style } from '../text/layout/row.ts';
import type { MarkdownStyles } from '../text/markdown/style.ts';
import { type Theme, themes } from './theme.ts';
import { type ColourDepth, styleOf, type ThemeColour } from './theme-colour.ts';

/** The names of the colours as theme files have them, with what each is for. */
export const colourRoles = {
  text: 'messages, names and titles',
  muted: 'times, hints, and what is disabled',
  border: 'the frames of the panes',
  focus: 'the frame and the title of the pane that has the keyboard',
  own: 'your own name',
  unread: 'unread counts',
  new: 'the line above new messages',
  info: 'notices',
  warning: 'warnings',
  error: 'errors',
  link: 'links',
  reaction: 'reactions of your own',
  key: 'keys in the footer and in menus',
  code: 'code in a line of text',
  spoiler: 'spoilers',
  heading: 'headings',
  marker: 'the signs of lists and tasks',
  quote: 'quotes',
  keyword: 'keywords of code',
  string: 'strings of code',
  number: 'numbers of code',
  comment: 'comments of code',
  title: 'names of functions and classes of code',
  meta: 'annotations of code',
  addition: 'added lines, also between versions of a message',
  deletion: 'deleted lines, also between versions of a message',
} as const;

export type ColourRole = keyof typeof colourRoles;

export interface Palette {
  readonly colours: Readonly<Record<ColourRole, ThemeColour>>;
  /** Each author gets one; never empty. */
  readonly authors: readonly ThemeColour[];
}

const add = (attribute: string, style: Style): Style => (style === '' ? attribute : `${attribute};${style}`);

export function themeFrom(name: string, { colours, authors }: Palette, depth: ColourDepth): Theme {
  const c = (role: ColourRole): Style => styleOf(colours[role], depth);
  /** Frames have the colour without its attributes. */
  const inkOf = ({ ink }: ThemeColour): Style => styleOf({ attributes: [], ink }, depth);
  return {
    ...themes.none,
    name,
    plain: c('text'),
    muted: c('muted'),
    strong: add('1', c('text')),
    border: c('border'),
    borderFocused: add('1', c('focus')),
    title: c('text'),
    titleFocused: add('1;7', c('focus')),
    authors: authors.map((author) => add('1', styleOf(author, depth))),
    own: add('1', c('own')),
    selectionMark: add('1', c('focus')),
    unread: add('1', c('unread')),
    newLine: c('new'),
    info: c('info'),
    warning: c('warning'),
    error: add('1', c('error')),
    link: add('4', c('link')),
    chip: c('text'),
    chipMine: add('1', c('reaction')),
    key: add('1', c('key')),
    markdown: markdownFrom(c),
    dialog: { plain: inkOf(colours.focus), danger: inkOf(colours.error) },
  };
}

function markdownFrom(c: (role: ColourRole) => Style): MarkdownStyles {
  return {
    ...themes.none.markdown,
    plain: c('text'),
    link: add('4', c('link')),
    code: c('code'),
    spoiler: c('spoiler'),
    note: c('muted'),
    quote: c('quote'),
    heading: add('1', c('heading')),
    line: c('border'),
    marker: c('marker'),
    syntax: {
      keyword: c('keyword'),
      string: c('string'),
      number: c('number'),
      comment: c('comment'),
      title: c('title'),
      meta: c('meta'),
      addition: c('addition'),
      deletion: c('deletion'),
    },
  };
}
