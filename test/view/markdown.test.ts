/** Formatted messages in the thread: loaded when needed, covered until selected, as typed on demand. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Message } from '../../src/protocol/types.ts';
import type { Place } from '../../src/state/model/app-state.ts';
import { highlight } from '../../src/text/markdown/highlighter.ts';
import { parse } from '../../src/text/markdown/parser.ts';
import { literal, type SafeText } from '../../src/text/safe-text.ts';
import type { ColourAnswer, StartColourer } from '../../src/view/code-colours.ts';
import { createMarkdownLoader, type Markdown, noMarkdown } from '../../src/view/markdown.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const loaded: Markdown = { ...noMarkdown, parse, highlight, hasParser: true };

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
const make = (markdown: Markdown, ascii = false) =>
  createPanes({ theme: themes.dark, ascii, now: () => eg.now, markdown });

function showing(text: string, place: Partial<Place> = {}) {
  const state = scene({ size: { columns: 100, rows: 30 } });
  const message = eg.message({ id: 'm1', conversationId: 'c-ann', text });
  return {
    ...state,
    cache: { ...state.cache, threads: new Map([['c-ann', eg.thread([message])]]) },
    view: {
      ...state.view,
      places: new Map([['c-ann', { scroll: { at: 'bottom' as const }, selectedId: null, ...place }]]),
    },
  };
}

const drawn = (text: string, place: Partial<Place> = {}, markdown = loaded): string =>
  picture(make(markdown), showing(text, place)).join('\n');

/** Colours code in this thread, a turn of the event loop later. */
const inTurns: StartColourer = async (onAnswer) => ({
  ask: ({ code, language }) => void setImmediate(() => onAnswer(highlight(code, language) as ColourAnswer)),
  end: () => undefined,
});

describe('a message', () => {
  test('is formatted', () => {
    expect(drawn('- **bold**\n- `code`')).toMatch(/• bold.*\n.*• code/);
  });

  test('is shown as it was typed on demand', () => {
    expect(drawn('- **bold**', { rawId: 'm1' })).toContain('- **bold**');
    expect(drawn('- **bold**', { rawId: 'other' })).toContain('• bold');
  });

  test('hides its spoilers until it is selected, without a change of the message', () => {
    const panes = make(loaded);
    const state = showing('the end: ||it sank||');
    const view = (selectedId: string | null) => ({
      ...state.view,
      places: new Map([['c-ann', { scroll: { at: 'bottom' as const }, selectedId }]]),
    });
    for (const _ of [1, 2]) {
      expect(picture(panes, { ...state, view: view(null) }).join('\n')).toContain('the end: ▒▒ ▒▒▒▒');
      expect(picture(panes, { ...state, view: view('m1') }).join('\n')).toContain('the end: it sank');
    }
  });

  test('that is long continues as code if it was cut inside of code', () => {
    const text = `\`\`\`js\n${'let a = 1;\n'.repeat(500)}\`\`\`\nand **text**`;
    const place = { scroll: { at: 'message', messageId: 'm1', line: 0 } as const };
    const screen = drawn(text, { ...place, part: { messageId: 'm1', starts: [3999] } });
    expect(screen).toMatch(/the previous part.*\n.*│ js.*\n.*│ let a = 1;/);
    expect(drawn(text, { part: { messageId: 'm1', starts: [3999] } })).toMatch(/│ let a = 1;.*\n.*and text/);
  });

  test('with --ascii is drawn in ASCII', () => {
    const text =
      '> q\n- [x] a\n- b\n\n| a | b |\n|---|---|\n| c | d |\n\n---\n\n![x](https://a.example/x) ||y||\n```\nz\n```';
    const screen = picture(make(loaded, true), showing(text)).join('\n');
    expect(screen).toMatch(/^[\x20-\x7e\n]*$/);
    expect(screen).toContain('[x] a');
  });
});

describe('loading', () => {
  const counting = () => {
    const parsing = vi.fn(parse);
    const highlighting = vi.fn(highlight);
    return {
      parsing,
      highlighting,
      markdown: { ...noMarkdown, parse: parsing, highlight: highlighting, hasParser: true },
    };
  };

  test('is not needed for plain text', () => {
    const { parsing, markdown } = counting();
    expect(drawn('Hi! It is 5 < 6 (see https://a.example) :)', {}, markdown)).toContain('Hi! It is 5 < 6');
    expect(parsing).not.toHaveBeenCalled();
  });

  test('leaves messages as they are drawn if a file is missing', async () => {
    vi.resetModules();
    const open = vi.fn(() => {
      throw new Error('gone');
    });
    vi.doMock('../../src/text/markdown/parser.ts', open);
    onTestFinished(() => {
      vi.doUnmock('../../src/text/markdown/parser.ts');
      vi.resetModules();
    });
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(inTurns, onLoaded);
    loader.start();
    expect(loader.current().parse(literal('*a*'), literal('@'))).toBeNull();
    await vi.waitFor(() => expect(open).toHaveBeenCalled());
    await turns(20);
    expect(loader.current().parse(literal('*a*'), literal('@'))).toBeNull();
    expect([open.mock.calls.length, onLoaded.mock.calls.length]).toEqual([1, 0]);
  });

  test('waits for the start, happens once for each part, and then gives panes that draw with it', async () => {
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(inTurns, onLoaded);
    const state = showing('some **bold**');
    expect(picture(make(loader.current()), state).join('\n')).toContain('some **bold**');
    await turns(20);
    expect(loader.hasParser()).toBe(false);

    loader.start();
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
    expect(loader.hasParser()).toBe(true);
    expect(picture(make(loader.current()), state).join('\n')).toContain('some bold');
    const code = () => loader.current().highlight('let a', 'js');
    expect([code(), code()]).toEqual([[], []]);
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(2));
    expect(code()).toHaveLength(1);
  });

  test('draws a message with code again with the colours, and no other', async () => {
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(inTurns, onLoaded);
    loader.start();
    loader.current().parse(literal('*a*'), literal('@'));
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
    const panes = make(loader.current());
    const state = showing('```js\nlet a\n```');
    const messages = state.cache.threads.get('c-ann')?.messages ?? [];
    const other = eg.message({ id: 'm2', conversationId: 'c-ann', text: '**bold**' });
    const both = {
      ...state,
      cache: { ...state.cache, threads: new Map([['c-ann', eg.thread([...messages, other])]]) },
    };
    const styles = (): readonly string[] =>
      panes
        .rows('thread', both, panes.layout(both))
        .flat()
        .filter(({ text }) => /let/.test(text))
        .map(({ text, style }) => `${text} ${style}`);
    expect(styles()).toEqual(['let a ']);
    expect(panes.drawn()).toBe(2);
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(2));
    expect(styles()).toEqual([`let ${themes.dark.markdown.syntax.keyword}`]);
    expect(panes.drawn()).toBe(3);
    styles();
    expect(panes.drawn()).toBe(3);
  });

  test('shows some of many long messages as typed for a moment, so that no turn of the event loop is long', async () => {
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(inTurns, onLoaded);
    loader.start();
    loader.current().parse(literal('*a*'), literal('@'));
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
    const texts = Array.from({ length: 20 }, (_, i) => `*${i}* ${'[a](https://a.example) '.repeat(150)}` as SafeText);
    const formatted = () => texts.filter((text) => loader.current().parse(text, literal('@')) !== null).length;
    expect(formatted()).toBeLessThan(6);
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(2));
    expect(formatted()).toBe(texts.length);
  });

  test('parses what is on the screen for the first time one piece in a turn of the event loop', async () => {
    vi.resetModules();
    let turn = 0;
    const busy = new Map<number, number>();
    const count =
      <A extends readonly unknown[], R>(work: (...args: A) => R) =>
      (...args: A): R => {
        busy.set(turn, (busy.get(turn) ?? 0) + 1);
        return work(...args);
      };
    const parsing = vi.fn(count(parse));
    vi.doMock('../../src/text/markdown/parser.ts', () => ({ parse: parsing }));
    let isOver = false;
    const next = (): void => {
      turn++;
      if (!isOver) setImmediate(next);
    };
    next();
    onTestFinished(() => {
      isOver = true;
      vi.doUnmock('../../src/text/markdown/parser.ts');
      vi.resetModules();
    });
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(inTurns, onLoaded);
    const texts = Array.from({ length: 50 }, (_, i) => `*a* ${i}` as SafeText);
    for (const text of texts) loader.current().parse(text, literal('@'));
    loader.start();
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
    expect(Math.max(...busy.values())).toBe(1);
    const { length } = parsing.mock.calls;
    for (const text of texts) expect(loader.current().parse(text, literal('@'))).toEqual(parse(text, literal('@')));
    expect(parsing).toHaveBeenCalledTimes(length);
  });
});

describe('a message in one line', () => {
  const linesOf = (text: string, markdown: Markdown, fields: Partial<Message> = {}): string => {
    const state = showing('other words');
    const [conversation] = [...state.cache.conversations.values()].filter(({ id }) => id === 'c-ann');
    if (conversation === undefined) throw new Error('no conversation');
    const pinned = eg.message({ id: 'm9', conversationId: 'c-ann', text, ...fields });
    const conversations = new Map(state.cache.conversations);
    conversations.set('c-ann', { ...conversation, pinnedMessageId: 'm9' });
    const lastMessages = new Map([['c-ann', pinned]]);
    const cache = { ...state.cache, conversations, lastMessages };
    return picture(make(markdown), { ...state, cache }).join('\n');
  };

  test('has no markers in the list and in the pinned line', () => {
    const rows = linesOf('**Harbour** `crew` ||sank||', loaded);
    expect(rows.match(/Harbour crew ▒▒▒▒/g)).toHaveLength(2);
    expect(rows).not.toContain('**');
    expect(linesOf('---', loaded)).toContain('---');
  });

  test('is the name of its file where it has no words, and has no quote, in the pinned line too', () => {
    const attachments = [{ label: 'map.png', url: null, size: null, mediaType: null, fields: {} }];
    expect(linesOf('', loaded, { attachments }).match(/📎 map.png/g)).toHaveLength(2);
    const reply = linesOf('> bob wrote:\n> Where?\nAt the harbour', loaded);
    expect([reply.match(/At the harbour/g)?.length, reply.includes('Where?')]).toEqual([2, false]);
  });

  test('is shown as typed until the parser is loaded', () => {
    expect(linesOf('**Harbour** `crew`', noMarkdown).match(/\*\*Harbour\*\* `crew`/g)).toHaveLength(2);
  });
});
