/**
 * The parser of formatted messages and the colours of code are large, so they are loaded behind the first frame when a
 * message on the screen needs them. Until then messages are drawn as they were when the program was left, others as they
 * were typed, and code without colours.
 */
import { RecentMap } from '../state/collections/memo.ts';
import type { Block, CodeStretch, Highlight, Parse } from '../text/markdown/blocks.ts';
import { literal, type SafeText } from '../text/safe-text.ts';

/** What messages are drawn with. Both do what they can, and what they lack for it is loaded then. */
export interface Markdown {
  readonly parse: Parse;
  readonly highlight: Highlight;
  /** Whether what `parse` says of a text stays so. */
  readonly hasParser: boolean;
}

export const noMarkdown: Markdown = { parse: () => null, highlight: () => [], hasParser: false };

/** What the parser made of texts in an earlier run. */
export type EarlierBlocks = ReadonlyMap<string, readonly Block[]>;

export interface MarkdownLoader {
  /** A new object whenever more was loaded, so that what was drawn without it is drawn again. */
  readonly current: () => Markdown;
  readonly hasParser: () => boolean;
  /** To be called before the messages of an earlier run are drawn. */
  readonly keep: (blocks: EarlierBlocks) => void;
  /** Loads what is needed, now and from now on. */
  readonly start: () => void;
}

/** Loads something. Returns whether messages look different with it. */
type Load = () => Promise<boolean>;

/** @param onLoaded called whenever there is a new `current` */
export function createMarkdownLoader(onLoaded: () => void): MarkdownLoader {
  const waiting: Load[] = [];
  let isStarted = false;
  let isLoading = false;
  let earlier: EarlierBlocks = new Map();
  const loadWaiting = async (): Promise<void> => {
    if (!isStarted || isLoading) return;
    isLoading = true;
    for (let load = waiting.shift(); load !== undefined; load = waiting.shift()) {
      // An update may have replaced the files of the program that runs; messages then stay as they are drawn now.
      if (!(await load().catch(() => false))) continue;
      current = { ...current, hasParser: parser.isLoaded() };
      setImmediate(onLoaded);
    }
    isLoading = false;
  };
  const need = (load: Load): void => {
    waiting.push(load);
    void loadWaiting();
  };
  const parser = new LateParser(need, (text) => earlier.get(text) ?? null);
  let current: Markdown = { parse: parser.parse, highlight: createHighlighter(need), hasParser: false };
  return {
    current: () => current,
    hasParser: parser.isLoaded,
    keep(blocks) {
      earlier = blocks;
    },
    start() {
      isStarted = true;
      void loadWaiting();
    },
  };
}

/** Lets keys through between two pieces of work. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** More than a screen shows: at a new size all of it is drawn again. */
const keptResults = 200;

/** Code that runs for the first time is slow: together, the messages of a screen would take longer than a frame. */
const samples: readonly SafeText[] = [
  literal('**bold** _it_ ~~no~~ `code` ||x||'),
  literal('[docs](https://a.example) https://b.example *c*'),
  literal('# head\n- [ ] a\n  1. b\n\n> c\n\n---\n\n```js\nd\n```'),
  literal('| a | b |\n|---|---|\n| 1 | 2 |'),
];

/** What is parsed in one turn of the event loop, in UTF-16 units: it takes a few milliseconds at most. */
const turnUnits = 16_000;

/** The parser, as soon as it is loaded. Many long texts at once are parsed one after the other behind the frame. */
class LateParser {
  readonly #need: (load: Load) => void;
  readonly #earlier: (text: SafeText) => readonly Block[] | null;
  readonly #results = new RecentMap<string, readonly Block[] | null>(keptResults);
  /** The texts that were drawn without the parser, with the sign of a picture. */
  readonly #unparsed = new Map<SafeText, SafeText>();
  #loaded: Parse | null = null;
  #unitsOfTurn = 0;

  constructor(need: (load: Load) => void, earlier: (text: SafeText) => readonly Block[] | null) {
    this.#need = need;
    this.#earlier = earlier;
  }

  readonly isLoaded = (): boolean => this.#loaded !== null;

  readonly parse: Parse = (text, imageSign) => {
    const known = this.#results.get(keyOf(text, imageSign));
    if (known !== undefined && this.#loaded !== null) return known;
    if (this.#loaded !== null && this.#hasRoom(text.length)) return this.#result(this.#loaded, text, imageSign);
    if (this.#unparsed.size === 0) this.#need(this.#load);
    if (this.#unparsed.size < keptResults) this.#unparsed.set(text, imageSign);
    return this.#earlier(text);
  };

  readonly #load: Load = async () => {
    const { parse } = await import('../text/markdown/parser.ts');
    for (const text of this.isLoaded() ? [] : samples) {
      await pause();
      parse(text, literal(''));
    }
    for (const [text, imageSign] of this.#unparsed) {
      await pause();
      this.#result(parse, text, imageSign);
    }
    this.#unparsed.clear();
    this.#loaded = parse;
    return true;
  };

  #result(parse: Parse, text: SafeText, imageSign: SafeText): readonly Block[] | null {
    const blocks = parse(text, imageSign);
    this.#results.set(keyOf(text, imageSign), blocks);
    return blocks;
  }

  #hasRoom(units: number): boolean {
    if (this.#unitsOfTurn === 0) setImmediate(this.#endTurn);
    this.#unitsOfTurn += units;
    return this.#unitsOfTurn <= turnUnits;
  }

  readonly #endTurn = (): void => {
    this.#unitsOfTurn = 0;
  };
}

const keyOf = (text: SafeText, imageSign: SafeText): string => `${imageSign}\n${text}`;

/** The patterns of a language are made for the first text, and compiled for the others. Together that is a long frame. */
const codeSamples: readonly string[] = ['', 'a', 'if (a == "b") return 1; // c'];
const mostLanguages = 100;

function createHighlighter(need: (load: Load) => void): Highlight {
  const results = new RecentMap<string, readonly CodeStretch[]>(keptResults);
  const asked = new Set<string>();
  const ready = new Map<string, Highlight>();
  const load = async (language: string): Promise<boolean> => {
    const { highlight, hasLanguage } = await import('../text/markdown/highlighter.ts');
    if (!hasLanguage(language)) return false;
    for (const code of codeSamples) {
      await pause();
      highlight(code, language);
    }
    await pause();
    ready.set(language, highlight);
    return true;
  };
  return (code, language) => {
    const highlight = ready.get(language);
    if (highlight === undefined) {
      if (language !== '' && !asked.has(language) && asked.size < mostLanguages) {
        asked.add(language);
        need(() => load(language));
      }
      return [];
    }
    const key = `${language}\n${code}`;
    const known = results.get(key) ?? highlight(code, language);
    results.set(key, known);
    return known;
  };
}
