/** Draws one conversation in the list: name, time and signs; below, unless the list is compact, the last message. */
import type { SentContent } from '../protocol/same-text.ts';
import type { Conversation, Message, Millis } from '../protocol/types.ts';
import type { Op } from '../state/model/app-state.ts';
import type { Density } from '../state/model/settings.ts';
import { describeFiles } from '../state/select/attachments.ts';
import { oneBlank, type Row, rowWidth, type Span, span, withTarget } from '../text/layout/row.ts';
import { wrap } from '../text/layout/wrap.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { listTime } from '../text/time.ts';
import { truncate, width } from '../text/unicode/width.ts';
import { ends, framed, type Look, type Sides, selectedStyle } from './frame.ts';
import { noMarkdown } from './markdown.ts';
import { messageLine } from './message-line.ts';
import { styleOf } from './message-state.ts';

/** Everything that the rows show. It is compared value by value, so an unchanged value must stay the same object. */
export interface ListEntry {
  readonly conversation: Conversation;
  readonly name: SafeText;
  readonly last: Message | undefined;
  /** The text of the last message as the user has edited it, until the server has that; null where it is not being edited. */
  readonly editedText: string | null;
  /** The conversation was read and has no messages. */
  readonly isEmpty: boolean;
  readonly isLastOwn: boolean;
  /** The author's name before the preview in a group; null where the author is clear. */
  readonly author: SafeText | null;
  readonly pending: Op | null;
  /** The worst state of the unsettled writes of this conversation. */
  readonly trouble: 'failed' | 'unsure' | null;
  readonly unread: number;
  /** A draft that waits here; null when there is none, or when the composer shows it. */
  readonly draft: SentContent | null;
  readonly isSelected: boolean;
  readonly isOpen: boolean;
  /** The list has the keyboard; false for entries that look the same either way, so that they are kept. */
  readonly hasFocus: boolean;
  readonly density: Density;
  readonly columns: number;
  readonly sides: Sides;
  /** Today's day number, which decides how a time is written. */
  readonly today: number;
}

export function listRows(entry: ListEntry, now: number, look: Look): readonly Row[] {
  const columns = entry.columns - Number(entry.sides.left) - Number(entry.sides.right);
  const mark = markOf(entry, look);
  const isLit = entry.isSelected && entry.hasFocus;
  const draw = (row: Row): Row => {
    const whole = ends([mark, ...row], [], columns);
    const shown = isLit ? whole.map((piece) => span(piece.text, selectedStyle(piece.style, look))) : whole;
    const target = { kind: 'conversation', conversationId: entry.conversation.id } as const;
    return withTarget(framed(shown, entry.columns, entry.sides, look), target);
  };
  const previews = entry.density === 'compact' ? [] : previewRows(entry, columns - 1, look);
  return [nameRow(entry, now, columns - 1, look), ...previews].map(draw);
}

/** The list marks the selected conversation while it has the keyboard, and the open one otherwise. */
function markOf({ isSelected, isOpen, hasFocus }: ListEntry, { signs, theme }: Look): Span {
  if (hasFocus ? isSelected : isOpen) return span(signs.selected, theme.selectionMark);
  return hasFocus && isOpen ? span(signs.open, theme.selectionMark) : blankOf(width(signs.selected));
}

const blankOf = (columns: number): Span => span(columns === 1 ? literal(' ') : literal('  '), '');

/** In a narrow list the time is left out before a name is cut to fewer columns. */
const shortestName = 6;

function nameRow(entry: ListEntry, now: number, columns: number, look: Look): Row {
  const { theme } = look;
  const at = timeOf(entry);
  const time = span(safe` ${at === null ? literal('') : listTime(at, now)}`, theme.muted);
  const count = countText(entry.unread);
  const state = entry.density === 'compact' ? urgentState(entry, look) : [];
  const unread = span(count, entry.unread > 0 ? theme.unread : theme.plain);
  const signs = signsOf(entry, look);
  const withTime: Row = [...state, time, unread];
  const hasTime = columns - width(signs) - rowWidth(withTime) >= Math.min(shortestName, width(entry.name));
  const tail: Row = hasTime ? withTime : [...state, unread];
  const room = columns - width(signs) - rowWidth(tail);
  const name = span(truncate(entry.name, Math.max(1, room), look.signs.ellipsis), entry.unread > 0 ? theme.strong : '');
  return ends([span(signs, theme.plain), name], tail, columns);
}

/** A message may be known before the list says that the conversation was active: the time is never before that of the preview. */
function timeOf({ conversation, last }: ListEntry): Millis | null {
  const { lastActiveAt, createdAt } = conversation;
  const lastAt = last?.createdAt ?? null;
  if (lastActiveAt === null || lastAt === null) return lastActiveAt ?? lastAt ?? createdAt;
  return Math.max(lastActiveAt, lastAt);
}

/** At least two columns, so that the times above one another line up. */
function countText(unread: number): SafeText {
  if (unread === 0) return literal('  ');
  return unread > 99 ? literal(' 99+') : safe` ${unread}`;
}

function signsOf({ conversation, draft }: ListEntry, { signs }: Look): SafeText {
  let text = literal('');
  if (conversation.isPinned) text = safe`${text}${signs.pinned} `;
  if (conversation.isMuted) text = safe`${text}${signs.muted} `;
  if (conversation.archivedAt !== null) text = safe`${text}${signs.archived} `;
  if (draft !== null) text = safe`${text}${signs.draft} `;
  return text;
}

/** Two rows in a comfortable list: the preview goes on in the second, which is blank where it is short. */
function previewRows(entry: ListEntry, columns: number, look: Look): readonly Row[] {
  const tail = stateOf(entry, look);
  const right = tail === null ? [] : [oneBlank, tail, oneBlank];
  const taken = right.reduce((sum, piece) => sum + piece.width, 0);
  const room = Math.max(1, columns - 3 - taken);
  const whole = previewText(entry, look);
  const rowOf = (text: SafeText, tailRow: Row): Row => {
    const shown = span(truncate(text, room, look.signs.ellipsis), look.theme.muted);
    return ends([span(literal('   '), ''), shown], tailRow, columns);
  };
  if (entry.density !== 'comfortable') return [rowOf(whole, right)];
  const [first = literal(''), second = literal(''), third] = wrap(whole, room);
  // What does not fit is cut within the second row.
  return [rowOf(first, right), rowOf(third === undefined ? second : safe`${second} ${third}`, [])];
}

function previewText(entry: ListEntry, look: Look): SafeText {
  const { draft, pending, last, editedText, isLastOwn, author, isEmpty } = entry;
  // A draft is shown as it was typed.
  if (draft !== null) return safe`Draft: ${written(draft, { ...look, markdown: noMarkdown })}`;
  if (pending?.action.kind === 'message.send') return safe`You: ${written(pending.action, look)}`;
  if (last === undefined) return literal(isEmpty ? 'no messages yet' : '');
  const text = messageLine({ ...last, text: editedText ?? last.text }, look);
  if (isLastOwn) return safe`You: ${text}`;
  return author === null ? text : safe`${author}: ${text}`;
}

/** The preview of a draft or of a message that is being sent. */
const written = ({ text, attachments }: SentContent, look: Look): SafeText =>
  messageLine({ text, attachments: describeFiles(attachments) }, look);

/** The state that a compact list has room for: that of a message that is not sent yet. */
function urgentState(entry: ListEntry, look: Look): Row {
  const state = entry.trouble !== null || entry.pending !== null ? stateOf(entry, look) : null;
  return state === null ? [] : [oneBlank, state];
}

/** The state of the user's last message, or of a write that needs a decision. */
function stateOf({ trouble, draft, pending, last, isLastOwn }: ListEntry, look: Look): Span | null {
  if (trouble !== null) return span(look.signs[trouble], styleOf(trouble, look));
  // The row shows the draft, which has no state.
  if (draft !== null) return null;
  if (pending !== null) return span(look.signs[pending.state], styleOf(pending.state, look));
  if (last === undefined || !isLastOwn) return null;
  return span(look.signs[last.readAt === null ? 'sent' : 'read'], look.theme.muted);
}
