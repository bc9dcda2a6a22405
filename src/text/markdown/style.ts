/** The types of the styles and signs that blocks are drawn with. */
import type { Style } from '../layout/row.ts';
import type { SafeText } from '../safe-text.ts';
import type { CodeKind, Highlight } from './blocks.ts';

export interface MarkdownStyles {
  readonly plain: Style;
  readonly link: Style;
  readonly bold: Style;
  readonly italic: Style;
  readonly strike: Style;
  readonly code: Style;
  /** A spoiler, covered or shown. */
  readonly spoiler: Style;
  /** What the program adds: the host of a link, the language of code. */
  readonly note: Style;
  readonly quote: Style;
  /** Headings of the first two levels; deeper ones are bold. */
  readonly heading: Style;
  /** Bars, rules and the lines of tables. */
  readonly line: Style;
  readonly marker: Style;
  readonly syntax: Readonly<Record<CodeKind, Style>>;
}

export interface MarkdownSigns {
  readonly bullet: SafeText;
  readonly taskOpen: SafeText;
  readonly taskDone: SafeText;
  /** At the left of quotes. */
  readonly bar: SafeText;
  readonly horizontal: SafeText;
  /** At the left of code, and between the cells of a table. */
  readonly vertical: SafeText;
  readonly cross: SafeText;
  /** One column, in the place of each column of a covered spoiler. */
  readonly cover: SafeText;
}

/** Everything that decides the rows of a block besides the block. */
export interface Drawing {
  readonly columns: number;
  readonly styles: MarkdownStyles;
  readonly signs: MarkdownSigns;
  readonly messageId: string;
  readonly showsSpoilers: boolean;
  readonly highlight: Highlight;
}
