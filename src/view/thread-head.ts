/** Draws the rows that stay on top of a thread: its name, the pinned message, and why it could not be refreshed. */

import type { Conversation, ConversationId, Message, Millis } from '../protocol/types.ts';
import { pinnedMessage } from '../state/cache/pinned.ts';
import { memoLast } from '../state/collections/memo.ts';
import type { AppState, Size } from '../state/model/app-state.ts';
import { selectConversation, selectConversationName, selectThreadItems } from '../state/select/selectors.ts';
import { type Row, type Span, span, type Target, withTarget } from '../text/layout/row.ts';
import { wrapWithEnd } from '../text/layout/wrap.ts';
import { sanitizeLine } from '../text/safe/sanitize.ts';
import { literal, type SafeText, safe } from '../text/safe-text.ts';
import { ago, clockTime, clockTimeSeconds, dayLabel } from '../text/time.ts';
import { truncate } from '../text/unicode/width.ts';
import { borderRow, bothSides, framed, type KeyOf, type Look, paneLook } from './frame.ts';
import { messageLine } from './message-line.ts';
import { type Remedy, remedyOf } from './remedy.ts';

export interface ThreadHead {
  /**
   * @param isBeside whether the list is shown to the left and shares the border
   * @param topAt the time of the message at the top while the user reads further back; null at the newest messages
   */
  rows(state: AppState, columns: number, isBeside: boolean, topAt: Millis | null): readonly Row[];
  height(state: AppState, columns: number): number;
}

type ThreadTitleFacts = [
  columns: number,
  isBeside: boolean,
  name: SafeText | null,
  conversation: Conversation | null,
  isPeek: boolean,
  lastSeen: SafeText | null,
  hasFocus: boolean,
  day: SafeText | null,
];

const minuteMs = 60_000;

export function createThreadHead(look: Look, keyOf: KeyOf, now: () => Millis): ThreadHead {
  const title = memoLast((...facts: ThreadTitleFacts): Row => titleRow(look, ...facts));
  const pinned = memoLast(
    (id: string, message: Message | null, columns: number): Row =>
      withTarget(pinnedRow(message, columns, look), { kind: 'jump', messageId: id }),
  );
  const failures = memoLast(
    (reason: string, asOf: Millis | null, remedy: Remedy, columns: number, limit: number): readonly Row[] =>
      failureRows(reason, asOf, columns, { ...remedy, key: keyOf(remedy.id) }, limit, look),
  );
  const failuresIn = (state: AppState, openId: ConversationId, reason: string, columns: number): readonly Row[] =>
    failures(reason, ageOf(state, openId), remedyOf(state.view.connection), columns, failureLimit(state.screen.size));
  return {
    rows(state, columns, isBeside, topAt) {
      const { openId } = state.view;
      const hasFocus = state.screen.focus === 'messages';
      if (openId === null) return [title(columns, isBeside, null, null, false, null, hasFocus, null)];
      const conversation = selectConversation(state, openId);
      const seen = lastSeenOf(state, conversation, now());
      const day = topAt === null ? null : dayLabel(topAt, now());
      const name = selectConversationName(state, openId);
      const isPeek = state.view.isPeeking === true;
      const rows = [title(columns, isBeside, name, conversation, isPeek, seen, hasFocus, day)];
      const pinnedId = conversation?.pinnedMessageId ?? null;
      if (pinnedId !== null) rows.push(pinned(pinnedId, pinnedMessage(state, openId, pinnedId) ?? null, columns));
      const reason = failureOf(state, openId);
      if (reason !== null) rows.push(...failuresIn(state, openId, reason, columns));
      return rows;
    },
    height(state, columns) {
      const { openId } = state.view;
      if (openId === null) return 1;
      const hasPinned = (selectConversation(state, openId)?.pinnedMessageId ?? null) !== null;
      const reason = failureOf(state, openId);
      return 1 + Number(hasPinned) + (reason === null ? 0 : failuresIn(state, openId, reason, columns).length);
    },
  };
}

/** The values that the rows of the head depend on. */
export function headInputs(state: AppState, now: Millis): readonly unknown[] {
  const { openId, connection } = state.view;
  const hasFocus = state.screen.focus === 'messages';
  if (openId === null) return [hasFocus];
  const reason = connection.failures.get(openId);
  return [
    hasFocus,
    state.view.isPeeking,
    selectConversationName(state, openId),
    reason,
    reason === undefined ? null : ageOf(state, openId),
    reason === undefined ? null : remedyOf(connection),
    Math.floor(now / minuteMs),
    state.cache.contacts,
    state.cache.lastMessages.get(openId),
    state.cache.pinned.get(openId),
  ];
}

/** The cause of a failed refresh. A thread without messages shows it by `blankThread` instead. */
function failureOf(state: AppState, openId: ConversationId): string | null {
  const reason = state.view.connection.failures.get(openId);
  return reason === undefined || selectThreadItems(state, openId).length === 0 ? null : reason;
}

/** How old the copy is: the server may answer for other conversations, and not for this one. */
function ageOf({ view: { connection } }: AppState, openId: ConversationId): Millis | null {
  const lastRead = connection.lastReads?.get(openId);
  return lastRead === undefined ? connection.asOf : lastRead;
}

function lastSeenOf(state: AppState, conversation: Conversation | null, now: Millis): SafeText | null {
  const contactId = conversation?.contactId ?? null;
  const at = contactId === null ? null : (state.cache.contacts.get(contactId)?.lastActiveAt ?? null);
  return at === null ? null : safe`last seen ${ago(at, now)}`;
}

/** Where only one pane fits, nothing else on the screen leads to the list without the keyboard. */
const toList: Target = { kind: 'command', id: 'focus.list' };

function titleRow(look: Look, ...facts: ThreadTitleFacts): Row {
  const [columns, isBeside, name, conversation, isPeek, lastSeen, hasFocus, day] = facts;
  const { theme, signs } = look;
  const corners = { left: isBeside ? signs.teeDown : signs.topLeft, right: signs.topRight };
  if (name === null) return borderRow(columns, corners, look, { title: [span(literal('Messages'), theme.muted)] });
  const drawn = paneLook(look, hasFocus);
  const notes: SafeText[] = isPeek ? [literal('only looking')] : [];
  if (lastSeen !== null) notes.push(lastSeen);
  if (conversation?.isMuted) notes.push(literal('muted'));
  if (conversation !== null && conversation.archivedAt !== null) notes.push(literal('archived'));
  const parts = notes.flatMap((note): Span[] => [
    span(safe` ${signs.horizontal} `, theme.border),
    span(note, theme.muted),
  ]);
  const note = day === null ? [] : [span(day, theme.strong)];
  const back = isBeside ? [] : [span(safe`${signs.back} `, theme.key, toList)];
  const title = [...back, span(name, drawn.title, personTarget(conversation)), ...parts];
  return borderRow(columns, corners, drawn, { title, note });
}

function personTarget(conversation: Conversation | null): Target | undefined {
  const { contactId = null, groupId = null } = conversation ?? {};
  if (contactId !== null) return { kind: 'person', of: { kind: 'contact', id: contactId } };
  return groupId === null ? undefined : { kind: 'person', of: { kind: 'group', id: groupId } };
}

/** @param message null where it is not held */
function pinnedRow(message: Message | null, columns: number, look: Look): Row {
  const { theme, signs } = look;
  const shown = message === null ? literal('a message further back') : messageLine(message, look);
  const row = [
    span(safe` ${signs.pinned} `, ''),
    span(truncate(shown, Math.max(1, columns - 8), signs.ellipsis), theme.strong),
  ];
  return framed(row, columns, bothSides, look);
}

/** The most rows of the report: on a low screen it would leave none for the messages. */
const failureLimit = ({ rows }: Size): number => Math.max(1, Math.min(3, Math.floor((rows - 6) / 4)));

/** Says how old the cached copy is, and which key helps or when the next try is; a long cause is cut before these. */
function failureRows(
  reason: string,
  asOf: Millis | null,
  columns: number,
  { id, does, notBefore, key }: Remedy & { readonly key: string },
  limit: number,
  look: Look,
): readonly Row[] {
  const { theme, signs } = look;
  const target: Target = { kind: 'command', id };
  // In a single row the cause would be gone; the header says since when the server is not reached.
  const age = asOf === null || limit === 1 ? literal('') : safe` ${signs.dot} as of ${clockTime(asOf)}`;
  const byKey = key === '' ? literal('') : safe` ${signs.dot} ${sanitizeLine(key)} ${does}`;
  const help = notBefore === undefined ? byKey : safe` ${signs.dot} next try ${clockTimeSeconds(notBefore)}`;
  const cause = safe`Could not refresh: ${sanitizeLine(reason)}`;
  const lines = wrapWithEnd(cause, safe`${age}${help}`, Math.max(1, columns - 5), limit, signs.ellipsis);
  return lines.map((line, i) => {
    const sign = i === 0 ? safe` ${signs.failed} ` : literal('   ');
    return framed([span(safe`${sign}${line}`, theme.error, target)], columns, bothSides, look);
  });
}
