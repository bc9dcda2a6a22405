/** Finds words in texts without regard to case, accents and compatibility forms. */
import { normalForm } from '../../protocol/same-text.ts';
import { type Row, type Style, span } from '../layout/row.ts';
import type { SafeText } from '../safe-text.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { snapToBoundary } from '../unicode/graphemes.ts';

const ascii = /^[\0-\x7f]*$/;
/** Combining Diacritical Marks, the accents of Latin, Greek and Cyrillic; signs that are letters elsewhere stay. */
const accents = /[\u0300-\u036f]/g;

/** The form in which texts are compared. Letters that are not made with an accent, such as ø and ß, stay what they are. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return normalForm(normalForm(text, 'NFKD').replace(accents, ''), 'NFC').toLowerCase().replaceAll('ς', 'σ');
}

/** The words of a query, folded. */
export const foldedWords = (query: string): readonly string[] => [
  ...new Set(
    fold(query)
      .split(/\s+/)
      .filter((word) => word !== ''),
  ),
];

const excerptUnits = 400;
const unitsBefore = 60;
const stepUnits = 64;

/** A raw piece of the text that has the first match of the words near its beginning. */
export function excerptAround(text: string, words: readonly string[]): string {
  const start = Math.max(0, offsetOfWords(text, words, Math.min) - unitsBefore);
  const from = snapToBoundary(text, start);
  const to = snapToBoundary(text, from + excerptUnits);
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
}

/**
 * An offset in the text at one of the words, or up to `stepUnits` before it; 0 when none occurs.
 *
 * @param choose chooses among the places where the words occur first
 */
export function offsetOfWords(text: string, words: readonly string[], choose: (...places: number[]) => number): number {
  const folded = fold(text);
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0);
  if (places.length === 0) return 0;
  const wanted = choose(...places);
  if (folded.length === text.length) return wanted;
  // Folding changes the length of a text, so that offsets are mapped by folding it step by step.
  let at = 0;
  for (let passed = 0; at < text.length; at += stepUnits) {
    passed += fold(text.slice(at, at + stepUnits)).length;
    if (passed > wanted) break;
  }
  return at;
}

/** The line with the style on every cluster that has a part in an occurrence of a word. */
export function markWords(line: SafeText, words: readonly string[], style: Style): Row {
  const clusters = foldClusters(line);
  const isHit = new Uint8Array(line.length);
  for (const word of words) {
    for (let at = clusters.folded.indexOf(word); at >= 0; at = clusters.folded.indexOf(word, at + word.length)) {
      isHit.fill(1, clusters.start(at), clusters.end(at + word.length - 1));
    }
  }
  return rowOfMarks(line, isHit, style);
}

/** The line with the style on every unit that has a 1. */
export function rowOfMarks(line: SafeText, isHit: Uint8Array, style: Style): Row {
  const row: Row[number][] = [];
  for (let from = 0, to = 0; from < line.length; from = to) {
    while (to < line.length && isHit[to] === isHit[from]) to++;
    row.push(span(line.slice(from, to) as SafeText, isHit[from] === 1 ? style : ''));
  }
  return row;
}

/** Text in which each unit is a cluster. */
const printable = /^[\x20-\x7e]*$/;

interface FoldedClusters {
  readonly folded: string;
  /** Where the cluster of a unit of `folded` begins and ends in the line. */
  start(unit: number): number;
  end(unit: number): number;
}

const itself = (unit: number): number => unit;
const after = (unit: number): number => unit + 1;

export function foldClusters(line: string): FoldedClusters {
  if (printable.test(line)) return { folded: line.toLowerCase(), start: itself, end: after };
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  eachCluster(line, 0, (start, end) => {
    const cluster = fold(line.slice(start, end));
    folded += cluster;
    for (let unit = 0; unit < cluster.length; unit++) {
      starts.push(start);
      ends.push(end);
    }
    return true;
  });
  return { folded, start: (unit) => starts[unit] ?? 0, end: (unit) => ends[unit] ?? 0 };
}
