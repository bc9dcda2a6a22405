/** Writes a formatted message in one line, without markers and with its spoilers covered. */
import type { SafeText } from '../safe-text.ts';
import type { Block, RichText } from './blocks.ts';
import { markerSign } from './rows.ts';
import type { MarkdownSigns } from './style.ts';
import { covered } from './text-rows.ts';

/** The result may have line feeds, which the caller replaces with spaces. */
export const plainLine = (blocks: readonly Block[], signs: MarkdownSigns): string =>
  blocks
    .map((block) => [...markersOf(block, signs), textOf(block, signs)].join(' '))
    .filter((words) => words !== '')
    .join(' ');

function markersOf({ margins }: Block, signs: MarkdownSigns): readonly SafeText[] {
  return margins.flatMap((margin) =>
    margin.kind === 'item' && margin.isFirst ? [markerSign(margin.marker, signs)] : [],
  );
}

function textOf(block: Block, { cover, vertical }: MarkdownSigns): string {
  const textIn = (content: RichText): string => covered(content, cover).text;
  switch (block.kind) {
    case 'blank':
    case 'rule':
      return '';
    case 'text':
    case 'heading':
      return textIn(block.content);
    case 'code':
      return block.text;
    case 'table':
      return [block.head, ...block.rows].flatMap((cells) => cells.map(textIn)).join(` ${vertical} `);
  }
}
