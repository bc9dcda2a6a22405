/** What the mouse selects in the thread is copied as it was written. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AppState } from '../../src/state/model/app-state.ts';
import { foldedRows } from '../../src/state/select/folded-messages.ts';
import { selectText } from '../../src/state/view/thread-place.ts';
import { rowWidth } from '../../src/text/layout/row.ts';
import { parse } from '../../src/text/markdown/parser.ts';
import { sanitizeBody } from '../../src/text/safe/sanitize.ts';
import { noMarkdown } from '../../src/view/markdown.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { campaignSize } from '../support/campaigns/partition.ts';

const ann = eg.contact({ id: 'ann', username: 'ann' });

/** A thread with these texts of ann, on a screen of so many columns. */
function reading(texts: readonly string[], columns = 80) {
  const panes = createPanes({
    theme: themes.dark,
    ascii: false,
    now: () => eg.now,
    markdown: { ...noMarkdown, parse, hasParser: true },
  });
  const messages = texts.map((text, i) =>
    eg.message({ id: `m${i}`, contact: ann, text, conversationId: 'c', createdAt: eg.now - (60 - i) * eg.minute }),
  );
  let state: AppState = eg.state({
    conversations: [eg.conversation({ id: 'c', contactId: 'ann' })],
    contacts: [ann],
    cache: { threads: new Map([['c', eg.thread(messages)]]) },
    ...eg.shown({ openId: 'c', focus: 'composer' }),
  });
  state = { ...state, screen: { ...state.screen, size: { columns, rows: 40 } } };
  const layout = () => panes.layout(state);
  const rows = () => panes.rows('thread', state, layout());
  const selected = (): string => panes.selectedText(state, layout());
  return {
    rows: () => rows().map((row) => row.map(({ text }) => text).join('')),
    inverse: () =>
      rows()
        .flatMap((row) => row.filter(({ style }) => style.split(';').includes('7')).map(({ text }) => text))
        .filter((text) => text.trim() !== ''),
    widths: () => rows().map(rowWidth),
    whole(from: number, to = from): string {
      const at = (i: number) =>
        panes.selectionAt(state, layout(), { messageId: `m${i}`, line: 0, column: 0 }, 'message');
      const [anchor, head] = [at(from)?.anchor, at(to)?.head];
      if (anchor === undefined || head === undefined) throw new Error('no such message');
      state = selectText({ anchor, head })(state);
      return selected();
    },
    /** Drags from the first cell of one text on the screen to the last one of another. */
    drag(from: string, to: string): string {
      const cell = (text: string, isEnd: boolean) => {
        const lines = rows().map((row) => row.map((span) => span.text).join(''));
        const y = lines.findIndex((line) => line.includes(text));
        const x = (lines[y]?.indexOf(text) ?? 0) + (isEnd ? text.length - 1 : 0);
        return panes.spotAt(state, layout(), { x: x + (layout().thread?.x ?? 0), y: y + (layout().thread?.y ?? 0) });
      };
      const [anchor, head] = [cell(from, false)?.spot, cell(to, true)?.spot];
      if (anchor === undefined || head === undefined) throw new Error('not on the screen');
      state = selectText({ anchor, head })(state);
      return selected();
    },
    word(messageId: string, line: number, column: number): string {
      state = selectText(panes.selectionAt(state, layout(), { messageId, line, column }, 'word'))(state);
      return selected();
    },
  };
}

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcdefghijäß'), minLength: 1, maxLength: 90 }),
  fc.constantFrom('日本語のとても長い文章', 'family 👨‍👩‍👧 here', 'half-way/through', 'snake_case', '2', 'สวัสดี'),
);
const prose = fc
  .array(fc.tuple(word, fc.constantFrom(' ', '  ', '\n', '\n\n', ', ')), { minLength: 1, maxLength: 25 })
  .map((parts) => `${parts.map(([text, gap]) => text + gap).join('')}end`);

describe('the whole of a message', () => {
  test('is its text as it was written, at every width', () => {
    fc.assert(
      fc.property(prose, fc.constantFrom(40, 57, 80, 132), (text, columns) => {
        expect(reading([text], columns).whole(0)).toBe(sanitizeBody(text));
      }),
      { numRuns: campaignSize(60, 1) },
    );
  });

  test('of a formatted text is what can be read, without bars and frames', () => {
    const text = '**bold** words\n\n> a quote\n\n- one\n- two\n\n1. first\n\n```js\nif (a) {\n  b();\n}\n```\nend';
    expect(reading([text]).whole(0)).toBe(
      'bold words\n\na quote\n\n• one\n• two\n\n1. first\n\nif (a) {\n  b();\n}\nend',
    );
  });

  test('of a table has a tab between cells', () => {
    expect(reading(['| a | b |\n|---|---|\n| 1 | 2 |']).whole(0)).toBe('a\tb\n1\t2');
  });

  test('of a wrapped line of code is one line', () => {
    const line = `    const long = ${'word '.repeat(40)};`;
    expect(reading([`\`\`\`js\n${line}\n\`\`\``]).whole(0)).toContain(line);
  });

  test('of a folded message is what is shown, without the note of how much more there is', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    expect(reading([lines.join('\n')]).whole(0)).toBe(lines.slice(0, foldedRows).join('\n'));
  });

  test('has the words of a spoiler that is covered on the screen', () => {
    const thread = reading(['The end: ||they all live||, 日本 ||日本|| bye'], 46);
    expect(thread.rows().join()).not.toContain('they');
    expect(thread.whole(0)).toBe('The end: they all live, 日本 日本 bye');
  });

  test('of several messages leaves out authors, times and marks', () => {
    expect(reading(['first one', 'second one', 'third']).whole(0, 1)).toBe('first one\nsecond one');
  });
});

describe('a part', () => {
  const long = `start ${'some words and '.repeat(12)}finish`;

  test('begins and ends in the middle of rows, in either direction', () => {
    expect(reading([long, 'other text']).drag('words and', 'other')).toBe(`${long.slice(11)}\nother`);
    expect(reading([long, 'other text']).drag('other', 'other')).toBe('other');
  });

  test('is drawn in inverse, and no row changes its width', () => {
    const thread = reading([long, 'other text']);
    const before = thread.widths();
    expect(thread.inverse()).toEqual([]);
    thread.drag('words and', 'other');
    expect(thread.inverse().join(' ').replaceAll(/ +/g, ' ')).toBe(`${long.slice(11)} other`);
    expect(thread.widths()).toEqual(before);
  });

  test('does not cut a wide character', () => {
    const thread = reading(['日本語']);
    const column = (thread.rows().find((row) => row.includes('日')) ?? '').indexOf('日');
    expect(thread.word('m0', 0, column + 3)).toBe('日本語');
  });
});

describe('a word', () => {
  test('is an address as a whole, also if it continues in the next row, and without the dot of a sentence', () => {
    const address = `https://a.example/${'long/path/'.repeat(12)}end`;
    const thread = reading([`see ${address}. Then more`]);
    expect(thread.word('m0', 1, 12)).toBe(address);
  });

  test('is nothing between words', () => {
    expect(reading(['a  b']).word('m0', 0, 60)).toBe('');
  });
});
