/**
 * Encodes a picture as sixel data: bands of six rows, in each band one line for every colour that it has, with runs of equal
 * sixels written once. The colours are a fixed cube of 6 × 6 × 6, between which ordered dithering makes steps.
 */
import type { Bitmap } from '../../state/model/pictures.ts';

/** A picture is printed again after each scroll, so that one that would take more is drawn with characters. */
const mostCharacters = 400_000;
const steps = 6;
const colours = steps ** 3;
/** An index that no colour of the palette has: the pixel shows the background. */
const transparent = 255;
const opaqueFrom = 128;

/** Bayer's matrix of 4 × 4. */
const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** @returns null where the data would be longer than the limit also without dithering, which makes runs longer */
export function encodeSixel(bitmap: Bitmap, limit = mostCharacters): string | null {
  return encode(bitmap, quantise(bitmap, true), limit) ?? encode(bitmap, quantise(bitmap, false), limit);
}

/** The index of a colour of the cube for each pixel. */
function quantise({ width, rgba }: Bitmap, isDithered: boolean): Uint8Array {
  const indices = new Uint8Array(rgba.length / 4).fill(transparent);
  for (let i = 0; i < indices.length; i++) {
    if ((rgba[i * 4 + 3] ?? 0) < opaqueFrom) continue;
    const place = (Math.floor(i / width) % 4) * 4 + ((i % width) % 4);
    const threshold = isDithered ? ((bayer[place] ?? 0) + 0.5) / bayer.length : 0.5;
    let index = 0;
    for (let channel = 0; channel < 3; channel++)
      index = index * steps + Math.floor(((rgba[i * 4 + channel] ?? 0) * (steps - 1)) / 255 + threshold);
    indices[i] = index;
  }
  return indices;
}

function encode({ width, height }: Bitmap, indices: Uint8Array, limit: number): string | null {
  let out = `"1;1;${width};${height}${palette(indices)}`;
  const band = new Uint8Array(colours * width);
  for (let top = 0; top < height; top += 6) {
    const used = fillBand(band, indices.subarray(top * width, (top + 6) * width), width);
    const lines = used.map((colour) => `#${colour}${runs(band.subarray(colour * width, (colour + 1) * width))}`);
    out += `${top === 0 ? '' : '-'}${lines.join('$')}`;
    if (out.length > limit) return null;
  }
  return out;
}

/** Defines the colours that the picture has, in percent of red, green and blue. */
function palette(indices: Uint8Array): string {
  const used = [...new Set(indices)].filter((index) => index !== transparent).sort((a, b) => a - b);
  const percent = (step: number): number => (step % steps) * 20;
  return used
    .map((i) => `#${i};2;${percent(Math.floor(i / (steps * steps)))};${percent(Math.floor(i / steps))};${percent(i)}`)
    .join('');
}

/** Sets in `band` the six bits of each column for each colour. @returns the colours of the band */
function fillBand(band: Uint8Array, indices: Uint8Array, width: number): readonly number[] {
  band.fill(0);
  const used = new Set<number>();
  for (let i = 0; i < indices.length; i++) {
    const colour = indices[i] ?? transparent;
    if (colour === transparent) continue;
    used.add(colour);
    const at = colour * width + (i % width);
    band[at] = (band[at] ?? 0) | (1 << Math.floor(i / width));
  }
  return [...used];
}

/** The sixels of a line; nothing is written after its last pixel. */
function runs(sixels: Uint8Array): string {
  let end = sixels.length;
  while (end > 0 && sixels[end - 1] === 0) end--;
  let out = '';
  for (let from = 0; from < end; ) {
    let to = from + 1;
    while (to < end && sixels[to] === sixels[from]) to++;
    const sixel = String.fromCharCode(63 + (sixels[from] ?? 0));
    out += to - from > 3 ? `!${to - from}${sixel}` : sixel.repeat(to - from);
    from = to;
  }
  return out;
}
