/** Blocks as rows: what they look like, that they fit, and that text without markup is drawn as ever. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Row, rowWidth, targetAt } from '../../../src/text/layout/row.ts';
import { wrapStyled } from '../../../src/text/layout/wrap.ts';
import { highlight } from '../../../src/text/markdown/highlighter.ts';
import { parse } from '../../../src/text/markdown/parser.ts';
import { markdownRows } from '../../../src/text/markdown/rows.ts';
import { sanitizeBody } from '../../../src/text/safe/sanitize.ts';
import { literal } from '../../../src/text/safe-text.ts';
import { asciiSigns, unicodeSigns } from '../../../src/view/glyph-set.ts';
import { themes } from '../../../src/view/theme.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { fastest } from '../../support/clocks/fastest.ts';
import { anyText } from '../arbitraries.ts';

interface Options {
  readonly columns?: number;
  readonly isAscii?: boolean;
  readonly showsSpoilers?: boolean;
}

function rowsOf(raw: string, { columns = 40, isAscii = false, showsSpoilers = false }: Options = {}): readonly Row[] {
  const text = sanitizeBody(raw);
  const signs = isAscii ? asciiSigns : unicodeSigns;
  const blocks = parse(text, signs.picture);
  if (blocks === null) return wrapStyled(text, columns, '');
  const styles = themes.dark.markdown;
  return markdownRows(blocks, { columns, styles, signs, messageId: 'm1', showsSpoilers, highlight });
}

const plain = (row: Row): string => row.map(({ text }) => text).join('');
const picture = (raw: string, options?: Options): string => rowsOf(raw, options).map(plain).join('\n');
const styled = (raw: string): string =>
  rowsOf(raw)
    .flat()
    .map(({ text, style }) => (style === '' ? text : `{${style}:${text}}`))
    .join('');

describe('the rows of a message', () => {
  test('have lists, and wrap an item below its text', () => {
    const list = '1. Tell people\n   - [x] in the group\n   - [ ] by mail, with a long explanation of it all\n10. done';
    expect(picture(list, { columns: 30 })).toBe(
      '1. Tell people\n   ☑ in the group\n   ☐ by mail, with a long\n     explanation of it all\n10. done',
    );
    expect(picture('- a\n- [x] b', { isAscii: true })).toBe('* a\n[x] b');
  });

  test('have quotes with a bar on every row', () => {
    expect(picture('> a quote that goes on and on\n>\n> > deeper\nanswer', { columns: 20 })).toBe(
      '▎ a quote that goes\n▎ on and on\n▎ \n▎ ▎ deeper\nanswer',
    );
  });

  test('have code with its language, and wrap a line below its own beginning', () => {
    expect(picture('```js\nif (x) {\n    call(one, two, three);\n}\n```', { columns: 20 })).toBe(
      '│ js\n│ if (x) {\n│     call(one, two,\n│     three);\n│ }',
    );
  });

  test('have another sign at the left of code than of a quote', () => {
    const text = '```\nlet x;\n```\n> quoted';
    expect(picture(text)).toBe('│ let x;\n▎ quoted');
    expect(picture(text, { isAscii: true })).toBe('| let x;\n> quoted');
  });

  test('have a table, or cards if it is too wide', () => {
    const table = '| Port | Depth |\n|---|---|\n| Aa | 12 m |\n| Bb | three metres at high water |';
    expect(picture(table)).toBe(
      'Port │ Depth\n─────┼────────────────────────────\nAa   │ 12 m\nBb   │ three metres at high water'.replace(
        /─{28}/,
        '─'.repeat(27),
      ),
    );
    expect(picture(table, { columns: 24 })).toBe(
      'Port: Aa\nDepth: 12 m\n────────────\nPort: Bb\nDepth:\n  three metres at high\n  water',
    );
  });

  test('align columns of a table by the colons below its head', () => {
    const table = '| Stop | Time | Way |\n|---|---:|:---:|\n| Pier | 9:00 | on |\n| Harbour | 12:30 | return |';
    expect(picture(table)).toBe(
      'Stop    │  Time │  Way\n────────┼───────┼───────\nPier    │  9:00 │   on\nHarbour │ 12:30 │ return',
    );
    expect(picture(table, { columns: 14 })).toMatch(/^Stop: Pier\nTime: 9:00\nWay: on\n/);
  });

  test('cover a spoiler until it is selected', () => {
    expect(picture('so ||it sank 船||.')).toBe('so ▒▒ ▒▒▒▒ ▒▒.');
    expect(picture('so ||it sank 船||.', { showsSpoilers: true })).toBe('so it sank 船.');
    expect(picture('||[docs](https://a.example)||', { isAscii: true })).toBe('#### ###########');
  });

  test('have styles', () => {
    expect(styled('**a** *b* ~~c~~ `d` **_e_**')).toBe('{1:a} {3:b} {9:c} {33:d} {1;3:e}');
    expect(styled('# a `b`')).toBe('{1;36:a }{1;36;33:b}');
    expect(styled('```ts\nconst a = "b"; // c\n```')).toContain('{95:const} a = {32:"b"}; {2:// c}');
    expect(styled('```nosuch\nconst a\n```')).toContain('const a');
  });
});

test('a part has a target only if a click can act on it, and a covered link has none', () => {
  const [row = []] = rowsOf('see [docs](https://a.example/x) now');
  expect(targetAt(row, 5)).toEqual({ kind: 'link', messageId: 'm1', address: 'https://a.example/x' });
  expect(targetAt(row, 10)).toBeNull();
  const hidden = '||[docs](https://a.example/x) https://b.example||';
  expect(
    rowsOf(hidden)
      .flat()
      .some(({ target }) => target !== undefined),
  ).toBe(false);
  expect(
    rowsOf(hidden, { showsSpoilers: true })
      .flat()
      .filter(({ target }) => target !== undefined),
  ).toHaveLength(2);
});

const messages = [
  'Hey, the *ferry* leaves at **9:00** — don’t be late :)\nBring:\n- a jacket\n- `sunscreen`\n\n> no spoilers!\nok',
  'Könntest du _bitte_ die Datei `übung_1.txt` prüfen? Größe: 3 * 4 cm, Straße 5/7\n1. öffnen\n2. schließen',
  'مرحبا **بالعالم** كيف حالك؟\n> اقتباس طويل من الرسالة\n- واحد\n- اثنان',
  'שלום *עולם*, ראה [תיעוד](https://docs.example/he)\n| א | ב |\n|---|---|\n| ג | ד |',
  'नमस्ते **दुनिया**, क्या `हाल` है?\n- एक\n- दो',
  'สวัสดี **ชาวโลก** ดูที่ ~~เมื่อวาน~~ วันนี้\n> ที่นี่',
  '**重要**：明日の会議は`10:00`からです。\n```py\nprint("こんにちは")\n```\n- 一\n- 二',
  '안녕하세요 **세계**! ||비밀|| `코드`를 보세요\n1. 하나\n2. 둘',
  '👩‍👩‍👧 **🎉 party 🎉** ||🤫|| 👍🏽\n- 🇩🇪 [🔗](https://a.example)\n> ❤️',
];

test.each(messages)('no width is too small for %j', (raw) => {
  for (let columns = 1; columns <= 60; columns++)
    for (const row of rowsOf(raw, { columns, showsSpoilers: columns % 2 === 0 }))
      expect(rowWidth(row)).toBeLessThanOrEqual(columns);
});

const chat = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '**',
        '*',
        '`',
        '\n',
        '\n\n',
        '> ',
        '- ',
        '1. ',
        '```js\n',
        '```',
        '||',
        '| a | b |\n|---|---|\n| ',
      ),
      fc.constantFrom(
        'word ',
        '船',
        '👩‍👩‍👧',
        'https://a.example ',
        '[x](https://a.example)',
        '# ',
        '[ ] ',
        '    ',
        '---\n',
      ),
      anyText,
    ),
    { maxLength: 25 },
  )
  .map((parts) => parts.join(''));

test('no row is wider than there is room, whatever the network sends', () => {
  fc.assert(
    fc.property(chat, fc.integer({ min: 1, max: 50 }), (raw, columns) => {
      for (const row of rowsOf(raw, { columns })) {
        expect(rowWidth(row)).toBeLessThanOrEqual(columns);
        for (const { text } of row) expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      }
    }),
    { numRuns: campaignSize(250, 10_000) },
  );
});

const unmarked = fc
  .array(
    fc.constantFrom('one', 'two', ' ', '  ', '\n', '2 * 3', 'a_b', '5 < 6', '#x', ':)', '船', '👍', "it's", '-5'),
    {
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));

test('a text without markup has the same rows as plain text', () => {
  fc.assert(
    fc.property(unmarked, fc.integer({ min: 1, max: 40 }), (raw, columns) => {
      const text = sanitizeBody(raw);
      expect(parse(text, literal('@'))).toBeNull();
      expect(rowsOf(raw, { columns })).toEqual(wrapStyled(text, columns, ''));
    }),
    { numRuns: campaignSize(150, 5_000) },
  );
});

test('a part of a long message is laid out within the time of a frame', () => {
  const part = '**bold** and `code`, [docs](https://a.example/x) *it*\n- item\n'.repeat(60).slice(0, 4000);
  expect(fastest(40, () => rowsOf(part, { columns: 60 }))).toBeLessThan(40);
});
