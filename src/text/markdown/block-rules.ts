/**
 * The rules for lines. They differ from CommonMark where chat does: a line that was typed ends its line, a quote ends
 * with its last `>`, and a line that only looks like a marker is text.
 */
import type { MarkdownIt, StateBlock as State } from 'markdown-it';

type Rule = (state: State, startLine: number, endLine: number, silent: boolean) => boolean;

/** Quotes and lists inside each other; deeper ones are text. */
const deepest = 16;
/** Cells of a table, so that it is drawn within a frame; those of its head too. A larger table is text. */
const mostTableCells = 500;

export function setBlockRules(md: MarkdownIt): void {
  const { ruler } = md.block;
  ruler.disable(['code', 'reference', 'html_block', 'lheading']);
  ruler.before('table', 'typed', typed);
  ruler.at('fence', fence, { alt: ['paragraph', 'blockquote', 'list'] });
  ruler.before('fence', 'quoteEnd', (state, _from, _to, silent) => silent && state.parentType === 'blockquote', {
    alt: ['blockquote'],
  });
  ruler.before('fence', 'itemEnd', (state, line, _to, silent) => silent && columnOf(state, line) < state.blkIndent, {
    alt: ['paragraph'],
  });
  ruler.at('paragraph', paragraph);
}

const columnOf = ({ sCount }: State, line: number): number => sCount[line] ?? 0;

const lineStart = ({ bMarks, tShift }: State, line: number): number => (bMarks[line] ?? 0) + (tShift[line] ?? 0);

const lineOf = (state: State, line: number): string => state.src.slice(lineStart(state, line), state.eMarks[line]);

/** Takes a line that looks like a marker and is none as a paragraph. */
const typed: Rule = (state, startLine, endLine, silent) => {
  if (silent) return false;
  const line = lineOf(state, startLine);
  const isText =
    state.level >= deepest ||
    /^(?:#{1,6}[ #]*|[-+*] *|\d{1,9}[.)] *)$/.test(line) ||
    (line.startsWith('>') && !isQuote(state, line, startLine, endLine)) ||
    (isRule(line) && !standsAlone(state, startLine)) ||
    (line.includes('|') && losesCells(state, startLine, endLine));
  return isText && paragraph(state, startLine, endLine, false);
};

/** Whether the line is a quote: `>_<` is an emoticon and is not. */
function isQuote(state: State, line: string, at: number, end: number): boolean {
  if (!/^>(?:[> ]|$)/.test(line)) return false;
  return /[^> ]/.test(line) || (at + 1 < end && lineOf(state, at + 1).startsWith('>'));
}

const isRule = (line: string): boolean => /^(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(line);

/** Whether a rule has an empty line above and below it: next to text it is a signature or an underline. */
function standsAlone(state: State, line: number): boolean {
  const isFirst = line === 0;
  const isLast = line + 1 >= state.lineMax;
  return !(isFirst && isLast) && (isFirst || state.isEmpty(line - 1)) && (isLast || state.isEmpty(line + 1));
}

/** Whether a table would lose cells: a row has more of them than the head, or the table is too large. */
function losesCells(state: State, startLine: number, endLine: number): boolean {
  if (startLine + 1 >= endLine || !/^[ |:-]*-[ |:-]*$/.test(lineOf(state, startLine + 1))) return false;
  const columns = cellsIn(lineOf(state, startLine));
  const mostLines = Math.floor(mostTableCells / columns);
  for (let line = startLine + 2; line < endLine && !state.isEmpty(line); line++)
    if (line - startLine > mostLines || cellsIn(lineOf(state, line)) > columns) return true;
  return columns > mostTableCells;
}

const cellsIn = (line: string): number =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;

/** Keeps the spaces at the beginning and the end, which CommonMark drops. */
function paragraph(state: State, startLine: number, endLine: number, _silent: boolean): boolean {
  const terminators = state.md.block.ruler.getRules('paragraph');
  const outer = state.parentType;
  state.parentType = 'paragraph';
  let line = startLine + 1;
  for (; line < endLine && !state.isEmpty(line); line++) {
    if (columnOf(state, line) - state.blkIndent > 3) continue;
    const at = line;
    if (terminators.some((rule) => rule(state, at, endLine, true))) break;
  }
  state.line = line;
  const open = state.push('paragraph_open', 'p', 1);
  open.map = [startLine, line];
  const inline = state.push('inline', '', 0);
  inline.content = state.getLines(startLine, line, state.blkIndent, false);
  inline.map = [startLine, line];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.parentType = outer;
  return true;
}

/** A block of code may have its closing fence at the end of its last line, as people write it. */
const fence: Rule = (state, startLine, endLine, silent) => {
  if (columnOf(state, startLine) - state.blkIndent >= 4) return false;
  const found = /^(`{3,}(?=[^`]*$)|~{3,})(.*)$/.exec(lineOf(state, startLine));
  if (found === null) return false;
  const [, marker = '', info = ''] = found;
  const { closing, isClosed } = fenceEnd(state, marker, startLine, endLine);
  if (marker.startsWith('~') ? !isClosed : closing <= startLine + 1 && !isClosed) return false;
  if (silent) return true;
  const token = state.push('fence', 'code', 0);
  token.info = info.trim();
  token.map = [startLine, isClosed ? closing + 1 : closing];
  token.content = fenced(state, startLine, closing, isClosed, marker);
  state.line = token.map[1];
  return true;
};

interface FenceEnd {
  /** The line with the closing fence, or the one after the code. */
  readonly closing: number;
  readonly isClosed: boolean;
}

function fenceEnd(state: State, marker: string, startLine: number, endLine: number): FenceEnd {
  let line = startLine + 1;
  for (; line < endLine; line++) {
    if (!state.isEmpty(line) && columnOf(state, line) < state.blkIndent) break;
    const text = lineOf(state, line).trimEnd();
    if (text.endsWith(marker) && (marker.startsWith('`') || /^~+$/.test(text)))
      return { closing: line, isClosed: true };
  }
  return { closing: line, isClosed: false };
}

function fenced(state: State, startLine: number, closing: number, isClosed: boolean, marker: string): string {
  const indent = columnOf(state, startLine);
  const whole = state.getLines(startLine + 1, isClosed ? closing + 1 : closing, indent, false);
  if (!isClosed) return whole;
  const code = whole.trimEnd();
  const text = code.slice(0, code.length - marker.length);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  // A closing fence may be longer than the opening one.
  return /^[ `~]*$/.test(last) ? text.slice(0, Math.max(0, text.lastIndexOf('\n'))) : text;
}
