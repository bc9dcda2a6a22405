/** Whatever was written: a formatted message shows all of it but its markers, adds nothing to it, and fits its pane. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row, Style } from '../../../src/text/layout/row.ts';
import { rowWidth } from '../../../src/text/layout/row.ts';
import { wrapStyled } from '../../../src/text/layout/wrap.ts';
import { parse } from '../../../src/text/markdown/parser.ts';
import { markdownRows } from '../../../src/text/markdown/rows.ts';
import type { MarkdownStyles } from '../../../src/text/markdown/style.ts';
import { sanitizeBody } from '../../../src/text/safe/sanitize.ts';
import { unicodeSigns } from '../../../src/view/glyph-set.ts';
import { themes } from '../../../src/view/theme.ts';
import { campaignSize } from '../../support/campaigns/partition.ts';
import { chat } from '../arbitraries.ts';

/** Styles that mark what the program adds: bars, rules and notes. */
const added: Style = '58';
const styles: MarkdownStyles = { ...themes.dark.markdown, line: added, note: added };

interface Shown {
  readonly source: string;
  readonly rows: readonly Row[];
  readonly hasTable: boolean;
  /** The languages of code, which are shown above it as notes. */
  readonly languages: string;
}

function rowsOf(raw: string, columns: number): Shown {
  const source = sanitizeBody(raw);
  const blocks = parse(source, unicodeSigns.picture);
  const drawing = { columns, styles, signs: unicodeSigns, messageId: 'm', showsSpoilers: true, highlight: () => [] };
  return {
    source,
    rows: blocks === null ? wrapStyled(source, columns, '') : markdownRows(blocks, drawing),
    hasTable: blocks?.some(({ kind }) => kind === 'table') === true,
    languages: (blocks ?? []).map((block) => (block.kind === 'code' ? block.info : '')).join(''),
  };
}

const isAdded = (style: Style): boolean => style.split(';').includes(added);

/** Below a mark without a letter, which a mark after a marker gets as well. */
const circles = /\u25cc/g;

/** What the rows show of the text, without spaces, list markers and circles. */
function written(rows: readonly Row[], source: string): string {
  const shown = rows.flatMap((row) => row.filter(({ style }) => !isAdded(style)).map(({ text }) => text));
  const signs = [unicodeSigns.bullet, unicodeSigns.taskOpen, unicodeSigns.taskDone].filter(
    (sign) => !source.includes(sign),
  );
  const words = signs.reduce<string>((text, sign) => text.replaceAll(sign, ''), shown.join(''));
  return words.replace(circles, '').replace(/\s/g, '');
}

/** Characters of markers, and those of the addresses behind links, of which the host is shown. */
const markup = /[*_`~|>#+\-.()[\]!:/\\=<\s\dxXhtpsqeamljc]/gu;

const counted = (text: string): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const character of text.replace(markup, '')) counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
};

function expectWhole(raw: string, columns: number): void {
  const { source: drawn, rows, languages } = rowsOf(raw, columns);
  const source = drawn.replace(circles, '');
  const shown = written(rows, source);
  expect(counted(shown + languages), raw).toEqual(counted(source));
  let at = 0;
  for (const character of shown.match(/[^:]/gu) ?? []) {
    at = source.indexOf(character, at) + character.length;
    expect(at, `${JSON.stringify(character)} of ${JSON.stringify(raw)}`).toBeGreaterThanOrEqual(character.length);
  }
  for (const row of rows) expect(rowWidth(row)).toBeLessThanOrEqual(columns);
}

test('of any text only markers are left out, nothing is added, and no row is too wide', () => {
  fc.assert(
    fc.property(chat, fc.integer({ min: 8, max: 60 }), (raw, columns) => {
      // The cards of a narrow table repeat its head.
      fc.pre(!rowsOf(raw, columns).hasTable);
      expectWhole(raw, columns);
    }),
    { numRuns: campaignSize(250, 20_000) },
  );
});

test('what is selected and copied of any text as typed is what was written, except for blanks at its end', () => {
  fc.assert(
    fc.property(chat, fc.integer({ min: 2, max: 60 }), (raw, columns) => {
      const source = sanitizeBody(raw);
      const parts = wrapStyled(source, columns, '').flat();
      // It replaces a character that is wider than a row.
      fc.pre(!parts.some(({ text }) => text === '…'));
      expect(
        parts
          .map(({ before, text }) => `${before}${text}`)
          .join('')
          .trimEnd(),
      ).toBe(`\n${source}`.trimEnd());
    }),
    { numRuns: campaignSize(250, 20_000) },
  );
});

/** One text at least for each section of the CommonMark specification, 0.31. */
const sections: Readonly<Record<string, readonly string[]>> = {
  tabs: ['\tfoo\tbaz\t\tbim', '  - foo\n\n\tbar', '>\t\tfoo', '-\t\tfoo', '#\tFoo', '*\t*\t*\t'],
  'backslash escapes': [
    '\\!\\"\\#\\$\\%',
    '\\*not emphasis*',
    '\\\\*emphasis*',
    '`` \\[\\` ``',
    '[foo](/bar\\* "ti\\*tle")',
  ],
  entities: ['&nbsp; &amp; &copy;', '&#35; &#1234;', '&foo;', '[a](url &quot;tit&quot;)', '&#42;foo&#42;'],
  precedence: ['- `one\n- two`', '*foo`*`', '[not a `link](/foo`)'],
  'thematic breaks': [
    '***\n---\n___',
    '+++',
    '--\n**\n__',
    ' ***\n  ***\n   ***',
    '- foo\n***\n- bar',
    'Foo\n---\nbar',
  ],
  'ATX headings': [
    '# foo\n## foo\n####### foo',
    '#5 bolt\n\n#hashtag',
    '\\## foo',
    '## foo ##\n  ###   bar    ###',
    '## \n#\n### ###',
  ],
  'setext headings': ['Foo *bar*\n=========', 'Foo\n-------------------------', '`Foo\n----\n`', '> Foo\n---'],
  'indented code': [
    '    a simple\n      indented code block',
    '  - foo\n\n    bar',
    '    <a/>\n    *hi*',
    'Foo\n    bar',
  ],
  'fenced code': [
    '```\n<\n >\n```',
    '``\nfoo\n``',
    '```\naaa\n~~~\n```',
    '````\naaa\n```\n``````',
    '> ```\n> aaa\n\nbbb',
    '~~~~ ruby startline=3 $%@#$\ndef foo(x)\nend\n~~~~~~~',
  ],
  'HTML blocks': [
    '<div>\n*hello*\n         <foo><a>',
    '<!-- Foo\n\nbar -->',
    '<?php echo 1; ?>\nokay',
    '<del>\n*foo*\n</del>',
  ],
  'reference definitions': [
    '[foo]: /url "title"\n\n[foo]',
    '[foo]: \n   /url  \n[foo]',
    '[foo\\]]: /url',
    '[foo]: /url\n===\n[foo]',
  ],
  paragraphs: [
    'aaa\n\nbbb',
    '  aaa\n bbb',
    'aaa     \nbbb     ',
    'aaa\n             bbb\n                       ccc',
    '  \n\naaa\n  \n\n# aaa\n\n  ',
  ],
  quotes: [
    '> # Foo\n> bar\n> baz',
    '   > # Foo\n   >bar',
    '> bar\nbaz\n> foo',
    '> - foo\n- bar',
    '>\n> foo\n>  ',
    '> > > foo\nbar',
    '>     code',
  ],
  'list items': [
    'A paragraph\n\n1.  A block\n\n    > quote',
    '- one\n\n two',
    '-one\n\n2.two',
    '123456789. ok',
    '1234567890. not ok',
    '-1. not ok',
    '- foo\n-\n- bar',
    '10) foo\n    - bar',
    '- - foo',
    '1. - 2. foo',
  ],
  lists: [
    '- foo\n- bar\n+ baz',
    '1. foo\n2. bar\n3) baz',
    'The number is\n14.  of doors',
    '- foo\n\n- bar\n\n\n- baz',
    '- a\n  > b\n\n  c',
    '* a\n  > b\n  >\n* c',
    '- a\n - b\n  - c\n   - d',
  ],
  'code spans': [
    '`foo`',
    '`` foo ` bar ``',
    '` `` `',
    '`foo   bar \nbaz`',
    '`foo\\`bar`',
    '*foo`*`',
    '```foo``',
    '`foo',
    '`<https://foo.bar.`baz>`',
  ],
  emphasis: [
    '*foo bar*',
    'a * foo bar*',
    'a*"foo"*',
    'foo*bar*',
    '_foo bar_',
    'пристаням_стремятся_',
    '**foo bar**',
    '__foo, __bar__, baz__',
    '***foo** bar*',
    '*foo**bar**baz*',
    '**foo*bar*baz**',
    'foo******bar*********baz',
    '** is not an empty emphasis',
    '*foo _bar* baz_',
    '**foo **bar baz**',
    '*a `*`*',
    '**a<https://foo.bar/?q=**>',
  ],
  links: [
    '[link](/uri "title")',
    '[link]()',
    '[link](</my uri>)',
    '[link](foo(and(bar)))',
    '[link](#fragment)',
    '[link] (/uri)',
    '[link [foo [bar]]](/uri)',
    '[foo *bar [baz][ref]*][ref]',
    '[foo`](/uri)`',
    '[![moon](moon.jpg)](/uri)',
    '![[[foo](uri1)](uri2)](uri3)',
  ],
  images: ['![foo](/url "title")', '![foo *bar*]', '![](/url)', '!\\[foo]', '\\![foo]'],
  autolinks: [
    '<https://foo.bar.baz>',
    '<MAILTO:FOO@BAR.BAZ>',
    '< https://foo.bar >',
    'https://example.com',
    'foo@bar.example.com',
  ],
  'raw HTML': [
    '<a><bab><c2c>',
    '<a  /><b2\ndata="foo" >',
    '<33> <__>',
    'foo <!-- this is a --\ncomment - with hyphens -->',
    '<a href="\\*">',
  ],
  breaks: ['foo  \nbaz', 'foo\\\nbaz', '*foo  \nbar*', '`code\\\nspan`', '### foo\\', 'foo \n baz'],
  text: ["hello $.;'there", 'Foo χρῆν', 'Multiple     spaces'],
};

test.each(Object.entries(sections))('of the examples of %s nothing is left out or added', (_, texts) => {
  for (const text of texts) for (const columns of [8, 30, 80]) expectWhole(text, columns);
});
