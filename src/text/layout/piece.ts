/** Cuts the text of a span at columns and leaves every character whole. */
import type { SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { clusterWidth } from '../unicode/width.ts';
import type { Span } from './row.ts';

/** A piece of a span, in its own columns and in UTF-16 units. No character is cut. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: SafeText;
  readonly isFromStart: boolean;
}

/** The characters of a span that reach into the columns `from` to `to` (exclusive); null where none does. */
export function pieceOf({ text }: Span, from: number, to: number): Piece | null {
  let at = 0;
  let piece: { from: number; to: number; start: number; end: number } | null = null;
  eachCluster(text, 0, (start, end, codePoint) => {
    const next = at + clusterWidth(text, start, end, codePoint);
    if (at < to && next > from) piece = { from: piece?.from ?? at, to: next, start: piece?.start ?? start, end };
    at = next;
    return at < to;
  });
  const found = piece as { from: number; to: number; start: number; end: number } | null;
  if (found === null) return null;
  const { start, end } = found;
  return { from: found.from, to: found.to, text: text.slice(start, end) as SafeText, isFromStart: start === 0 };
}
