/**
 * The types of the blocks of a message, which the parser makes and `markdownRows` draws below each other; and checks
 * that need no parser.
 */
import type { SafeText } from '../safe-text.ts';

/**
 * The style that markers have given a stretch of text. `host` is the host of a link, which the program adds and the sender
 * did not type.
 */
export type Mark = 'bold' | 'italic' | 'strike' | 'code' | 'spoiler' | 'host';

/** A stretch of a text with the same marks throughout, in UTF-16 units; `end` is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly Mark[];
  /** What a click opens; null for text that is no link. */
  readonly href: string | null;
}

/** Text without the markers that styled it; the stretches cover all of it, from left to right. */
export interface RichText {
  readonly text: SafeText;
  readonly stretches: readonly Stretch[];
}

/** What is shown to the left of a block: the bar of a quote, or the marker of a list item with the room below it. */
export type Margin =
  | { readonly kind: 'quote' }
  | { readonly kind: 'item'; readonly marker: ItemMarker /** False below the first row. */; readonly isFirst: boolean };

/** `text` is the number as it was typed. */
export type ItemMarker =
  | { readonly kind: 'bullet' | 'open' | 'done' }
  | { readonly kind: 'text'; readonly text: SafeText };

export type Block = { readonly margins: readonly Margin[] } & (
  | { readonly kind: 'blank'; readonly lines: number }
  | { readonly kind: 'text'; readonly content: RichText }
  | { readonly kind: 'heading'; readonly level: number; readonly content: RichText }
  | { readonly kind: 'code'; readonly info: SafeText; readonly text: SafeText }
  | { readonly kind: 'rule' }
  | {
      readonly kind: 'table';
      readonly head: readonly RichText[];
      readonly rows: readonly (readonly RichText[])[];
      /** One for each cell of the head. */
      readonly alignments: readonly Alignment[];
    }
);

/** Where the text of a column stands, which the colons below the head say (`---:`). */
export type Alignment = 'left' | 'centre' | 'right';

/**
 * Returns null when nothing in the text is markup.
 * @param imageSign what is put before the name of a picture
 */
export type Parse = (text: SafeText, imageSign: SafeText) => readonly Block[] | null;

/** A stretch of code in a colour of its own. */
export interface CodeStretch {
  readonly start: number;
  readonly end: number;
  readonly kind: CodeKind;
}

export type CodeKind = 'keyword' | 'string' | 'number' | 'comment' | 'title' | 'meta' | 'addition' | 'deletion';

/** Returns the coloured stretches from left to right, without overlap. */
export type Highlight = (code: string, language: string) => readonly CodeStretch[];

/** The patterns of highlight.js take time that grows with the square of what fits none of them. */
const mostColoured = 2000;
const longestLine = /[^\n]{300}/;

/** Whether code can have colours: no person would read it line by line otherwise. */
export const hasColours = (code: string): boolean => code.length <= mostColoured && !longestLine.test(code);

const markers = /[*_`]|~~|\|\||\]\(|^ *(?:#{1,6} |>|[-+] |\d{1,9}[.)] |---|[|:][ |:-]*$)/m;

/** False for text in which the parser would find nothing, so that it need not be loaded. */
export const mayHaveMarkup = (text: string): boolean => markers.test(text);

export const hasSpoiler = (blocks: readonly Block[]): boolean =>
  blocks.some((block) => {
    if (block.kind === 'text' || block.kind === 'heading') return isCovered(block.content);
    return block.kind === 'table' && [block.head, ...block.rows].some((row) => row.some(isCovered));
  });

const isCovered = ({ stretches }: RichText): boolean => stretches.some(({ marks }) => marks.includes('spoiler'));
