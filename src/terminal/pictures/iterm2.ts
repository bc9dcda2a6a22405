/** Prints a picture by the protocol of iTerm2 for inline images (OSC 1337, `File=`), which WezTerm and mintty know too. */
import type { PrintedPicture } from '../../text/layout/row.ts';

/** @param png a whole PNG file; the terminal scales it into the cells and keeps its shape */
export function iterm2Sequence(png: Uint8Array, { columns, rows }: Pick<PrintedPicture, 'columns' | 'rows'>): string {
  const size = `size=${png.byteLength};width=${columns};height=${rows}`;
  return `\x1b]1337;File=inline=1;${size};preserveAspectRatio=1;doNotMoveCursor=1:${Buffer.from(png).toString('base64')}\x07`;
}
