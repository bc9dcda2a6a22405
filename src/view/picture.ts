/**
 * Draws a picture of a message as rows: half blocks, with two pixels in each cell, the upper one as the colour of the
 * letter; or cells in whose place the terminal draws the picture. A picture that the terminal prints over its cells has
 * half blocks below it, for as long as it is covered, cut off at the edge of the pane, or moving.
 */
import type { Bitmap, Picture, TerminalPicture } from '../state/model/pictures.ts';
import { shrink } from '../state/pictures/shrink.ts';
import { type PrintedPicture, padRow, type Row, type Span, type Style, span } from '../text/layout/row.ts';
import { pictureCells } from '../text/picture-cells.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { nearestXterm } from './theme-colour.ts';

type HeldPicture = Extract<TerminalPicture, { readonly id: number }>;

/** How many colours a picture is drawn with. */
export type PictureColours = 'truecolor' | '256';

const upper = literal('▀');
const lower = literal('▄');
const empty = literal(' ');

/** The rows of the picture; none where it is not there. */
export function pictureRows(
  picture: Picture | undefined,
  columns: number,
  mostRows: number,
  colours: PictureColours,
): readonly Row[] {
  if (picture?.status !== 'shown') return [];
  const { inTerminal } = picture;
  if (inTerminal !== null && inTerminal.columns <= columns && inTerminal.rows <= mostRows)
    return 'id' in inTerminal ? heldCells(inTerminal) : printedCells(inTerminal, picture.bitmap, colours);
  return halfBlocks(shrink(picture.bitmap, { width: Math.max(1, columns), height: mostRows * 2 }), colours);
}

/** The terminal puts the picture that the colour names in the place of these cells. */
function heldCells({ id, columns, rows }: HeldPicture): readonly Row[] {
  const style = `38;2;${(id >> 16) & 255};${(id >> 8) & 255};${id & 255}`;
  return Array.from({ length: rows }, (_, row) => [span(pictureCells(row, columns), style)]);
}

/** Half blocks in exactly the cells of the picture, each span with its place in it. */
function printedCells(picture: PrintedPicture, bitmap: Bitmap, colours: PictureColours): readonly Row[] {
  const blocks = halfBlocks(shrink(bitmap, { width: picture.columns, height: picture.rows * 2 }), colours);
  return Array.from({ length: picture.rows }, (_, row) => {
    let column = 0;
    return padRow(blocks[row] ?? [], picture.columns).map((item) => {
      const part = { ...item, picture: { picture, row, column } };
      column += item.width;
      return part;
    });
  });
}

function halfBlocks(bitmap: Bitmap, colours: PictureColours): readonly Row[] {
  const rows: Row[] = [];
  for (let y = 0; y < bitmap.height; y += 2) {
    const row: Span[] = [];
    let run: { readonly sign: SafeText; readonly style: Style; text: SafeText } | null = null;
    for (let x = 0; x < bitmap.width; x++) {
      const { sign, style } = cellOf(colourAt(bitmap, x, y, colours), colourAt(bitmap, x, y + 1, colours));
      if (run !== null && run.sign === sign && run.style === style) {
        run.text = safe`${run.text}${sign}`;
        continue;
      }
      if (run !== null) row.push(span(run.text, run.style));
      run = { sign, style, text: sign };
    }
    if (run !== null) row.push(span(run.text, run.style));
    rows.push(row);
  }
  return rows;
}

/** A transparent pixel shows the background of the terminal. */
function cellOf(top: string | null, bottom: string | null): { readonly sign: SafeText; readonly style: Style } {
  if (top !== null) return { sign: upper, style: bottom === null ? `38;${top}` : `38;${top};48;${bottom}` };
  return bottom === null ? { sign: empty, style: '' } : { sign: lower, style: `38;${bottom}` };
}

/** The colour as SGR parameters after 38 or 48; null where the pixel is more transparent than not. */
function colourAt({ width, height, rgba }: Bitmap, x: number, y: number, colours: PictureColours): string | null {
  const at = (y * width + x) * 4;
  const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(at, at + 4);
  if (y >= height || alpha < 128) return null;
  return colours === 'truecolor' ? `2;${red};${green};${blue}` : `5;${nearestXterm([red, green, blue])}`;
}
