/**
 * Cleans text for a terminal: it cannot control the terminal, reorder, hide or overflow other text (R-SAN-2). Also
 * cleans what is typed or pasted, and writes the program's own signs in ASCII.
 */
import type { SafeText } from '../safe-text.ts';
import { settleClusters } from '../unicode/cluster-rules.ts';
import { eachCluster } from '../unicode/clusters.ts';
import { lazyPattern } from '../unicode/lazy-pattern.ts';
import { width } from '../unicode/width.ts';

export { skeleton } from './confusables.ts';

const plain = /^[\x20-\x7e\n]*$/;
/**
 * The emoji of which people make joined ones, as a class for patterns. All of them can be joined, so that text of them
 * needs none of the patterns with Unicode properties, whose making takes longer than a frame may.
 */
const commonEmoji =
  '\\u{1f300}-\\u{1f320}\\u{1f337}-\\u{1f37c}\\u{1f3a0}-\\u{1f3ca}\\u{1f3e0}-\\u{1f3f0}\\u{1f400}-\\u{1f43e}\\u{1f442}-\\u{1f4fc}\\u{1f600}-\\u{1f64f}\\u{1f680}-\\u{1f6c5}\\u{1f910}-\\u{1f93a}\\u{1f940}-\\u{1f945}\\u{1f947}-\\u{1f9ff}';
/** Anything but Latin letters, common emoji, and joiners between these: what has none of it is clean. */
const unusual = new RegExp(
  `[^\\x20-\\x7e\\n\\u00a1-\\u00ac\\u00ae-\\u02ff${commonEmoji}\\u200d]|(?<![${commonEmoji}])\\u200d|\\u200d(?![${commonEmoji}])|(?:\\u200d[${commonEmoji}]){7}`,
  'u',
);
/** The characters that the first steps change; text without any of them skips these steps. */
const controls = lazyPattern(() => /(?!\n)[\p{Cc}\u2028\u2029\p{Cs}\p{Noncharacter_Code_Point}]/u);
const lineEnds = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const control = lazyPattern(() => /(?![\t\n])\p{Cc}/gu);
const malformed = lazyPattern(() => /[\p{Cs}\p{Noncharacter_Code_Point}]/gu);

/** What the later steps act on: format characters, marks, joiners, halves of flags and syllables. */
const delicate = lazyPattern(
  () =>
    /[\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\p{Regional_Indicator}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\u0e33\u0eb3\uff9e\uff9f\u0d4e\u{11000}-\u{11fff}]/u,
);
const bidi = /[\u202a-\u202e\u2066-\u2069]/g;
const bidiNames: Readonly<Record<string, string>> = {
  '\u202a': '⟦LRE⟧',
  '\u202b': '⟦RLE⟧',
  '\u202c': '⟦PDF⟧',
  '\u202d': '⟦LRO⟧',
  '\u202e': '⟦RLO⟧',
  '\u2066': '⟦LRI⟧',
  '\u2067': '⟦RLI⟧',
  '\u2068': '⟦FSI⟧',
  '\u2069': '⟦PDI⟧',
};
/**
 * Visible format characters that stand around letters (Arabic number signs and the like), whose width terminals disagree on.
 */
const visibleFormat = lazyPattern(() => /(?!\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb])\p{Cf}/gu);
/** England, Scotland and Wales: the only flags made of tags. */
const tagFlag =
  '\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}';
const invisible = lazyPattern(
  () =>
    new RegExp(
      `(${tagFlag})|(?![\\u200c\\u200d\\ufe0e\\ufe0f])[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]`,
      'gu',
    ),
);

/** Like `control` but for the tab, without the cost of a Unicode pattern. */
const unwanted = /[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g;

const maxNameClusters = 64;
const unnamed = '(no name)' as SafeText;

/** Message text of any kind: keeps LF, shows controls as signs (`␛`) and direction overrides by name (`⟦RLO⟧`). */
export function sanitizeBody(raw: string): SafeText {
  return clean(raw, true) as SafeText;
}

/** One line, for previews, notices, titles and errors: line ends become spaces. */
export function sanitizeLine(raw: string): SafeText {
  return clean(raw, true).replaceAll('\n', ' ') as SafeText;
}

/** A name: one line of at most 64 clusters, white space folded, direction overrides removed, never empty (R-SAN-3). */
export function sanitizeName(raw: string): SafeText {
  // Far more than 64 clusters, so that a name of megabytes costs no more than others.
  const folded = clean(raw.slice(0, 16_384), false)
    .replace(/[\p{White_Space}\u2800]+/gu, ' ')
    .trim()
    .replace(/^(?=\p{M})/u, '◌');
  if (folded === '') return unnamed;
  return folded.length <= maxNameClusters ? (folded as SafeText) : shortened(folded);
}

/** What a keyboard or a paste may put into text being written: line ends as LF, tabs, no other controls. */
export function cleanInput(raw: string): string {
  if (plain.test(raw)) return raw;
  // Measured as the fastest way for a paste of megabytes.
  const lines = raw.includes('\r') ? raw.split('\r\n').join('\n').split('\r').join('\n') : raw;
  return lines.replace(unwanted, '').toWellFormed();
}

function clean(raw: string, showBidi: boolean): string {
  if (plain.test(raw) || !unusual.test(raw)) return raw;
  let text = raw;
  if (controls().test(text)) {
    text = text.replace(lineEnds, '\n').replace(malformed(), '\ufffd').replace(control(), controlSign);
  }
  if (delicate().test(text)) {
    text = text
      .replace(bidi, (mark) => (showBidi ? (bidiNames[mark] ?? '') : ''))
      .replace(visibleFormat(), '\ufffd')
      .replace(invisible(), '$1');
    text = settleClusters(text);
  }
  return text.includes('\t') ? text.split('\n').map(withoutTabs).join('\n') : text;
}

const tabStop = 4;

/** How far it is from a column to the next tab stop. */
export const tabColumns = (column: number): number => tabStop - (column % tabStop);

/** Replaces each tab with spaces up to the next tab stop, so that columns are aligned. */
function withoutTabs(line: string): string {
  const [first = '', ...others] = line.split('\t');
  let column = width(first as SafeText);
  const parts = others.map((part) => {
    const spaces = tabColumns(column);
    column += spaces + width(part as SafeText);
    return ' '.repeat(spaces) + part;
  });
  return first + parts.join('');
}

function controlSign(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '\u2421';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
}

function shortened(name: string): SafeText {
  let count = 0;
  let end = 0;
  let hasMore = false;
  eachCluster(name, 0, (start) => {
    hasMore = count === maxNameClusters;
    if (count === maxNameClusters - 1) end = start;
    count++;
    return !hasMore;
  });
  return (hasMore ? `${name.slice(0, end)}…` : name) as SafeText;
}

/** Replaces the signs in the program's texts and key labels for terminals that have ASCII alone. */
const spelled: Readonly<Record<string, string>> = {
  '·': '-',
  '–': '-',
  '…': '...',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
};

/** Only for the program's own words; what people wrote is never changed. */
export const inAscii = <T extends string>(text: T): T =>
  text.replace(/[·–…↑↓←→]/g, (sign) => spelled[sign] ?? sign) as T;
