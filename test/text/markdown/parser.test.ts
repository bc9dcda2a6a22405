/** What is markup, what stays text, and that nothing which was typed is lost on the way. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Block, RichText } from '../../../src/text/markdown/blocks.ts';
import { mayHaveMarkup } from '../../../src/text/markdown/blocks.ts';
import { parse } from '../../../src/text/markdown/parser.ts';
import { sanitizeBody } from '../../../src/text/safe/sanitize.ts';
import { literal } from '../../../src/text/safe-text.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { fastest } from '../../support/clocks/fastest.ts';
import { anyText } from '../arbitraries.ts';

const blocksOf = (raw: string): readonly Block[] | null => parse(sanitizeBody(raw), literal('@'));

/** Each stretch with its marks, as `bold:text`. */
const rich = ({ text, stretches }: RichText): string =>
  stretches
    .map(({ start, end, marks, href }) => {
      const names = [...marks, ...(href === null ? [] : [`<${href}>`])];
      return names.length === 0 ? text.slice(start, end) : `{${names.join(' ')}:${text.slice(start, end)}}`;
    })
    .join('');

function margin(block: Block): string {
  return block.margins
    .map((one) => {
      if (one.kind === 'quote') return '> ';
      const { marker, isFirst } = one;
      if (!isFirst) return '  ';
      return `${marker.kind === 'text' ? marker.text : { bullet: '-', open: '[ ]', done: '[x]' }[marker.kind]} `;
    })
    .join('');
}

function draw(block: Block): string {
  switch (block.kind) {
    case 'blank':
      return `blank ${block.lines}`;
    case 'text':
      return rich(block.content);
    case 'heading':
      return `h${block.level} ${rich(block.content)}`;
    case 'code':
      return `code(${block.info}) ${block.text}`;
    case 'rule':
      return 'rule';
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(rich).join('|')).join('//');
  }
}

const shown = (raw: string): readonly string[] =>
  blocksOf(raw)?.map((block) => margin(block) + draw(block)) ?? ['typed'];

test.each([
  ['**bold** __also so__', ['{bold:bold} {bold:also so}']],
  ['*slanted* _too_', ['{italic:slanted} {italic:too}']],
  ['***both***', ['{italic bold:both}']],
  ['~~gone~~', ['{strike:gone}']],
  ['a `*b*` c', ['a {code:*b*} c']],
  ['`` ` ``', ['{code:`}']],
  ['||the end||', ['{spoiler:the end}']],
  ['||a **b**||', ['{spoiler:a }{spoiler bold:b}']],
  ['**強調**です', ['{bold:強調}です']],
  ['—(**"a"**), “_b_”、**「強調」**。', ['—({bold:"a"}), “{italic:b}”、{bold:「強調」}。']],
  ['**진짜**로', ['{bold:진짜}로']],
  ['*مرحبا* بك', ['{italic:مرحبا} بك']],
  ['# Title', ['h1 Title']],
  ['### `x` of *y* ###', ['h3 {code:x} of {italic:y}']],
  ['> one\n> two\nanswer', ['> one\ntwo', 'answer']],
  ['> a\n>\n> b\n\nc', ['> a', '> blank 1', '> b', 'blank 1', 'c']],
  ['>> deep', ['> > deep']],
  ['- a\n* b\n+ c', ['- a', '- b', '+ c']],
  ['3. a\n4. b', ['3. a', '4. b']],
  ['1) a\n   - b\n     more\nafter', ['1) a', '  - b\nmore', 'after']],
  ['- [ ] a\n- [x] b\n- [X] **c**', ['[ ] a', '[x] b', '[x] {bold:c}']],
  ['a\n\n---\n\nb', ['a', 'blank 1', 'rule', 'blank 1', 'b']],
  ['| a | b |\n|--|:-:|\n| 1 | **2** |\n| 3 |', ['a|b//1|{bold:2}//3|']],
  ['```js\nlet a;\n\n  b\n```\nx', ['code(js) let a;\n\n  b', 'x']],
  ['```\nas people type it```', ['code() as people type it']],
  ['```\nnot closed', ['code() not closed']],
  ['~~~\na\n~~~', ['code() a']],
  ['> ```\n> a\n> ```', ['> code() a']],
  ['line one\nline *two*  \n\n\nline three', ['line one\nline {italic:two}  ', 'blank 2', 'line three']],
])('%j is parsed', (raw, wanted) => {
  expect(shown(raw)).toEqual(wanted);
});

test.each([
  ['[docs](https://a.example/b_c)', '{<https://a.example/b_c>:docs}{host: (a.example)}'],
  ['[https://a.example](https://a.example/)', '{<https://a.example/>:https://a.example}'],
  [
    '[https://bank.example](https://evil.example)',
    '{<https://evil.example>:https://bank.example}{host: (evil.example)}',
  ],
  ['[a](https://user:pw@evil.example)', '{<https://user:pw@evil.example>:a}{host: (evil.example)}'],
  ['[a](https://пример.example)', '{<https://пример.example>:a}{host: (xn--e1afmkfd.example)}'],
  ['[a](https://a.example "said so")', '{<https://a.example>:a}{host: (a.example, said so)}'],
  ['[write](mailto:ann@a.example)', '{<mailto:ann@a.example>:write}{host: (ann@a.example)}'],
  ['see ![a cat](https://a.example/c.png)', 'see {host:@ }{<https://a.example/c.png>:a cat}{host: (a.example)}'],
  ['`https://a.example/x`[y', '{code <https://a.example/x>:https://a.example/x}[y'],
  ['*x* https://a.example/x_y_z*1*2', '{italic:x} {<https://a.example/x_y_z*1*2>:https://a.example/x_y_z*1*2}'],
])('the link %j', (raw, wanted) => {
  expect(shown(raw)).toEqual([wanted]);
});

describe('this stays as it was typed:', () => {
  test.each([
    ...['2 * 3 * 4', '2*3*4', 'x**2 + y**2', 'snake_case_name', '__init__', '__init__.py', '5 < 6 > 4', '#channel'],
    ...['#', '# ', '##', '-', '+', '*', '**', '***', '---', '___', '1.', '>', '>>', '> ', '>_<', '>:(', '~~~', '```'],
    ...[
      ':)',
      ':*',
      '*shrug',
      'a* b*',
      '¯\\_(ツ)_/¯',
      '¯\\_(ツ)_/¯ and ¯\\_(ツ)_/¯',
      'no >_< and -_- or ;_;',
      'so *_* and _*_',
      'copy *.* and *_*.txt',
      '**/*.js and test/**/*.js, */*',
      '*-* and _-_',
      'C:\\*.*',
      '\\*no\\*',
      '~5',
      '~~',
      '||',
      'a || b || c',
      'a||b||c',
    ],
    ...['don`t and can`t', 'one ` tick', '[x]', '[x](y)', '[x](javascript:alert(1))', '[](https://a.example)', '![x]'],
    ...['[a]: https://a.example', '<b>bold</b>', '&amp; &#27;', '<https://a.example>', 'http://a.example/_b_'],
    ...[
      'Ann Wells\n---\nHarbour 3',
      '-- \nAnn',
      'Title\n=====',
      '    four spaces',
      '  two\n      six',
      'a\\\nb',
      'a  \nb',
    ],
    ...[
      'text\n2. not a list',
      '1.5 m',
      '2026.',
      '-5',
      '|a|b|',
      'a | b\nc | d',
      '-|-',
      '~~~ hello ~~~',
      '\n\na\n\n\nb\n',
    ],
    ...['| a |\n|---|\n| b | lost |', 'Mir geht’s gut — dir?', 'שלום', 'नमस्ते', 'สวัสดี', '👩‍👩‍👧 👍🏽', '', '\n'],
  ])('%j', (raw) => {
    expect(shown(raw)).toEqual(['typed']);
  });
});

/** Pieces that people write, and pieces that meet badly. */
const pieces = fc.constantFrom(
  ...[
    'word',
    ' ',
    '\n',
    '\n\n',
    '*',
    '**',
    '_',
    '`',
    '```',
    '```js\n',
    '~~',
    '||',
    '> ',
    '>',
    '- ',
    '1. ',
    '# ',
    '---',
  ],
  ...['[', ']', '(', ')', '](https://q.example)', '| a | b |\n', '|---|---|\n', '|', '[ ] ', '    ', '\\', '!', '<b>'],
  ...[
    'Grüße',
    'ё',
    'مرحبا',
    'שלום',
    'नमस्ते',
    'สวัสดี',
    'こんにちは',
    '안녕',
    '👩‍👩‍👧',
    '🇩🇪',
    'e\u0301',
    '\u0301',
    '\u202e',
    '\x1b[2J',
  ],
);
const chat = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

/** Letters and emoji: never part of a marker but in the address of a link and in the box of a task. */
const essence = (text: string): readonly string[] =>
  text.replace(/\]\(https:\/\/q\.example\)/g, '').match(/[\p{L}\p{Extended_Pictographic}]/gu) ?? [];

function isWithin(needles: readonly string[], text: string): boolean {
  let at = 0;
  return needles.every((one) => {
    at = text.indexOf(one, at);
    return at++ >= 0;
  });
}

test('every typed letter is shown, in the order in which it was typed', () => {
  fc.assert(
    fc.property(fc.oneof(chat, anyText), (raw) => {
      const text = sanitizeBody(raw);
      const all = parse(text, literal('@'))?.map((block) => margin(block) + plainOf(block));
      if (all !== undefined) expect(isWithin(essence(text), all.join('\n')), JSON.stringify(all)).toBe(true);
    }),
    { numRuns: campaignSize(750, 20_000) },
  );
});

function plainOf(block: Block): string {
  if (block.kind === 'text' || block.kind === 'heading') return block.content.text;
  if (block.kind === 'table') return [...block.head, ...block.rows.flat()].map(({ text }) => text).join(' ');
  return block.kind === 'code' ? `${block.info} ${block.text}` : '';
}

test('what is shown has no control characters, and its spans cover it from left to right', () => {
  fc.assert(
    fc.property(fc.oneof(chat, anyText), (raw) => {
      for (const block of blocksOf(raw) ?? []) {
        expect(sanitizeBody(plainOf(block))).toBe(plainOf(block));
        if (block.kind !== 'text') continue;
        let at = 0;
        for (const { start, end } of block.content.stretches) {
          expect(start).toBe(at);
          at = end;
        }
        expect(at).toBe(block.content.text.length);
      }
    }),
    { numRuns: campaignSize(250, 5_000) },
  );
});

test('a text that the quick check calls plain has no markup', () => {
  fc.assert(
    fc.property(fc.oneof(chat, anyText), (raw) => {
      const text = sanitizeBody(raw);
      if (!mayHaveMarkup(text)) expect(parse(text, literal('@'))).toBeNull();
    }),
    { numRuns: campaignSize(500, 20_000) },
  );
});

const fill = (unit: string, units = 4000): string => unit.repeat(Math.ceil(units / unit.length)).slice(0, units);

/** A part of a message is no longer than this. The limit is generous, as the machine may be busy; measured: below 10 ms. */
test.each([
  ...[
    '[',
    '![',
    '[a](',
    '[a](<',
    '[a](https://a.example/',
    '> ',
    '>',
    '_*',
    '**a ',
    '~~a ',
    '||a ',
    '` `` ',
    '*_~~||`[',
  ],
  ...['- ', '1. ', '#', '|', '|a', '\\', '(', ']', '<', '&', '!', '\u0301', '\u202e', '\u001b', 'z\u0301\u0302', 'a'],
])('4,000 characters of %j take no longer than a frame', (unit) => {
  const text = sanitizeBody(fill(unit));
  expect(fastest(40, () => parse(text, literal('@')))).toBeLessThan(40);
});

test('a mark without its letter gets a circle, also after the marker of a list', () => {
  expect(shown('- \u0300')).toEqual(['- \u25cc\u0300']);
});

test('a table of hundreds of cells is drawn as a table, a larger one as text', () => {
  const table = (columns: number, rows: number): string =>
    ['|a', '|-', ...Array.from({ length: rows }, () => '|b')].map((cell) => `${cell.repeat(columns)}|`).join('\n');
  expect(shown(table(10, 40))[0]).toMatch(/^a\|a/);
  for (const [columns, rows] of [
    [10, 60],
    [40, 20],
    [2, 300],
    [600, 1],
  ] as const)
    expect(shown(table(columns, rows))).toEqual(['typed']);
});

test('a table of thousands of columns, and lists within lists at some depth, are text', () => {
  expect(shown(`${fill('|a', 1800)}|\n${fill('|-', 1800)}|`)).toEqual(['typed']);
  const nested = Array.from({ length: 40 }, (_, i) => `${' '.repeat(2 * i)}- item ${i}`).join('\n');
  expect(shown(nested).join('\n')).toContain('- item 39');
  expect(shown('>'.repeat(2000)).at(-1)).toMatch(/^(?:> )*>*$|typed/);
  expect(
    shown(`${'>'.repeat(2000)} x`)
      .join('')
      .replaceAll(' ', ''),
  ).toBe(`${'>'.repeat(2000)}x`);
});
