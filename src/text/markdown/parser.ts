/** Parses markdown into blocks. Loads markdown-it, so it is imported when the first message needs it. */
import MarkdownIt, { type Token } from 'markdown-it';
import { literal, type SafeText } from '../safe-text.ts';
import { setBlockRules } from './block-rules.ts';
import type { Alignment, Block, ItemMarker, Margin, Parse, RichText } from './blocks.ts';
import { setInlineRules } from './inline-rules.ts';
import { richText } from './rich-text.ts';

const md = new MarkdownIt({ html: false, linkify: false, typographer: false });
md.core.ruler.enableOnly(['normalize', 'block', 'inline']);
setBlockRules(md);
setInlineRules(md);

/** The text is clean already, and so are lines of it. */
export const parse: Parse = (text, imageSign) => {
  const builder = createBuilder(imageSign);
  for (const token of md.parse(text, {})) builder.add(token);
  const blocks = builder.finish(text.split('\n').length);
  return isAsTyped(blocks, text) ? null : blocks;
};

/** Whether no marker has styled anything. */
function isAsTyped(blocks: readonly Block[], text: string): boolean {
  const lines = blocks.map((block) => {
    if (block.margins.length > 0) return null;
    if (block.kind === 'blank') return '\n'.repeat(block.lines - 1);
    return block.kind === 'text' && block.content.stretches.every(({ marks }) => marks.length === 0)
      ? block.content.text
      : null;
  });
  // Lines of nothing but spaces have become empty ones.
  return !lines.includes(null) && lines.join('\n') === text.replace(/^ +$/gm, '');
}

/** A quote or list item that is open. */
type Container = { kind: 'quote' } | { kind: 'item'; marker: ItemMarker; isShown: boolean };

interface Building {
  readonly imageSign: SafeText;
  readonly blocks: Block[];
  readonly containers: Container[];
  /** The lines of the text that have become blocks. */
  line: number;
  /** The rows of the table being read; the first one is the head. */
  rows: RichText[][];
  /** The alignments of its columns. */
  alignments: Alignment[];
  heading: number;
}

function createBuilder(imageSign: SafeText): { add(token: Token): void; finish(lines: number): readonly Block[] } {
  const building: Building = { imageSign, blocks: [], containers: [], line: 0, rows: [], alignments: [], heading: 0 };
  return {
    add: (token) => add(building, token),
    finish(lines) {
      blankUpTo(building, lines);
      return building.blocks;
    },
  };
}

function add(building: Building, token: Token): void {
  const { blocks, containers } = building;
  if (token.map !== null && token.nesting >= 0 && !inTable(token)) blankUpTo(building, token.map[0]);
  switch (token.type) {
    case 'blockquote_open':
      containers.push({ kind: 'quote' });
      break;
    case 'list_item_open':
      containers.push({ kind: 'item', marker: markerOf(token), isShown: false });
      break;
    case 'blockquote_close':
    case 'list_item_close':
      closeContainer(building);
      break;
    case 'heading_open':
      building.heading = Number(token.tag.slice(1));
      break;
    case 'heading_close':
      building.heading = 0;
      break;
    case 'inline':
      addText(building, token);
      break;
    case 'fence': {
      const code = { kind: 'code', info: token.info as SafeText, text: token.content as SafeText } as const;
      blocks.push({ ...code, margins: margins(building) });
      break;
    }
    case 'hr':
      blocks.push({ kind: 'rule', margins: margins(building) });
      break;
    default:
      addTable(building, token);
  }
  if (isLeaf(token) && token.map !== null) building.line = token.map[1];
}

const isLeaf = ({ type }: Token): boolean => /^(?:inline|fence|hr|table_open)$/.test(type);
const inTable = ({ type }: Token): boolean => /^(?:thead|tbody|tr)_open$/.test(type);

function addTable(building: Building, token: Token): void {
  const { type } = token;
  if (type === 'table_open') {
    building.rows = [];
    building.alignments = [];
  } else if (type === 'tr_open') building.rows.push([]);
  else if (type === 'th_open') building.alignments.push(alignmentOf(token));
  else if (type === 'table_close') {
    const [head = [], ...rows] = building.rows;
    const { alignments } = building;
    building.rows = [];
    building.blocks.push({ kind: 'table', head, rows, alignments, margins: margins(building) });
  }
}

/** markdown-it gives the alignment as CSS. */
function alignmentOf(cell: Token): Alignment {
  const style = cell.attrGet('style');
  if (style === 'text-align:right') return 'right';
  return style === 'text-align:center' ? 'centre' : 'left';
}

function addText(building: Building, { content, children, map }: Token): void {
  const text = richText(content as SafeText, children, building.imageSign);
  if (map === null) building.rows.at(-1)?.push(text);
  else if (building.heading > 0) {
    building.blocks.push({ kind: 'heading', level: building.heading, content: text, margins: margins(building) });
  } else {
    const rest = withoutTask(building.containers.at(-1), text);
    building.blocks.push({ kind: 'text', content: rest, margins: margins(building) });
  }
}

/** `[ ]` and `[x]` at the beginning of a list item become its marker. */
function withoutTask(container: Container | undefined, content: RichText): RichText {
  const box = /^\[([ xX])\] +/.exec(content.text);
  const isPlain = content.stretches[0]?.marks.length === 0 && content.stretches[0].href === null;
  if (container?.kind !== 'item' || container.isShown || box === null || !isPlain) return content;
  const [taken, sign] = box;
  container.marker = { kind: sign === ' ' ? 'open' : 'done' };
  const stretches = content.stretches
    .map(({ start, end, ...rest }) => ({ ...rest, start: Math.max(0, start - taken.length), end: end - taken.length }))
    .filter(({ start, end }) => end > start);
  return { text: content.text.slice(taken.length) as SafeText, stretches };
}

/** A number stays as it was typed, and so does `+`. */
function markerOf({ info, markup }: Token): ItemMarker {
  if (info !== '') return { kind: 'text', text: (info + markup) as SafeText };
  return markup === '+' ? { kind: 'text', text: literal('+') } : { kind: 'bullet' };
}

function closeContainer(building: Building): void {
  const last = building.containers.at(-1);
  if (last?.kind === 'item' && !last.isShown) {
    building.blocks.push({ kind: 'text', content: { text: literal(''), stretches: [] }, margins: margins(building) });
    building.line++;
  }
  building.containers.pop();
}

/** The margins to the left of the next block. The marker of a list item is shown once. */
function margins({ containers }: Building): readonly Margin[] {
  return containers.map((container) => {
    if (container.kind === 'quote') return container;
    const { marker, isShown } = container;
    container.isShown = true;
    return { kind: 'item', marker, isFirst: !isShown };
  });
}

/** Empty lines stay as many as they were typed. */
function blankUpTo(building: Building, line: number): void {
  const lines = line - building.line;
  if (lines <= 0) return;
  const open = building.containers.filter((container) => container.kind === 'quote' || container.isShown);
  building.blocks.push({ kind: 'blank', lines, margins: margins({ ...building, containers: open }) });
  building.line = line;
}
