/** Lines of a text as vim counts them: from one line break to the next, however many rows they take on the screen. */
import { nextBoundary, previousBoundary } from '../../../text/unicode/graphemes.ts';
import { type Range, snap } from '../draft.ts';

export const lineStart = (text: string, offset: number): number =>
  offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;

/** The offset of the line break, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

/** The last cluster of the line, where the cursor of normal mode stops; the start of an empty line. */
export const lastInLine = (text: string, offset: number): number => {
  const end = lineEnd(text, offset);
  return Math.max(lineStart(text, offset), previousBoundary(text, end));
};

export function firstNonBlank(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  let at = lineStart(text, offset);
  while (at < end && isBlankAt(text, at)) at++;
  return Math.min(at, lastInLine(text, offset));
}

export const isBlankAt = (text: string, offset: number): boolean => /[^\S\n]/.test(text.charAt(offset));

/** Moves a cursor that is after the last cluster of its line onto that cluster. */
export function onCluster(text: string, offset: number): number {
  const at = snap(text, offset);
  return Math.min(at, lastInLine(text, at));
}

/** The start of the line that is so many lines below, or above; as far as there are lines. */
export function lineAt(text: string, offset: number, by: number): number {
  let at = lineStart(text, offset);
  for (let left = by; left > 0; left--) {
    const end = lineEnd(text, at);
    if (end === text.length) break;
    at = end + 1;
  }
  for (let left = by; left < 0 && at > 0; left++) at = lineStart(text, at - 1);
  return at;
}

/** The start of the line that is so many lines below, or of the last one; null where the last one has none below it. */
export function lineBelow(text: string, offset: number, by: number): number | null {
  const at = lineAt(text, offset, by);
  return by > 0 && at === lineStart(text, offset) ? null : at;
}

/** The whole lines that a range touches, without the last line break. */
export const wholeLines = (text: string, { start, end }: Range): Range => ({
  start: lineStart(text, start),
  end: lineEnd(text, end),
});

/** The place after so many clusters, at most at `limit`. */
export function clustersOn(text: string, offset: number, count: number, limit: number): number {
  let at = offset;
  for (let left = count; left > 0 && at < limit; left--) at = nextBoundary(text, at);
  return Math.min(at, limit);
}
