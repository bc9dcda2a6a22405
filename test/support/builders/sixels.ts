/** Reads a sixel sequence back into pixels, as chapter 14 of the VT330/VT340 Programmer Reference Manual describes it. */

export interface SixelPicture {
  readonly width: number;
  readonly height: number;
  /** The colours in percent that were defined. */
  readonly palette: ReadonlyMap<number, readonly number[]>;
  /** Red, green and blue in percent; null where no sixel set the pixel. */
  readonly pixels: readonly (readonly number[] | null)[];
}

export function readSixels(sequence: string): SixelPicture {
  const match = /^\x1bP7;1;0q"1;1;(\d+);(\d+)([^\x1b]*)\x1b\\$/.exec(sequence);
  if (match === null) throw new Error('no sixel sequence');
  const width = Number(match[1]);
  const height = Number(match[2]);
  const palette = new Map<number, readonly number[]>();
  const pixels: (readonly number[] | null)[] = new Array(width * height).fill(null);
  let [x, top, colour] = [0, 0, -1];
  const draw = (sixel: number, count: number): void => {
    for (let i = 0; i < count; i++, x++)
      for (let bit = 0; bit < 6; bit++) {
        if ((sixel & (1 << bit)) === 0) continue;
        const defined = palette.get(colour);
        if (x >= width || top + bit >= height || defined === undefined)
          throw new Error('a pixel outside, or undefined');
        pixels[(top + bit) * width + x] = defined;
      }
  };
  let rest = match[3] ?? '';
  while (rest !== '') {
    const part = /^(?:#(\d+);2;(\d+);(\d+);(\d+)|#(\d+)|!(\d+)([?-~])|([?-~])|\$|-)/.exec(rest);
    if (part === null) throw new Error(`no sixel data: ${rest.slice(0, 20)}`);
    const [whole, defined, red, green, blue, chosen, count, repeated, single] = part;
    if (defined !== undefined) palette.set(Number(defined), [Number(red), Number(green), Number(blue)]);
    else if (chosen !== undefined) colour = Number(chosen);
    else if (repeated !== undefined) draw(repeated.charCodeAt(0) - 63, Number(count));
    else if (single !== undefined) draw(single.charCodeAt(0) - 63, 1);
    else {
      x = 0;
      if (whole === '-') top += 6;
    }
    rest = rest.slice(whole.length);
  }
  return { width, height, palette, pixels };
}
