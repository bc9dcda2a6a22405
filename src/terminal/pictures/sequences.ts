/** The sequences that hand a picture to a terminal: kitty's graphics protocol, iTerm2's inline images, and sixels. */
import type { PrintedPicture } from '../../text/layout/row.ts';

export interface KittyPicture {
  /** The id of the picture, of 24 bits, which is written as the colour of its cells. */
  readonly id: number;
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  /** The deflated pixels, of four bytes each. */
  readonly deflated: Uint8Array;
  readonly columns: number;
  readonly rows: number;
}

/** How many characters of base64 one sequence has, of at most 4,096: a letter that is typed waits for one of them at least. */
const mostInPart = 1_024;

/**
 * The sequences of kitty's graphics protocol that hand the picture over; its cells are drawn as text
 * (`text/picture-cells`). Text and others may be written between them, except those about a picture. The terminal is
 * asked not to answer.
 */
export function kittyTransmission({ id, width, height, deflated, columns, rows }: KittyPicture): readonly string[] {
  const data = Buffer.from(deflated).toString('base64');
  const parts = Array.from({ length: Math.max(1, Math.ceil(data.length / mostInPart)) }, (_, i) =>
    data.slice(i * mostInPart, (i + 1) * mostInPart),
  );
  const head = `a=T,U=1,q=2,f=32,o=z,s=${width},v=${height},i=${id},c=${columns},r=${rows},`;
  return parts.map((part, i) => `\x1b_G${i === 0 ? head : ''}m=${i === parts.length - 1 ? 0 : 1};${part}\x1b\\`);
}

/** Ends a transmission before its last part, so that the next picture is not taken for the rest of it, and removes it. */
export const kittyEnd = (id: number): string => `\x1b_Gm=0,q=2;\x1b\\${kittyRemoval(id)}`;

export const kittyRemoval = (id: number): string => `\x1b_Ga=d,d=I,q=2,i=${id}\x1b\\`;

/**
 * The sequence of iTerm2 for inline images (OSC 1337, `File=`), which WezTerm and mintty know too.
 * @param png a whole PNG file; the terminal scales it into the cells and keeps its shape
 */
export function iterm2Sequence(png: Uint8Array, { columns, rows }: Pick<PrintedPicture, 'columns' | 'rows'>): string {
  const size = `size=${png.byteLength};width=${columns};height=${rows}`;
  return `\x1b]1337;File=inline=1;${size};preserveAspectRatio=1;doNotMoveCursor=1:${Buffer.from(png).toString('base64')}\x07`;
}

/** Matches sixel data: parameters, controls and sixels, none of which can end the sequence. */
const sixelData = /^[0-9;!"#$\-?-~]*$/;

/**
 * The sequence that draws sixels (VT330/VT340 Programmer Reference Manual, chapter 14). The pixels have the shape of
 * squares (7), and those that are not set keep what is behind them (1).
 * @returns null where the data holds anything but sixels, which no picture of our decoder does
 */
export const sixelSequence = (data: string): string | null =>
  sixelData.test(data) ? `\x1bP7;1;0q${data}\x1b\\` : null;
