/** Computes the contrast of two colours as WCAG 2.2 defines it; text needs 4.5 to 1 (success criterion 1.4.3). */

/** Red, green and blue, each 0 to 255. */
export type Rgb = readonly [number, number, number];

export const textContrast = 4.5;

/** Returns the ratio, from 1 for the same colour to 21 for black and white. */
export function contrast(a: Rgb, b: Rgb): number {
  const first = luminance(a) + 0.05;
  const second = luminance(b) + 0.05;
  return first > second ? first / second : second / first;
}

/** Relative luminance, from 0 for black to 1 for white. */
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(level: number): number {
  const part = level / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
}
