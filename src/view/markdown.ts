/**
 * Loads the parser of formatted messages, which is large, after the first frame and when a message on the screen needs
 * it. Until then messages are drawn as they were when the program was left, others as they were typed.
 */
import { RecentMap } from '../state/collections/memo.ts';
import type { Block, Parse } from '../text/markdown/blocks.ts';
import { literal, type SafeText } from '../text/safe-text.ts';
import { type CodeColours, createCodeColours, noColours, type StartColourer } from './code-colours.ts';

/** Parses and colours messages for drawing. The parser and the colours are loaded when a message needs them. */
export interface Markdown extends CodeColours {
  readonly parse: Parse;
  /** Whether the result of `parse` is final: without the parser, a later call may give another one. */
  readonly hasParser: boolean;
}

export const noMarkdown: Markdown = { ...noColours, parse: () => null, hasParser: false };

/** The parsed blocks of texts from an earlier run. */
export type EarlierBlocks = ReadonlyMap<string, readonly Block[]>;

export interface MarkdownLoader {
  /** Returns a new object once the parser is loaded, so that what was drawn without it is drawn again. */
  readonly current: () => Markdown;
  readonly hasParser: () => boolean;
  /** To be called before the messages of an earlier run are drawn. */
  readonly keep: (blocks: EarlierBlocks) => void;
  /** Loads what is needed, now and from now on. */
  readonly start: () => void;
}

type Load = () => Promise<void>;

/**
 * @param startColourer called after the first frame, when code is to have colours
 * @param onLoaded called whenever messages should be drawn again
 */
export function createMarkdownLoader(startColourer: StartColourer, onLoaded: () => void): MarkdownLoader {
  let earlier: EarlierBlocks = new Map();
  let start: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const load = async (loadParser: Load): Promise<void> => {
    await started;
    // An update may have replaced the files of the program that runs; messages then stay as they are drawn now.
    if (!(await loadParser().then(isDone, isFailed))) return;
    current = { ...current, hasParser: true };
    setImmediate(onLoaded);
  };
  const parser = new LateParser(
    (loadParser) => void load(loadParser),
    (text) => earlier.get(text) ?? null,
  );
  const colours = createCodeColours(async (...listeners) => {
    await started;
    return startColourer(...listeners);
  }, onLoaded);
  let current: Markdown = { ...colours, parse: parser.parse, hasParser: false };
  return {
    current: () => current,
    hasParser: parser.isLoaded,
    keep(blocks) {
      earlier = blocks;
    },
    start: () => start(),
  };
}

const isDone = (): boolean => true;
const isFailed = (): boolean => false;

/** Lets keys through between two pieces of work. */
const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The number of results that are kept, more than a screen shows: at a new size all of it is drawn again. */
const keptResults = 200;

/** Code that runs for the first time is slow: together, the messages of a screen would take longer than a frame. */
const samples: readonly SafeText[] = [
  literal('**bold** _it_ ~~no~~ `code` ||x||'),
  literal('[docs](https://a.example) https://b.example *c*'),
  literal('# head\n- [ ] a\n  1. b\n\n> c\n\n---\n\n```js\nd\n```'),
  literal('| a | b |\n|---|---|\n| 1 | 2 |'),
];

/** The UTF-16 units that are parsed in one turn of the event loop: they take a few milliseconds at most. */
const turnUnits = 16_000;

/** The parser, as soon as it is loaded. Many long texts at once are parsed one after the other, once the frame is out. */
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
