/** Formatted messages in the thread: loaded when needed, covered until selected, as typed on demand. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Place } from '../../src/state/model/app-state.ts';
import { highlight } from '../../src/text/markdown/highlighter.ts';
import { parse } from '../../src/text/markdown/parser.ts';
import { createMarkdownLoader, type Markdown, noMarkdown } from '../../src/view/markdown.ts';
import { createPanes } from '../../src/view/panes.ts';
import { themes } from '../../src/view/theme.ts';
import * as eg from '../support/builders/eg.ts';
import { picture } from '../support/builders/picture.ts';
import { scene } from '../support/builders/scene.ts';

beforeEach(eg.restart);

const loaded: Markdown = { ...noMarkdown, parse, highlight };
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

  test('that is long goes on as code where it was cut inside of code', () => {
    const text = `\`\`\`js\n${'let a = 1;\n'.repeat(500)}\`\`\`\nand **text**`;
    const place = { scroll: { at: 'message', messageId: 'm1', line: 0 } as const };
    const screen = drawn(text, { ...place, part: { messageId: 'm1', starts: [3999] } });
    expect(screen).toMatch(/the previous part.*\n.*▎ js.*\n.*▎ let a = 1;/);
    expect(drawn(text, { part: { messageId: 'm1', starts: [3999] } })).toMatch(/▎ let a = 1;.*\n.*and text/);
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
  const counting = (markdown: Partial<Markdown>) => {
    const need = vi.fn();
    return { need, markdown: { ...loaded, ...markdown, need } };
  };

  test('plain text needs no parser, and is drawn without it', () => {
    const { need, markdown } = counting({ parse: null });
    expect(drawn('Hi! It is 5 < 6 (see https://a.example) :)', {}, markdown)).toContain('Hi! It is 5 < 6');
    expect(need).not.toHaveBeenCalled();
  });

  test('markup asks for the parser and is shown as typed until it is there', () => {
    const { need, markdown } = counting({ parse: null });
    expect(drawn('some **bold**', {}, markdown)).toContain('some **bold**');
    expect(need).toHaveBeenCalledWith('parser');
  });

  test('code asks for its colours when its language is named', () => {
    const { need, markdown } = counting({ highlight: null });
    drawn('```\nlet a\n```', {}, markdown);
    expect(need).not.toHaveBeenCalled();
    expect(drawn('```js\nlet a\n```', {}, markdown)).toContain('▎ let a');
    expect(need).toHaveBeenCalledWith('highlighter');
  });

  test('leaves messages as they are drawn where a file is gone', async () => {
    vi.resetModules();
    const open = vi.fn(() => {
      throw new Error('gone');
    });
    vi.doMock('../../src/text/markdown/highlighter.ts', open);
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(onLoaded);
    loader.start();
    loader.current().need('highlighter');
    await vi.waitFor(() => expect(open).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect([loader.current().highlight, onLoaded.mock.calls]).toEqual([null, []]);
    vi.doUnmock('../../src/text/markdown/highlighter.ts');
    vi.resetModules();
  });

  test('waits for the start, loads each part once, and then gives panes that draw with it', async () => {
    const onLoaded = vi.fn();
    const loader = createMarkdownLoader(onLoaded);
    const state = showing('some **bold**');
    expect(picture(make(loader.current()), state).join('\n')).toContain('some **bold**');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(loader.current().parse).toBeNull();

    loader.start();
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(1));
    expect(picture(make(loader.current()), state).join('\n')).toContain('some bold');
    loader.current().need('parser');
    loader.current().need('highlighter');
    await vi.waitFor(() => expect(onLoaded).toHaveBeenCalledTimes(2));
    expect(loader.current().highlight?.('let a', 'js')).toHaveLength(1);
  });
});
