/**
 * Formatted messages as text, to be kept on the disk until the next start. What comes from there is used only where the
 * same program wrote it and it could have come from the parser.
 */
import { isObject } from '../../protocol/fields.ts';
import { isOpenable } from '../links.ts';
import { sanitizeBody, sanitizeLine } from '../safe/sanitize.ts';
import type { SafeText } from '../safe-text.ts';
import type { Alignment, Block, ItemMarker, Margin, Mark, RichText, Stretch } from './blocks.ts';
import { hostOf } from './rich-text.ts';

/** A text, and what the parser made of it. */
export interface FormattedText {
  readonly source: SafeText;
  readonly blocks: readonly Block[];
}

/** With another of the two, the parser may give other blocks for the same text. */
export interface PageWriter {
  readonly version: string;
  /** What is put before the name of a picture. */
  readonly imageSign: SafeText;
}

const nameOf = ({ version, imageSign }: PageWriter): string => `${version} ${imageSign}`;

export const writePage = (writer: PageWriter, texts: readonly FormattedText[]): string =>
  texts.length === 0
    ? ''
    : JSON.stringify({ writer: nameOf(writer), texts: texts.map(({ source, blocks }) => [source, blocks]) });

/** Returns the blocks by their text. A text that is damaged is left out. */
export function readPage(writer: PageWriter, page: string): ReadonlyMap<string, readonly Block[]> {
  const found = new Map<string, readonly Block[]>();
  const value = parseJson(page);
  if (!isObject(value) || value.writer !== nameOf(writer) || !Array.isArray(value.texts)) return found;
  for (const text of value.texts) {
    const [source, blocks]: unknown[] = Array.isArray(text) ? text : [];
    if (typeof source === 'string' && isListOf(blocks, isBlock) && isMadeOf(source, blocks, writer))
      found.set(source, blocks);
  }
  return found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Check<T> = (value: unknown) => value is T;

const isListOf = <T>(value: unknown, isOne: Check<T>): value is readonly T[] =>
  Array.isArray(value) && value.every(isOne);

const isText = (value: unknown): value is SafeText => typeof value === 'string' && sanitizeBody(value) === value;
const isLine = (value: unknown): value is SafeText => typeof value === 'string' && sanitizeLine(value) === value;
const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;

/** A part of a message has fewer lines. */
const mostLines = 10_000;

const isBlock: Check<Block> = (value): value is Block => {
  if (!isObject(value) || !isListOf(value.margins, isMargin)) return false;
  switch (value.kind) {
    case 'blank':
      return isCount(value.lines, mostLines);
    case 'text':
      return isRichText(value.content);
    case 'heading':
      return isCount(value.level, 6) && isRichText(value.content);
    case 'code':
      return isLine(value.info) && isText(value.text);
    case 'rule':
      return true;
    case 'table':
      return (
        isListOf(value.head, isRichText) &&
        isListOf(value.rows, (row) => isListOf(row, isRichText)) &&
        isListOf(value.alignments, isAlignment) &&
        value.alignments.length === value.head.length
      );
    default:
      return false;
  }
};

const isAlignment: Check<Alignment> = (value): value is Alignment =>
  ['left', 'centre', 'right'].includes(String(value));

const isMargin: Check<Margin> = (value): value is Margin =>
  isObject(value) &&
  (value.kind === 'quote' || (value.kind === 'item' && typeof value.isFirst === 'boolean' && isMarker(value.marker)));

const isMarker = (value: unknown): value is ItemMarker =>
  isObject(value) &&
  (value.kind === 'text' ? isLine(value.text) : ['bullet', 'open', 'done'].includes(String(value.kind)));

const isRichText: Check<RichText> = (value): value is RichText => {
  if (!isObject(value) || !isText(value.text) || !isListOf(value.stretches, isStretch)) return false;
  let at = 0;
  for (const { start, end, href } of value.stretches) {
    if (start !== at || end < start) return false;
    const isAddress = href === value.text.slice(start, end) && /^https?:/i.test(href);
    if (href !== null && !isAddress && !isOpenable(href)) return false;
    at = end;
  }
  return at === value.text.length;
};

const marks: Readonly<Record<Mark, true>> = {
  ...{ bold: true, italic: true, strike: true },
  ...{ code: true, spoiler: true, host: true },
};
const isMark: Check<Mark> = (value): value is Mark => typeof value === 'string' && Object.hasOwn(marks, value);

const isStretch: Check<Stretch> = (value): value is Stretch =>
  isObject(value) &&
  Number.isInteger(value.start) &&
  Number.isInteger(value.end) &&
  isListOf(value.marks, isMark) &&
  (value.href === null || typeof value.href === 'string');

/**
 * Whether all text of the blocks is in the source, in the same order, or is what the parser adds, so that no file can add
 * words to a message.
 */
function isMadeOf(source: string, blocks: readonly Block[], { imageSign }: PageWriter): boolean {
  let at = 0;
  const follows = (text: string): boolean => {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      while (at < source.length && source.charCodeAt(at) !== unit) at++;
      if (at++ >= source.length) return false;
    }
    return true;
  };
  // After a link stand its host and its title, whose line feeds have become spaces.
  const isAdded = (text: string, link: string | null): boolean => {
    if (text === `${imageSign} `) return true;
    if (link === null || !isOpenable(link) || !/^ \(.*\)$/.test(text)) return false;
    const note = text.slice(2, -1);
    const host = hostOf(link);
    if (note === host) return true;
    return follows((note.startsWith(`${host}, `) ? note.slice(host.length + 2) : note).replaceAll(' ', ''));
  };
  const isHere = ({ text, stretches }: RichText): boolean => {
    let link: string | null = null;
    return stretches.every(({ start, end, marks: styles, href }) => {
      if (href !== null && !source.includes(href)) return false;
      link = href ?? link;
      const part = text.slice(start, end);
      return styles.includes('host') ? isAdded(part, link) : follows(part);
    });
  };
  return blocks.every((block) => {
    for (const margin of block.margins)
      if (margin.kind === 'item' && margin.isFirst && margin.marker.kind === 'text' && !follows(margin.marker.text))
        return false;
    if (block.kind === 'text' || block.kind === 'heading') return isHere(block.content);
    if (block.kind === 'code') return follows(block.info) && follows(block.text);
    return block.kind !== 'table' || [block.head, ...block.rows].flat().every(isHere);
  });
}
