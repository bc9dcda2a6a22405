/** A screen row as styled spans: what the view makes, what `Screen` compares and writes. */
import type { SafeText } from './safe-text.ts';

/** The parameters of one SGR sequence (`'1;38;5;12'`), `''` for the terminal's default; ECMA-48 §8.3.117. */
export type Style = string;

export interface Span {
  readonly text: SafeText;
  readonly style: Style;
  /** Columns that `text` takes. */
  readonly width: number;
}

/** Spans from left to right; the columns after the last one are blank in the default style. */
export type Row = readonly Span[];

export const emptyRow: Row = [];
