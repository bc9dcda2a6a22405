/** Vim's text objects: the word, the paragraph, or the text in the quotes or brackets around the cursor. */
import type { Range } from '../draft.ts';
import { isBlankAt, lineEnd, lineStart } from './lines.ts';
import { classAt, runEnd, runStart, type WordKind } from './words.ts';

export interface TextObject extends Range {
  readonly isLinewise?: true;
}

const brackets: Readonly<Record<string, string>> = {
  '(': '()',
  ')': '()',
  b: '()',
  '[': '[]',
  ']': '[]',
  '{': '{}',
  '}': '{}',
  B: '{}',
  '<': '<>',
  '>': '<>',
};

/**
 * @param scope `i` for the inside alone, `a` to include what surrounds it
 * @returns null where there is no such object here
 */
export function textObject(text: string, cursor: number, scope: string, name: string, count = 1): TextObject | null {
  const isAround = scope === 'a';
  if (name === 'w' || name === 'W') return wordObject(text, cursor, isAround, name === 'w' ? 'word' : 'WORD', count);
  if (name === 'p') return paragraph(text, cursor, isAround, count);
  const pair = brackets[name];
  return pair === undefined ? quoted(text, cursor, isAround, name) : bracketed(text, cursor, isAround, pair, count);
}

function wordObject(text: string, cursor: number, isAround: boolean, kind: WordKind, count: number): TextObject | null {
  const last = lineEnd(text, cursor);
  if (isAround && count === 1 && text.slice(cursor, last).trim() === '') return wordBelow(text, cursor, kind);
  if (cursor >= last) return null;
  const start = runStart(text, cursor, kind);
  const isBlank = classAt(text, cursor, kind) === 'blank';
  // The blanks after a word belong to it, or the word after the blanks.
  let end = start;
  for (let left = count; left > 0; left--) {
    const hasBlanksFirst = isAround && isBlank && isBlankAt(text, end);
    if (hasBlanksFirst) end = runEnd(text, end, kind);
    if (end === text.length) return null;
    if (end === last) break;
    end = runEnd(text, end, kind);
    if (isAround && !isBlank && isBlankAt(text, end)) end = runEnd(text, end, kind);
  }
  const hasBlanks = isBlankAt(text, end - 1) || isBlank;
  if (!isAround || hasBlanks || start === lineStart(text, start)) return { start, end };
  // There are no blanks after the word, so those before it belong to it, unless they indent the line.
  const before = isBlankAt(text, start - 1) ? runStart(text, start - 1, kind) : start;
  return { start: before === lineStart(text, start) ? start : before, end };
}

/** Where only blanks are left in the line: they, the line break, and the next word, or all up to the next empty line. */
function wordBelow(text: string, cursor: number, kind: WordKind): TextObject | null {
  let at = lineEnd(text, cursor) + 1;
  while (isBlankAt(text, at) || (text.charAt(at) === '\n' && lineStart(text, at) < at)) at++;
  const isAtEnd = at > text.length || (at === text.length && lineStart(text, at) < at);
  return isAtEnd ? null : { start: runStart(text, cursor, kind), end: runEnd(text, at, kind) };
}

/** Finds a quoted text in the line of the cursor; where the cursor is before one, the next one. */
function quoted(text: string, cursor: number, isAround: boolean, quote: string): TextObject | null {
  const first = lineStart(text, cursor);
  const last = lineEnd(text, cursor);
  const marks: number[] = [];
  for (let at = text.indexOf(quote, first); at >= 0 && at < last; at = text.indexOf(quote, at + 1)) {
    if (text.charAt(at - 1) !== '\\') marks.push(at);
  }
  for (let i = 0; i + 1 < marks.length; i += 2) {
    const open = marks[i] ?? 0;
    const close = marks[i + 1] ?? 0;
    if (close < cursor) continue;
    if (!isAround) return { start: open + 1, end: close };
    let end = close + 1;
    while (end < last && isBlankAt(text, end)) end++;
    let start = open;
    if (end === close + 1) while (start > first && isBlankAt(text, start - 1)) start--;
    return { start, end };
  }
  return null;
}

function bracketed(text: string, cursor: number, isAround: boolean, pair: string, count: number): TextObject | null {
  const open = pair.charAt(0);
  const close = pair.charAt(1);
  let start = text.charAt(cursor) === open ? cursor : openBefore(text, cursor, open, close);
  if (start < 0) start = openAfter(text, cursor, open, close);
  for (let left = count - 1; left > 0 && start >= 0; left--) start = openBefore(text, start, open, close);
  const end = start < 0 ? -1 : closeAfter(text, start, open, close);
  if (end < 0) return null;
  return isAround ? { start, end: end + 1 } : inside(text, start + 1, end);
}

/** What is between brackets. Those that are alone in their lines, such as `{` and `}` around a block, stay in them. */
function inside(text: string, after: number, end: number): TextObject {
  const start = text.charAt(after) === '\n' ? after + 1 : after;
  const line = lineStart(text, end);
  if (line <= start || text.slice(line, end).trim() !== '') return { start, end };
  const lines = { start, end: line - 1 };
  return start > after ? { ...lines, isLinewise: true } : lines;
}

/** The bracket that closes the one at an offset; -1 for none. */
function closeAfter(text: string, offset: number, open: string, close: string): number {
  let depth = 1;
  for (let at = offset + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === open) depth++;
    if (character === close) depth--;
    if (depth === 0) return at;
  }
  return -1;
}

/** The next opening bracket after an offset that is in none; -1 for none. */
function openAfter(text: string, offset: number, open: string, close: string): number {
  let depth = 0;
  for (let at = offset + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === close) depth++;
    if (character === open && depth-- === 0) return at;
  }
  return -1;
}

/** The bracket that is open at an offset; -1 for none. */
function openBefore(text: string, offset: number, open: string, close: string): number {
  let depth = 1;
  for (let at = offset - 1; at >= 0; at--) {
    const character = text.charAt(at);
    if (character === close) depth++;
    if (character === open) depth--;
    if (depth === 0) return at;
  }
  return -1;
}

/**
 * The lines between blank ones, or the blank lines. `a` takes those of the other kind after them too; where no blank lines
 * are after a paragraph, those before it.
 */
function paragraph(text: string, cursor: number, isAround: boolean, count: number): TextObject | null {
  const isBlankLine = (at: number): boolean => text.slice(lineStart(text, at), lineEnd(text, at)).trim() === '';
  const kind = isBlankLine(cursor);
  const startOf = (from: number, wanted: boolean): number => {
    let start = from;
    while (start > 0 && isBlankLine(start - 1) === wanted) start = lineStart(text, start - 1);
    return start;
  };
  const endOf = (from: number, wanted: boolean): number => {
    let end = from;
    while (end < text.length && isBlankLine(end + 1) === wanted) end = lineEnd(text, end + 1);
    return end;
  };
  const start = startOf(lineStart(text, cursor), kind);
  let end = endOf(lineEnd(text, cursor), kind);
  const runs = isAround ? count * 2 : count;
  for (let run = 1; run < runs; run++) {
    const next = endOf(end, run % 2 === 0 ? kind : !kind);
    const lacksBlanks = next === end && isAround && !kind && run === runs - 1;
    if (lacksBlanks) return { start: startOf(start, true), end, isLinewise: true };
    if (next === end) return null;
    end = next;
  }
  return { start, end, isLinewise: true };
}
