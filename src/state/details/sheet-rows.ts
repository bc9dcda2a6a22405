/**
 * Rows of the pages about a message, about a person and of the notices, wrapped to the width of the screen; the view
 * gives them colours.
 */
import type { Millis } from '../../protocol/types.ts';
import { type Row, span } from '../../text/layout/row.ts';
import { type StyledRange, wrapStyled } from '../../text/layout/wrap.ts';
import { literal, type SafeText } from '../../text/safe-text.ts';
import { fullTime } from '../../text/time.ts';
import { padEnd, truncate } from '../../text/unicode/width.ts';
import type { Size } from '../model/app-state.ts';

/** Stands in `Span.style` of these rows: the state knows no colours. */
export type Tone = 'plain' | 'muted' | 'heading' | 'added' | 'removed';

/** The columns and rows of a page with its frame, and those for its text. */
export const sheetSize = ({ columns, rows }: Size) => {
  const outer = Math.min(88, columns - 2);
  return { width: outer, height: rows - 1, columns: Math.max(10, outer - 4), rows: Math.max(1, rows - 5) };
};

const labelColumns = 14;

export class SheetRows {
  readonly rows: Row[] = [];
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  heading(text: SafeText): void {
    if (this.rows.length > 0) this.rows.push([]);
    this.rows.push(...wrapStyled(text, this.#columns, 'heading' satisfies Tone));
  }

  /** @param ranges with a `Tone` as their style */
  text(text: SafeText, tone: Tone = 'plain', ranges: readonly StyledRange[] = []): void {
    for (const row of wrapStyled(text, Math.max(1, this.#columns - 2), tone, ranges)) this.rows.push([indent, ...row]);
  }

  /** `Label:        value`; what does not fit goes on below the value. */
  fact(label: SafeText, value: SafeText, tone: Tone = 'plain'): void {
    const lines = wrapStyled(value, Math.max(1, this.#columns - 2 - labelColumns), tone);
    const shown = truncate(label, labelColumns - 1);
    for (const [i, row] of lines.entries()) {
      const before = padEnd(i === 0 ? shown : literal(''), labelColumns);
      this.rows.push([indent, span(before, 'muted' satisfies Tone), ...row]);
    }
  }

  /** @param otherwise what is said where there is no time */
  time(label: SafeText, at: Millis | null, otherwise: SafeText): void {
    if (at === null) this.fact(label, otherwise, 'muted');
    else this.fact(label, fullTime(at));
  }
}

const indent = span(literal('  '));
