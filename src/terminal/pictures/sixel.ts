/** Prints a picture as sixels (VT330/VT340 Programmer Reference Manual, chapter 14). */

/** Matches sixel data: parameters, controls and sixels, none of which can end the sequence. */
const sixelData = /^[0-9;!"#$\-?-~]*$/;

/**
 * The pixels have the shape of squares (7), and those that are not set keep what is behind them (1).
 * @returns null where the data holds anything but sixels, which no picture of our decoder does
 */
export const sixelSequence = (data: string): string | null =>
  sixelData.test(data) ? `\x1bP7;1;0q${data}\x1b\\` : null;
