/**
 * The parser of formatted messages and the colours of code are large, so they are loaded behind the first frame when a
 * message on the screen needs them. Until then messages are drawn as they were when the program was left, and others as
 * they were typed.
 */
import type { Block, Highlight, Parse } from '../text/markdown/blocks.ts';
import { literal, type SafeText } from '../text/safe-text.ts';

export interface Markdown {
  /** null while it is not loaded. */
  readonly parse: Parse | null;
  readonly highlight: Highlight | null;
  /** What the parser made of a text in an earlier run; null where that is not known. To be used while `parse` is null. */
  readonly kept: (text: SafeText) => readonly Block[] | null;
  /** Call when a message cannot be drawn without a part that is not loaded. */
  readonly need: (part: MarkdownPart) => void;
}

type MarkdownPart = 'parser' | 'highlighter';

export const noMarkdown: Markdown = { parse: null, highlight: null, kept: () => null, need: () => {} };

export interface MarkdownLoader {
  /** A new object after each part that was loaded, so that what was drawn without it is drawn again. */
  readonly current: () => Markdown;
  /** To be called with what is known of an earlier run before its messages are drawn. */
  readonly keep: (page: ReadonlyMap<string, readonly Block[]>) => void;
  /** Loads what is needed, now and from now on. */
  readonly start: () => void;
}

/** Code that runs for the first time is slow: together, the messages of a screen would take longer than a frame. */
const samples: readonly SafeText[] = [
  literal('**bold** _it_ ~~no~~ `code` ||x||'),
  literal('[docs](https://a.example) https://b.example *c*'),
  literal('# head\n- [ ] a\n  1. b\n\n> c\n\n---\n\n```js\nd\n```'),
  literal('| a | b |\n|---|---|\n| 1 | 2 |'),
];

/** Keys come first. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** @param onLoaded called after each part */
export function createMarkdownLoader(onLoaded: () => void): MarkdownLoader {
  const needed = new Set<MarkdownPart>();
  let isStarted = false;
  const need = (part: MarkdownPart): void => {
    if (needed.has(part)) return;
    needed.add(part);
    if (isStarted) void tryLoad(part);
  };
  let page: ReadonlyMap<string, readonly Block[]> = new Map();
  let current: Markdown = { parse: null, highlight: null, kept: (text) => page.get(text) ?? null, need };
  const load = async (part: MarkdownPart): Promise<void> => {
    if (part === 'parser') {
      const { parse } = await import('../text/markdown/parser.ts');
      for (const text of samples) {
        await pause();
        parse(text, literal(''));
      }
      current = { ...current, parse };
    } else {
      const { highlight } = await import('../text/markdown/highlighter.ts');
      current = { ...current, highlight };
    }
    setImmediate(onLoaded);
  };
  /** An update may have replaced the files of the program that runs; messages then stay as they are drawn now. */
  const tryLoad = (part: MarkdownPart): Promise<void> => load(part).catch(() => {});
  return {
    current: () => current,
    keep(next) {
      page = next;
    },
    start() {
      isStarted = true;
      for (const part of needed) void tryLoad(part);
    },
  };
}
