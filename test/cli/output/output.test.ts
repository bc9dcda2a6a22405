/** Tables, JSON documents and errors as every command prints them. */
import { describe, expect, test } from 'vitest';
import { errorText, wantsJson } from '../../../src/cli/output/command-error.ts';
import { isoTime, jsonDocument, jsonLine } from '../../../src/cli/output/print.ts';
import { messageJson } from '../../../src/cli/output/resources.ts';
import { type Column, printTable, tableText } from '../../../src/cli/output/table.ts';
import { ExitError, exitCodes } from '../../../src/cli/process/exit.ts';
import { literal, type SafeText } from '../../../src/text/safe-text.ts';
import { width } from '../../../src/text/unicode/width.ts';
import * as eg from '../../support/builders/eg.ts';

describe('a table', () => {
  const table: readonly Column[] = [
    { heading: literal('NAME'), least: 4 },
    { heading: literal('UNREAD'), align: 'right' },
    { heading: literal('LAST'), least: 6 },
  ];
  const row = (...cells: string[]) => cells as SafeText[];
  const rows = [row('Ann Wells', '3', 'Hi Ann, noon at the harbour?'), row('佐藤 花子', '12', 'はい')];

  test('has no headings, and nothing is shortened, if the output is not a terminal', () => {
    expect(tableText(table, rows, null)).toBe('Ann Wells   3  Hi Ann, noon at the harbour?\n佐藤 花子  12  はい\n');
  });

  test('does not fill all lines up to the longest text if the output is not a terminal', () => {
    const long = 'x'.repeat(500);
    const [first = '', second = ''] = tableText(table, [row(long, '3', 'a'), row('Ann', '12', 'b')], null).split('\n');
    expect([first, second]).toEqual([`${long}   3  a`, `${'Ann'.padEnd(40)}  12  b`]);
  });

  test('has headings on a terminal', () => {
    expect(tableText(table, rows, 80).split('\n')).toEqual([
      'NAME       UNREAD  LAST',
      'Ann Wells       3  Hi Ann, noon at the harbour?',
      '佐藤 花子      12  はい',
      '',
    ]);
  });

  test.each([40, 30, 24, 10, 3, 1])('fits into %i columns', (columns) => {
    for (const line of tableText(table, rows, columns).trimEnd().split('\n'))
      expect(width(line)).toBeLessThanOrEqual(columns);
  });

  test('is empty without rows, and says so on a terminal only', () => {
    expect(tableText(table, [], 80)).toBe('');
    const remarks = (columns: number | null): readonly string[] => {
      const said: string[] = [];
      const output = { text: () => {}, json: () => {}, remark: (one: string) => void said.push(one), columns };
      printTable(output, table, [], literal('no drafts'));
      return said;
    };
    expect([remarks(80), remarks(null)]).toEqual([['no drafts'], []]);
  });
});

describe('JSON', () => {
  test('documents and lines begin with the schema', () => {
    expect(jsonDocument({ count: 1 })).toBe('{\n  "schema": 1,\n  "count": 1\n}\n');
    expect(jsonLine({ type: 'message' })).toBe('{"schema":1,"type":"message"}\n');
  });

  test('keeps every text, without characters that control a terminal', () => {
    const text = '\u001b[2J \u009b31m \u202e \u200b \u007f \ud800 "é" 佐藤 👩‍👩‍👧 \n';
    const line = jsonLine({ text });
    expect(JSON.parse(line).text).toBe(text);
    expect(line).toContain('é');
    expect(line).toContain('佐藤');
    expect(line).not.toMatch(/(?!\n$)[\p{Cc}\u202a-\u202e\u200b]/u);
  });

  test('escapes every character without a width of its own, and no visible one', () => {
    const tagged = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
    const hidden = '\u034f\u3164\u115f\u1160\uffa0\u{e0001}\u{e0041}\u{e0100}\ufe00\u180e\u{1d173}\u{1bca0}';
    const line = jsonLine({ [`name${hidden}`]: `a${hidden}b${tagged}` });
    expect(JSON.parse(line)).toMatchObject({ [`name${hidden}`]: `a${hidden}b${tagged}` });
    expect(line).not.toMatch(/(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u);
    expect(line).toContain('\\u034f\\u3164\\u115f\\u1160\\uffa0\\udb40\\udc01');
    const seen = '\u1100\u1161 \u{1f3f4} ❤\ufe0f \u{1d172} \u{1bc9f} ㄱ';
    expect(jsonLine({ seen })).toContain(seen);
  });

  test('times are RFC 3339 in UTC, or null', () => {
    expect(isoTime(eg.now)).toBe('2026-11-19T14:02:11.000Z');
    expect([isoTime(null), isoTime(8.65e15), isoTime(1.5)]).toEqual([null, null, '1970-01-01T00:00:00.001Z']);
  });

  test('a reaction with a name like __proto__ is a key of its own', () => {
    const message = eg.message({ reactions: [{ name: '__proto__', by: ['a'] }] });
    expect(jsonLine({ message: messageJson(eg.state(), message) })).toContain('"reactions":[{"__proto__":["a"]}]');
  });
});

describe('an error', () => {
  const ambiguous = new ExitError(exitCodes.usage, 'several:', {
    name: 'ambiguous',
    candidates: [{ id: 'c1', name: 'Ann\u001b[2J' }],
  });

  test('is one line, and one more for each candidate', () => {
    expect(errorText(new ExitError(exitCodes.notFound, 'there is none'), false)).toBe('msg-tui: there is none\n');
    expect(errorText(ambiguous, false)).toBe('msg-tui: several:\n  c1  Ann␛[2J\n');
    expect(errorText(new ExitError(exitCodes.usage, ''), false)).toBe('');
    expect(errorText(new Error(`a${'b'.repeat(5_000)}`), false).length).toBeLessThan(1_020);
    // What to do stands at the end, after what the server said.
    const remedy = `"msg-tui outbox retry 1f2e3d4c" sends it again`;
    const long = new ExitError(exitCodes.failure, `${'x'.repeat(600)}; ${remedy}`);
    expect(errorText(long, false)).toContain(remedy);
  });

  test('is a document if JSON is wanted', () => {
    expect(JSON.parse(errorText(ambiguous, true))).toEqual({
      schema: 1,
      error: { code: 'ambiguous', message: 'several:', candidates: [{ id: 'c1', name: 'Ann\u001b[2J' }] },
    });
    const late = new ExitError(exitCodes.notReached, 'no answer', { queued: true });
    expect(JSON.parse(errorText(late, true)).error).toEqual({
      code: 'not_reached',
      message: 'no answer',
      queued: true,
    });
    expect(JSON.parse(errorText(new Error('odd'), true)).error.code).toBe('failure');
  });

  test.each([
    [['read', 'ann', '--json'], true],
    [['send', 'ann', '--', '--json'], false],
    [['unread'], false],
  ])('%j asks for JSON: %s', (argv, isJson) => {
    expect(wantsJson(argv)).toBe(isJson);
  });
});
