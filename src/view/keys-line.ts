/** Draws the last row of a dialog: the keys that answer it, from the command table. A click on one runs its command. */
import { type Row, span, type Target } from '../text/layout/row.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, safe } from '../text/safe-text.ts';
import { truncate, width as widthOf } from '../text/unicode/width.ts';
import type { Look } from './frame.ts';
import { ownTextIn } from './glyph-set.ts';
import { fittingHints, type Hint } from './hint-row.ts';
import type { Rect } from './layout.ts';

/** A part of a dialog that acts when it is clicked. */
export interface ClickArea {
  readonly rect: Rect;
  readonly target: Target;
}

const gap = literal(' · ');

/** @param room the cells within the frame of the dialog; the line is their last row */
export function drawKeysLine(
  hints: readonly Hint[],
  room: Rect,
  { signs }: Pick<Look, 'signs'>,
): { readonly row: Row; readonly areas: readonly ClickArea[] } {
  const drawn = hints.map((hint) => ({
    id: hint.id,
    text: ownTextIn(safe`${sanitizeLine(hint.label)} ${sanitizeLine(hint.title)}`, signs),
    isKept: hint.isKept === true,
  }));
  const fitting = fittingHints(drawn, ({ text }) => widthOf(text) + widthOf(gap), room.width + widthOf(gap));
  const y = room.y + room.height - 1;
  let x = room.x;
  const areas = fitting.flatMap(({ id, text }): readonly ClickArea[] => {
    const rect = { x, y, width: widthOf(text), height: 1 };
    x += rect.width + widthOf(gap);
    return id === undefined ? [] : [{ rect, target: { kind: 'command', id } }];
  });
  const line = fitting.reduce((all, { text }) => (all === '' ? text : safe`${all}${gap}${text}`), literal(''));
  return { row: [span(truncate(ownTextIn(line, signs), room.width, signs.ellipsis))], areas };
}
