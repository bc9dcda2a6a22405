/** Draws the text of a message as rows: the whole text, or the part of a long one that is shown (R-SAN-5). */

import type { Quoted } from '../state/select/quoted.ts';
import type { ThreadItem } from '../state/select/selectors.ts';
import { textOf } from '../state/select/thread-items.ts';
import { partEnd } from '../text/layout/parts.ts';
import { asNote, mix, type Row, shortenRow, span, type Target, withTarget } from '../text/layout/row.ts';
import { type StyledRange, wrapStyled } from '../text/layout/wrap.ts';
import { findLinks } from '../text/links.ts';
import { type Block, hasSpoiler, mayHaveMarkup } from '../text/markdown/blocks.ts';
import type { FormattedText } from '../text/markdown/formatted-page.ts';
import { openFence } from '../text/markdown/open-fence.ts';
import { markdownRows } from '../text/markdown/rows.ts';
import { sanitizeBody, sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { rowsToShow } from './fold-cut.ts';
import type { KeyOf, Look } from './frame.ts';
import { userTextIn } from './glyph-set.ts';
import { messageLine } from './message-line.ts';

/** The values that the rows of a text depend on besides the message and the look. */
export interface PartContext {
  /** Where in the raw text the part that is shown begins. */
  readonly partStart: number;
  readonly columns: number;
  /** The text is shown as it was typed. */
  readonly isRaw: boolean;
  /** Spoilers are shown. */
  readonly isSelected: boolean;
  /** Only the first rows are shown. */
  readonly isFolded: boolean;
  /** The message that is quoted above the text; null where none is, or none that is held. */
  readonly quoted: Quoted | null;
}

interface Drawn {
  readonly rows: readonly Row[];
  /** The selection changes the rows. */
  readonly hasSpoiler: boolean;
  /** Null where the text is shown as it was typed. */
  readonly formatted: FormattedText | null;
}

interface Kept extends Drawn {
  readonly context: PartContext;
  readonly look: Look;
}

/** The rows of the text stay when the message is drawn again because it was selected or the thread grew. */
const kept = new WeakMap<ThreadItem, Kept>();

export function partRows(item: ThreadItem, context: PartContext, look: Look, keyOf: KeyOf): readonly Row[] {
  const held = kept.get(item);
  if (held !== undefined && held.look === look && sameRows(held, context)) return held.rows;
  const missed = look.markdown.missed();
  const drawn = layOut(item, context, look, keyOf);
  // Code is drawn again when its colours have arrived.
  if (look.markdown.missed() !== missed) kept.delete(item);
  else keep(item, drawn, context, look);
  return drawn.rows;
}

function keep(item: ThreadItem, drawn: Drawn, context: PartContext, look: Look): void {
  const { partStart, columns, isRaw, isSelected, isFolded, quoted } = context;
  kept.set(item, { ...drawn, context: { partStart, columns, isRaw, isSelected, isFolded, quoted }, look });
}

/** The formatted text that the rows of an item were drawn from; null where the text is shown as it was typed. */
export const formattedText = (item: ThreadItem): FormattedText | null => kept.get(item)?.formatted ?? null;

const sameRows = ({ context: held, hasSpoiler: depends }: Kept, context: PartContext): boolean =>
  held.partStart === context.partStart &&
  held.columns === context.columns &&
  held.isRaw === context.isRaw &&
  held.isFolded === context.isFolded &&
  held.quoted === context.quoted &&
  (!depends || held.isSelected === context.isSelected);

function layOut(item: ThreadItem, context: PartContext, look: Look, keyOf: KeyOf): Drawn {
  const { signs, theme } = look;
  const { partStart: from, columns } = context;
  const raw = textOf(item);
  if (raw === '') return asTyped([]);
  const to = partEnd(raw, from);
  const rows: Row[] = [];
  const note = (text: SafeText, id?: string): void => {
    const noted = wrapStyled(text, columns, theme.muted).map(asNote);
    rows.push(...(id === undefined ? noted : noted.map((row) => withTarget(row, commandOn(item, id)))));
  };
  if (from > 0)
    note(
      safe`${signs.ellipsis} the previous part${keyNote(keyOf('message.less'), literal('shows it'), look)}`,
      'message.less',
    );
  const isLast = to >= raw.length;
  const quoted = from === 0 && !context.isRaw ? context.quoted : null;
  if (quoted !== null) rows.push(quoteRow(quoted, columns, look));
  const own = quoted === null ? from : quoted.end;
  if (own >= raw.length) return asTyped(rows);
  // The line feed between two parts adds no empty row.
  const typed = sanitizeBody(raw.slice(own, !isLast && raw.charCodeAt(to - 1) === 0x0a ? to - 1 : to));
  // Nothing can be seen of invisible characters: `bodyRows` says that the message is empty.
  if (rows.length === 0 && isLast && typed.trim() === '') return asTyped([]);
  const shown = userTextIn(typed, signs);
  const found = context.isRaw ? null : formattedOf(shown, openFence(raw, from), look);
  const drawn = { hasSpoiler: found !== null && hasSpoiler(found.blocks), formatted: found };
  const body =
    found === null
      ? [wrapStyled(shown, columns, theme.plain, linkRanges(shown, item, look))]
      : formatted(found.blocks, item, context, look);
  if (context.isFolded) {
    const folded = foldedBody(rows, body, isLast, columns, look, keyOf);
    if (folded !== null)
      return {
        ...drawn,
        rows: [...folded.rows, ...folded.notes.map((row) => withTarget(row, commandOn(item, 'message.more')))],
      };
  }
  for (const part of body) rows.push(...part);
  if (!isLast) {
    const percent = Math.min(99, Math.floor((to / raw.length) * 100));
    const more = keyNote(keyOf('message.more'), literal('shows more'), look);
    note(safe`${signs.ellipsis} ${percent} % of this long message${more}`, 'message.more');
  } else if (item.message?.isTruncated) note(safe`${signs.ellipsis} the rest was too long to keep`);
  return { ...drawn, rows };
}

const commandOn = ({ id: messageId }: ThreadItem, id: string): Target => ({ kind: 'message-command', messageId, id });

const asTyped = (rows: readonly Row[]): Drawn => ({ rows, hasSpoiler: false, formatted: null });

/** The folded text; null where the whole text is short enough. `before`: the rows above the first block. */
function foldedBody(
  before: readonly Row[],
  body: readonly (readonly Row[])[],
  isWhole: boolean,
  columns: number,
  look: Look,
  keyOf: KeyOf,
): { readonly rows: readonly Row[]; readonly notes: readonly Row[] } | null {
  const rows = [...before, ...body.flat()];
  let end = before.length;
  const ends = body.map((part) => {
    end += part.length;
    return end;
  });
  const count = rowsToShow(rows.length, ends);
  if (count === rows.length) return null;
  const does = keyNote(keyOf('message.more'), literal('shows them'), look);
  const rest = isWhole ? literal('') : literal('+');
  const note = safe`${look.signs.ellipsis} ${rows.length - count}${rest} more lines${does}`;
  return { rows: rows.slice(0, count), notes: wrapStyled(note, columns, look.theme.muted).map(asNote) };
}

/** The quote in one row, a click on which goes to the message: `▏ Ann Wells: The ferry leaves at nine`. */
function quoteRow(quoted: Quoted, columns: number, look: Look): Row {
  const { author, text, isCode, messageId } = quoted;
  const { theme, signs } = look;
  const { quote, line } = theme.markdown;
  const row = [
    span(safe`${signs.bar} `, line),
    span(safe`${author}: `, mix(quote, theme.markdown.bold)),
    span(isCode ? userTextIn(text, signs) : messageLine(quoted, look), quote),
  ];
  return withTarget(shortenRow(row, columns, signs.ellipsis), { kind: 'jump', messageId });
}

function keyNote(key: string, does: SafeText, { signs }: Look): SafeText {
  return key === '' ? literal('') : safe` ${signs.dot} ${sanitizeLine(key)} ${does}`;
}

/**
 * Returns null for text that is shown as it was typed.
 * @param fence the line that opened the block of code in which the text begins; empty elsewhere
 */
function formattedOf(text: SafeText, fence: string, { markdown, signs }: Look): FormattedText | null {
  if (fence === '' && !mayHaveMarkup(text)) return null;
  const source = fence === '' ? text : safe`${sanitizeLine(fence)}\n${text}`;
  const blocks = markdown.parse(source, signs.picture);
  return blocks === null ? null : { source, blocks };
}

function formatted(
  blocks: readonly Block[],
  item: ThreadItem,
  { columns, isSelected }: PartContext,
  { theme, signs, markdown }: Look,
): readonly (readonly Row[])[] {
  const { highlight } = markdown;
  const drawing = { columns, signs, highlight, messageId: item.id, showsSpoilers: isSelected };
  return blocks.map((block) => markdownRows([block], { ...drawing, styles: theme.markdown }));
}

const linkRanges = (text: SafeText, { id }: ThreadItem, { theme }: Look): readonly StyledRange[] =>
  findLinks(text).map(({ start, end }) => ({
    start,
    end,
    style: theme.link,
    target: { kind: 'link', messageId: id, address: text.slice(start, end) },
  }));
