/** Writes a health report as text for people or as one JSON document, without controls and without the token. */

import type { Redact } from '../../api/http/redact.ts';
import { sanitizeLine } from '../../text/safe/sanitize.ts';
import { width } from '../../text/unicode/width.ts';
import type { Check, Verdict } from '../output/check.ts';
import { jsonDocument } from '../output/print.ts';
import type { LearnedLine } from './capability-words.ts';
import { type Freshness, freshnessJson } from './freshness.ts';

export interface Report {
  readonly checks: readonly Check[];
  /** What was learned of the server; null when it is not part of this report, or there is no server. */
  readonly learned: readonly LearnedLine[] | null;
  /** Where it is part of this report: null when it is not known. */
  readonly freshness?: Freshness | null;
}

export const isHealthy = ({ checks }: Report): boolean => checks.every(({ verdict }) => verdict !== 'wrong');

const asItIs = (line: string): string => line;

/** Cleans a report, whose texts come from files, the environment or the network (R-SAN-1, R-TOK-2). */
function clean({ checks, learned }: Report, redact: Redact, spell: (line: string) => string = asItIs): Report {
  const line = (text: string): string => spell(sanitizeLine(redact(text)));
  return {
    checks: checks.map((check) => ({
      ...check,
      text: line(check.text),
      remedy: check.remedy === null ? null : line(check.remedy),
    })),
    learned: learned?.map((one) => ({ ...one, words: line(one.words), from: line(one.from) })) ?? null,
  };
}

export function reportJson(report: Report, redact: Redact): string {
  const { checks, learned } = clean(report, redact);
  const lessons = learned?.map(({ name, words, value, at, from }) => ({ name, words, value, at: isoTime(at), from }));
  const { freshness } = report;
  return jsonDocument({
    healthy: isHealthy(report),
    checks,
    ...(lessons === undefined ? {} : { learned: lessons }),
    ...(freshness === undefined ? {} : { freshness: freshnessJson(freshness) }),
  });
}

const marks: Readonly<Record<Verdict, string>> = { ok: 'ok', note: 'note', wrong: 'WRONG' };

/** `spell` turns a line into what the terminal can show. */
export function reportText(
  report: Report,
  redact: Redact,
  columns: number,
  spell: (line: string) => string = asItIs,
): string {
  const { checks, learned } = clean(report, redact, spell);
  const sections = [...new Set(checks.map(({ section }) => section))];
  const lines = sections.flatMap((section) => [
    section,
    ...checks.filter((check) => check.section === section).flatMap((check) => checkLines(check, columns)),
  ]);
  const lessons = learned === null ? [] : ['Learned of this server', ...learned.flatMap((one) => lesson(one, columns))];
  if (learned?.length === 0) lessons.push('  nothing yet');
  return `${[...lines, ...lessons].join('\n')}\n`;
}

/** Returns the last line of the report. */
export function summary({ checks }: Report): string {
  const count = checks.filter(({ verdict }) => verdict === 'wrong').length;
  if (count === 0) return 'Healthy.';
  return count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`;
}

function checkLines({ name, verdict, text, remedy }: Check, columns: number): readonly string[] {
  const head = `  ${marks[verdict].padEnd(6)}${name.padEnd(15)}`;
  return hanging(head, remedy === null ? [text] : [text, `-> ${remedy}`], columns);
}

function lesson({ name, words, at, from }: LearnedLine, columns: number): readonly string[] {
  const head = `  ${name.padEnd(20)}${words.padEnd(20)}${localTime(at)} `;
  return hanging(head, [from.replace(' /v1/', ' /')], columns);
}

/** The column of a long path that does not fit beside its head, and on a narrow terminal of all that does not fit. */
const shortIndent = 8;

/** Text is not folded into fewer columns than these. */
const leastRoom = 24;

/** Puts the parts beside `head`, each on its own line, folded at spaces. */
function hanging(head: string, parts: readonly string[], columns: number): readonly string[] {
  const indent = width(head);
  const isNarrow = columns - indent < leastRoom;
  if (isNarrow && parts.some((part) => width(part) > columns - indent)) {
    const rows = parts.flatMap((part) => fold(part, columns - shortIndent));
    return [head.trimEnd(), ...rows.map((row) => ' '.repeat(shortIndent) + row)];
  }
  const rows = parts.flatMap((part) => fold(part, columns - indent));
  const isLong = (row: string): boolean => width(row) > columns - indent;
  return rows.flatMap((row, index) => {
    if (isLong(row)) return [...(index === 0 ? [head.trimEnd()] : []), ' '.repeat(shortIndent) + row];
    return [(index === 0 ? head : ' '.repeat(indent)) + row];
  });
}

/** Words longer than a line stay whole, as they are paths and addresses. */
function fold(text: string, columns: number): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (row === '' || width(longer) <= columns) row = longer;
    else {
      rows.push(row);
      row = word;
    }
  }
  return [...rows, row];
}

const isTime = (at: number): boolean => Math.abs(at) <= 8.64e15;

const isoTime = (at: number): string | null => (isTime(at) ? new Date(Math.trunc(at)).toISOString() : null);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `19 Nov 14:02` in this year, else the day alone; in this machine's time, always 12 columns wide. */
function localTime(at: number): string {
  if (!isTime(at)) return 'unknown'.padEnd(12);
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${two(date.getDate())} ${months[date.getMonth()]}`;
  if (date.getFullYear() === new Date().getFullYear())
    return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
  return `${day} ${date.getFullYear()}`.padEnd(12);
}
