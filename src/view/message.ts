/** Draws one item of a thread as rows: day, "new" and author lines, the body after its gutter, chips, marks. */
import type { PictureFacts } from '../state/pictures/policy.ts';
import { attachmentsOf } from '../state/select/attachments.ts';
import type { Quoted } from '../state/select/quoted.ts';
import type { ThreadItem } from '../state/select/selectors.ts';
import { glyphOf, nameOfGlyph } from '../text/emoji/emoji.ts';
import {
  asNote,
  blank,
  oneBlank,
  type Row,
  rowWidth,
  type Span,
  shortenRow,
  span,
  type Target,
  withTarget,
} from '../text/layout/row.ts';
import { withPlainSpaces, wrapStyled } from '../text/layout/wrap.ts';
import { sanitizeName } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { clockTime } from '../text/time.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { attachmentRows } from './attachment.ts';
import { authorStyle } from './author-colour.ts';
import { bothSides, ends, framed, type KeyOf, type Look, ruleRow } from './frame.ts';
import type { GlyphSet } from './glyph-set.ts';
import { itemNotes, stateSign, stateWord } from './message-state.ts';
import { partRows } from './message-text.ts';
import type { MessageBlock } from './thread-scroll.ts';

/** The values that the rows of an item depend on besides the item: equal ones and the same item give the same rows. */
export interface ItemContext {
  /** Columns of the pane, borders included. */
  readonly columns: number;
  readonly textColumns: number;
  /** The item is the first of several by one author. */
  readonly showsAuthor: boolean;
  /** Whether the item is of another minute than the one above, which the first row says where it has room. */
  readonly showsTime: boolean;
  /** The day that begins here; null in the middle of a day. */
  readonly day: SafeText | null;
  /** The item is the first unread one. */
  readonly isFirstNew: boolean;
  /** Messages may be missing before the item. */
  readonly afterGap: boolean;
  /** A line about older messages, above the first loaded item; null for other items. */
  readonly before: SafeText | null;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  /** Where in the raw text the part that is shown begins. */
  readonly partStart: number;
  /** The text is shown as it was typed. */
  readonly isRaw: boolean;
  /** Null where the message has no pictures. */
  readonly pictures: PictureFacts | null;
  /** Only the first rows of the text are shown. */
  readonly isFolded: boolean;
  readonly quoted: Quoted | null;
}

export const sameContext = (a: ItemContext, b: ItemContext): boolean =>
  a.columns === b.columns &&
  a.textColumns === b.textColumns &&
  a.showsAuthor === b.showsAuthor &&
  a.showsTime === b.showsTime &&
  a.day === b.day &&
  a.isFirstNew === b.isFirstNew &&
  a.afterGap === b.afterGap &&
  a.before === b.before &&
  a.isSelected === b.isSelected &&
  a.isMarked === b.isMarked &&
  a.partStart === b.partStart &&
  a.isRaw === b.isRaw &&
  a.pictures === b.pictures &&
  a.isFolded === b.isFolded &&
  a.quoted === b.quoted;

const chipLimit = 24;
const attachmentLimit = 10;
const indent = blank(2);
/** Columns at the right of the body for the state of the user's own message. */
const markColumns = 3;

export function messageBlock(item: ThreadItem, context: ItemContext, look: Look, keyOf: KeyOf): MessageBlock {
  const lead = leadRows(item, context, look);
  const rows = [...lead, ...bodyRows(item, context, look, keyOf), ...noteRows(item, context, look, keyOf)];
  const { signs, theme } = look;
  const selection = context.isSelected ? span(signs.selected, theme.selectionMark) : oneBlank;
  const gutter = (i: number): Span => {
    if (context.isMarked && i === lead.length) return span(signs.marked, theme.selectionMark);
    return i >= lead.length - Number(context.showsAuthor) ? selection : oneBlank;
  };
  const target: Target = { kind: 'message', messageId: item.id };
  return {
    lead: lead.length,
    rows: rows.map((row, i) => withTarget(framed([gutter(i), ...row], context.columns, bothSides, look), target)),
  };
}

const toDate: Target = { kind: 'command', id: 'thread.goToDate' };

function leadRows(item: ThreadItem, context: ItemContext, look: Look): Row[] {
  const { theme } = look;
  const columns = context.textColumns;
  const rows: Row[] = [];
  if (context.before !== null) rows.push([span(context.before, theme.muted)]);
  if (context.afterGap) rows.push(ruleRow(columns, literal('messages may be missing here'), theme.warning, look));
  if (context.day !== null) rows.push(withTarget(ruleRow(columns, context.day, theme.muted, look), toDate));
  if (context.isFirstNew) rows.push(ruleRow(columns, literal('new'), theme.newLine, look));
  if (context.showsAuthor) rows.push(authorRow(item, columns, look));
  return rows;
}

function authorRow(item: ThreadItem, columns: number, look: Look): Row {
  const { theme, signs } = look;
  const contactId = item.message?.contact?.id;
  const person: Target | undefined =
    contactId === undefined ? undefined : { kind: 'person', of: { kind: 'contact', id: contactId } };
  const author = span(item.authorName, item.isOwn ? theme.own : authorStyle(item.authorId, theme.authors), person);
  const pin = item.isPinned ? [oneBlank, span(signs.pinned, '')] : [];
  const time = item.createdAt === null ? literal('time unknown') : clockTime(item.createdAt);
  const word = stateWord(item, look);
  const tail = word === null ? [] : [indent, word];
  const right = [oneBlank, span(time, theme.muted), ...tail];
  const room = columns - rowWidth(right) - rowWidth(pin);
  return ends([...shortenRow([author], room, signs.ellipsis), ...pin], right, columns);
}

function bodyRows(item: ThreadItem, context: ItemContext, look: Look, keyOf: KeyOf): Row[] {
  const { theme } = look;
  const columns = Math.max(1, context.textColumns - 2 - markColumns);
  const rows: Row[] = partRows(item, { ...context, columns }, look, keyOf).map((row) => [indent, ...row]);
  if (item.isEdited) markEdited(rows, columns + 2, look);
  if (rows.length === 0 && attachmentsOf(item).length === 0) {
    rows.push([indent, span(literal('(empty message)'), theme.muted)]);
  }
  if (!context.showsAuthor) rows[0] = continuedRow(rows[0] ?? [indent], item, context, look);
  return rows;
}

/** The first row of a message without an author line: a dot where it begins, its minute if there is room, its state. */
function continuedRow([, ...text]: Row, item: ThreadItem, context: ItemContext, look: Look): Row {
  const { theme, signs } = look;
  const row = [span(safe`${signs.continued} `, theme.muted), ...text];
  const sign = stateSign(item, look);
  const tail = sign === null ? [] : [oneBlank, sign];
  const time = item.createdAt === null || !context.showsTime ? null : span(clockTime(item.createdAt), theme.muted);
  const whole = time === null ? tail : [indent, time, ...tail];
  return ends(row, rowWidth(row) + rowWidth(whole) <= context.textColumns ? whole : tail, context.textColumns);
}

function markEdited(rows: Row[], columns: number, { theme }: Look): void {
  const mark = span(literal(' (edited)'), theme.muted);
  const last = rows.at(-1);
  if (last !== undefined && rowWidth(last) + mark.width <= columns) rows[rows.length - 1] = [...last, mark];
  else rows.push([oneBlank, mark]);
}

function noteRows(item: ThreadItem, context: ItemContext, look: Look, keyOf: KeyOf): Row[] {
  const columns = Math.max(1, context.textColumns - 2);
  const rows: Row[] = [];
  const attachments = attachmentsOf(item);
  for (const attachment of attachments.slice(0, attachmentLimit))
    for (const row of attachmentRows(
      attachment,
      { messageId: item.id, columns, pictures: context.pictures },
      look,
      keyOf,
    ))
      rows.push([indent, ...row]);
  const rest = attachments.length - attachmentLimit;
  const what = rest === 1 ? literal('attachment') : literal('attachments');
  if (rest > 0) rows.push([indent, span(safe`and ${rest} more ${what}`, look.theme.muted)]);
  rows.push(...chipRows(item, columns, look));
  for (const note of itemNotes(item, look, keyOf)) {
    for (const row of wrapStyled(note.text, columns, note.style)) rows.push([indent, ...asNote(withPlainSpaces(row))]);
  }
  return rows;
}

/** The rows of reactions, such as `👍 2  [❤️ 1]`: the user's own ones have brackets. */
function chipRows({ id, reactions: chips }: ThreadItem, columns: number, { theme, signs }: Look): Row[] {
  const rows: Span[][] = [];
  let room = 0;
  const put = (chip: Span): void => {
    if (chip.width > room) {
      rows.push([indent]);
      room = columns;
    }
    rows.at(-1)?.push(chip, indent);
    room -= chip.width + 2;
  };
  for (const chip of chips.slice(0, chipLimit)) {
    const room = Math.max(1, columns - 3 - `${chip.count}`.length);
    const text = safe`${truncate(reactionGlyph(chip.name, signs), room, signs.ellipsis)} ${chip.count}`;
    const target: Target = { kind: 'reaction', messageId: id, name: chip.name };
    put(chip.isMine ? span(safe`[${text}]`, theme.chipMine, target) : span(text, theme.chip, target));
  }
  if (chips.length > chipLimit) put(span(safe`+${chips.length - chipLimit}`, theme.muted));
  return rows;
}

/** The emoji of that name, or the name between colons when there is none. */
function reactionGlyph(name: string, { hasEmoji }: GlyphSet): SafeText {
  const glyph = glyphOf(name);
  if (hasEmoji && glyph !== null && width(glyph) > 0) return glyph;
  const shown = glyph === name ? (nameOfGlyph(name) ?? name) : name;
  return safe`:${sanitizeName(shown)}:`;
}
