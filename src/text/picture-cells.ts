/**
 * Makes the placeholder characters of a picture that the terminal itself draws (kitty, graphics protocol, "Unicode
 * placeholders"): one in each cell, with marks that name the row and the column. The colour of the text names the picture.
 */
import type { SafeText } from './safe-text.ts';

const placeholder = '\u{10eeee}';

/** The marks for 0, 1, 2 …: the first 60 of kitty's table rowcolumn-diacritics. */
const marks = [
  '\u0305\u030d\u030e\u0310\u0312\u033d\u033e\u033f\u0346\u034a\u034b\u034c\u0350\u0351\u0352\u0357\u035b\u0363\u0364\u0365',
  '\u0366\u0367\u0368\u0369\u036a\u036b\u036c\u036d\u036e\u036f\u0483\u0484\u0485\u0486\u0487\u0592\u0593\u0594\u0595\u0597',
  '\u0598\u0599\u059c\u059d\u059e\u059f\u05a0\u05a1\u05a8\u05a9\u05ab\u05ac\u05af\u05c4\u0610\u0611\u0612\u0613\u0614\u0615',
].join('');

/** Whether the text is half blocks or placeholder characters of a picture, which other colours would destroy. */
export const isPictureText = (text: string): boolean => {
  const first = text.codePointAt(0);
  return first === 0x10_eeee || first === 0x25_80 || first === 0x25_84;
};

/** One row of the picture, as wide as it has columns. */
export const pictureCells = (row: number, columns: number): SafeText =>
  Array.from({ length: columns }, (_, column) => placeholder + marks.charAt(row) + marks.charAt(column)).join(
    '',
  ) as SafeText;
