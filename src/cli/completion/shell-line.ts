/**
 * Reads a half-typed command line of bash, whose own list of words is split at `@`, `:` and `=` and keeps the quotes.
 * Quotes candidates for bash and PowerShell.
 */

export type ShellQuote = '' | "'" | '"';

export interface TypedLine {
  /** The words before the cursor without their quotes, the program first; the last one is being typed. */
  readonly words: readonly string[];
  /** The quote that is open at the cursor. */
  readonly quote: ShellQuote;
  /** The beginning of the last word that bash leaves as it is: a completion replaces what is after it. */
  readonly kept: string;
  /** Whether the last word is the file of a redirection. */
  readonly isRedirection: boolean;
}

interface Reading {
  words: string[];
  word: string;
  kept: string;
  quote: ShellQuote;
  hasWord: boolean;
  isRedirection: boolean;
}

/** @param breaks the characters of COMP_WORDBREAKS */
export function readBashLine(line: string, breaks: string): TypedLine {
  const reading: Reading = { words: [], word: '', kept: '', quote: '', hasWord: false, isRedirection: false };
  for (let at = 0; at < line.length; at++) at += takeCharacter(reading, line, at, breaks);
  const { words, word, quote, kept, isRedirection } = reading;
  return { words: [...withoutAssignments(words), word], quote, kept, isRedirection };
}

/** Returns how many characters it has read besides this one. */
function takeCharacter(reading: Reading, line: string, at: number, breaks: string): number {
  const char = line.charAt(at);
  const next = line.charAt(at + 1);
  if (reading.quote === "'" || (reading.quote === '"' && char !== '\\')) {
    if (char === reading.quote) reading.quote = '';
    else reading.word += char;
    return 0;
  }
  if (char === '\\') {
    const isKept = reading.quote === '"' && !/["\\$`]/.test(next);
    reading.word += isKept ? char + next : next;
    reading.hasWord = true;
    return 1;
  }
  if (char === '"' || char === "'") {
    Object.assign(reading, { quote: char, kept: reading.word, hasWord: true });
    return 0;
  }
  if (/[\s<>]/.test(char)) {
    endWord(reading);
    if (/[<>]/.test(char)) reading.isRedirection = true;
    return 0;
  }
  // Bash replaces these two together with what is after them.
  if (breaks.includes(char) && /[@$]/.test(char)) reading.kept = reading.word;
  reading.word += char;
  reading.hasWord = true;
  if (breaks.includes(char) && !/[@$]/.test(char)) reading.kept = reading.word;
  return 0;
}

function endWord(reading: Reading): void {
  if (!reading.hasWord) return;
  if (!reading.isRedirection) reading.words.push(reading.word);
  Object.assign(reading, { word: '', kept: '', hasWord: false, isRedirection: false });
}

function withoutAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^\w+=/.test(word));
  return words.slice(Math.max(0, first));
}

const plainInBash = /^[\w@%+=:,./\u00a1-\u{10ffff}-]$/u;

/** Returns what bash reads as `text`, after an open quote where there is one; bash closes the quote by itself. */
export function quotedForBash(text: string, quote: ShellQuote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  // In double quotes nothing keeps ! from recalling a line of the history.
  if (quote === '"') return text.replace(/["\\$`]/g, '\\$&').replaceAll('!', '"\\!"');
  return [...text].map((char) => (plainInBash.test(char) ? char : `\\${char}`)).join('');
}

/** Quotes the text for PowerShell, which takes curly quotes for quotes as well. */
export function quotedForPowerShell(text: string): string {
  if (/^[\w./:=+\\\u00c0-\u024f-]+$/u.test(text)) return text;
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
