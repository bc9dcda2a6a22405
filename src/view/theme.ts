/** Has the SGR parameters for the parts of the screen. Colours only repeat what a sign or a word says. */
import type { Style } from '../text/layout/row.ts';
import type { MarkdownStyles } from '../text/markdown/style.ts';

export interface Theme {
  /** The name of the setting; `none` has no colours at all. */
  readonly name: string;
  readonly plain: Style;
  readonly muted: Style;
  readonly strong: Style;
  readonly border: Style;
  /** The border of the pane that has the keyboard. */
  readonly borderFocused: Style;
  readonly title: Style;
  /** The title of the pane that has the keyboard. */
  readonly titleFocused: Style;
  /** The colours of authors, of whom each gets one; see author-colour.ts. */
  readonly authors: readonly Style[];
  readonly own: Style;
  /** Added to the styles of the selected row in the pane that has the keyboard. */
  readonly selected: Style;
  readonly selectionMark: Style;
  readonly unread: Style;
  readonly newLine: Style;
  readonly info: Style;
  readonly warning: Style;
  readonly error: Style;
  readonly link: Style;
  readonly chip: Style;
  readonly chipMine: Style;
  readonly key: Style;
  readonly markdown: MarkdownStyles;
  /** The frames of dialogs. */
  readonly dialog: Readonly<Record<'plain' | 'danger', Style>>;
}

const markdownAttributes: MarkdownStyles = {
  plain: '',
  link: '4',
  bold: '1',
  italic: '3',
  strike: '9',
  code: '2',
  spoiler: '',
  note: '2',
  quote: '2',
  heading: '1;4',
  line: '2',
  marker: '',
  syntax: {
    keyword: '1',
    string: '',
    number: '',
    comment: '2',
    title: '',
    meta: '',
    addition: '',
    deletion: '',
  },
};

const attributes: Theme = {
  name: 'none',
  plain: '',
  muted: '2',
  strong: '1',
  border: '2',
  borderFocused: '1',
  title: '',
  titleFocused: '1;7',
  authors: ['1'],
  own: '1',
  selected: '7',
  selectionMark: '1',
  unread: '1',
  newLine: '1',
  info: '',
  warning: '1',
  error: '1',
  link: '4',
  chip: '',
  chipMine: '1',
  key: '1',
  markdown: markdownAttributes,
  dialog: { plain: '', danger: '' },
};

/**
 * The plain red of most palettes is too dark to be read on black, and the bright one too light on white. Many terminals
 * draw a bold colour as its bright one, so cyan, green and yellow are not used on white.
 */
const dark: Theme = {
  ...attributes,
  name: 'dark',
  borderFocused: '1;36',
  titleFocused: '1;7;36',
  authors: ['1;33', '1;35', '1;36', '1;93', '1;95', '1;96'],
  own: '1;32',
  selectionMark: '1;36',
  unread: '1;36',
  newLine: '91',
  info: '36',
  warning: '33',
  error: '1;91',
  link: '4;36',
  chipMine: '1;36',
  markdown: {
    ...markdownAttributes,
    link: '4;36',
    code: '33',
    spoiler: '95',
    heading: '1;36',
    marker: '36',
    syntax: {
      ...markdownAttributes.syntax,
      keyword: '95',
      string: '32',
      number: '33',
      title: '36',
      meta: '96',
      addition: '32',
      deletion: '91',
    },
  },
  dialog: { plain: '36', danger: '91' },
};

const light: Theme = {
  ...dark,
  name: 'light',
  borderFocused: '1;34',
  titleFocused: '1;7;34',
  authors: ['1;35', '1;31', '1'],
  own: '1;34',
  selectionMark: '1;34',
  unread: '1;34',
  newLine: '31',
  info: '34',
  warning: '35',
  error: '1;31',
  link: '4;34',
  chipMine: '1;34',
  markdown: {
    ...markdownAttributes,
    link: '4;34',
    code: '35',
    spoiler: '35',
    heading: '1;34',
    marker: '34',
    syntax: {
      ...markdownAttributes.syntax,
      keyword: '1;35',
      string: '34',
      number: '31',
      title: '1;34',
      meta: '35',
      addition: '34',
      deletion: '31',
    },
  },
  dialog: { plain: '34', danger: '31' },
};

/** The theme that dims nothing and has bold, full-strength colours. */
const highContrast: Theme = {
  ...attributes,
  name: 'high-contrast',
  muted: '',
  border: '',
  titleFocused: '1;7',
  authors: ['1;4'],
  own: '1;4',
  unread: '1;7',
  newLine: '1;7',
  error: '1;7',
  link: '1;4',
  chipMine: '1;7',
  markdown: {
    ...markdownAttributes,
    link: '1;4',
    code: '7',
    note: '',
    quote: '',
    line: '',
    syntax: { ...markdownAttributes.syntax, comment: '' },
  },
};

/** The themes of the terminal's 16 colours, and those without colours; theme-choice.ts knows all themes. */
export const themes = {
  dark,
  light,
  'high-contrast': highContrast,
  none: attributes,
} as const satisfies Readonly<Record<string, Theme>>;
