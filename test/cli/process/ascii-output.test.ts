/** What is printed outside the full screen, where a locale is named that is not UTF-8. */
import { expect, test } from 'vitest';
import { reportText } from '../../../src/cli/health/report.ts';
import { sectionOf } from '../../../src/cli/output/check.ts';
import { forLocale, isUtf8, jsonForLocale } from '../../../src/cli/process/ascii-output.ts';
import { readTerminal } from '../../../src/config/environment.ts';

const latin = readTerminal({ TERM: 'xterm', LANG: 'de_DE.ISO-8859-1' });
const utf8 = readTerminal({ TERM: 'xterm', LANG: 'de_DE.UTF-8' });
const unnamed = readTerminal({ TERM: 'xterm' });
const text = 'Ann … 漢字 · \u00db\n→ /home/jörg';

test('the locale decides whether output is ASCII', () => {
  expect([latin, utf8, unnamed].map(isUtf8)).toEqual([false, true, true]);
});

test('a line keeps its columns, and a character that has a name in ASCII is replaced by it', () => {
  expect(forLocale(text, latin)).toBe('Ann ... ???? - ?\nRight /home/j?rg');
  expect(forLocale(text, utf8)).toBe(text);
  expect(forLocale(text, unnamed)).toBe(text);
});

test('a report for people has only ASCII; one for programs has everything, escaped', () => {
  const checks = [sectionOf('Files').note('put aside', `${text} 😀`, `look into ${text}`)];
  const report = { checks, learned: [] };
  const same = (line: string): string => line;
  expect(reportText(report, same, 80, (line) => forLocale(line, latin))).toMatch(/^[\n -~]*$/);
  expect(reportText(report, same, 80)).toContain('jörg');
  const json = jsonForLocale(JSON.stringify({ text: `${text}😀` }), latin);
  expect(json).toMatch(/^[ -~]*$/);
  expect(JSON.parse(json)).toEqual({ text: `${text}😀` });
});
