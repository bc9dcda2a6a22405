/** Compares the newest page of a conversation with what is known of it, and merges the rows that may enter the state. */
import type { Newest } from '../../../api/paging/paging.ts';
import type { ServerCapabilities } from '../../../protocol/capabilities.ts';
import type { ConversationId, Message } from '../../../protocol/types.ts';
import type { PageValidator } from '../../../state/cache/cached-history.ts';
import { sameValue } from '../../../state/collections/equal.ts';
import { learnCapabilities } from '../../../state/local/capabilities.ts';
import type { Transition } from '../../../state/store.ts';
import { setFailure, setLoading } from '../../../state/view/connection.ts';
import { type KnownTail, missingFrom } from '../../merge/known-newest.ts';
import { mergePage } from '../../merge/merge-page.ts';
import { withTexts, writeAhead } from '../../merge/sliced-texts.ts';
import { currentRows } from '../../read/read-message.ts';
import { isWithinLagWindow } from '../../read/within-lag-window.ts';
import { type Aliases, noAliases, type PageObservation } from '../../services/page-observer.ts';
import type { Services } from '../../services/services.ts';
import { noteArrived, type Viewing } from './arrived-messages.ts';
import { newestUnreachable } from './backfill.ts';

/** One reading, and what was known when its request left. */
export interface Reading {
  readonly id: ConversationId;
  readonly startedAt: number;
  /** From the write tracker. */
  readonly mark: number;
  readonly outline: KnownTail;
  readonly capabilities: ServerCapabilities;
  readonly observations: readonly PageObservation[];
}

/** How the page relates to what was known before it. */
interface Comparison {
  /** Known messages, without those that the page shows by another id. */
  readonly known: KnownTail;
  /** Known messages that the page should have shown, by any id. */
  readonly missing: readonly Message[];
  readonly aliases: Aliases;
  /** The page reaches back to what was known, or there was nothing. */
  readonly isJoined: boolean;
}

interface KeptRows {
  readonly rows: readonly Message[];
  /** Rows that are on the disk by now. */
  readonly written: readonly Message[];
  /** Some rows were left out, or changed by what writes of ours have made of them. */
  readonly isPartial: boolean;
}

/** Finds out how the page relates to what is known; observers of pages say which messages have got another id. */
export async function compareWithKnown(
  context: Services,
  { id, outline, observations }: Reading,
  { messages: rows, connected, complete }: Newest,
): Promise<Comparison> {
  const all = await withTexts(context, id, outline, rows);
  const missing = missingFrom(rows, all.messages, complete);
  let aliases = noAliases;
  for (const one of observations) aliases = (await one.before?.({ rows, missing })) ?? aliases;
  const isAliased = ({ id }: Message): boolean => aliases.certain.some(({ from }) => from === id);
  const messages = all.messages.filter((message) => !isAliased(message));
  return {
    known: { ...all, messages },
    missing: missing.filter((message) => !isAliased(message)),
    aliases,
    isJoined: connected || complete || messages.length === 0,
  };
}

/** Chooses the rows that may enter the state, and writes the long ones to the disk. */
export async function keepRows(
  context: Services,
  { id, mark, observations }: Reading,
  answer: Newest,
  { known, aliases, isJoined }: Comparison,
): Promise<KeptRows> {
  const isAlias = (row: Message): boolean => aliases.certain.some(({ to }) => to.id === row.id);
  const isKept = (row: Message): boolean =>
    !isOverlapped(context, row, mark) && (isAlias(row) || !observations.some((one) => one.holdsBack?.(row)));
  // A gap that is not on the disk yet would be forgotten with the process.
  const mayWrite = (row: Message): boolean => isJoined && isKept(row);
  const whole = known.messages.filter((message) => !known.withoutText.has(message.id));
  const given = withKnownActivity(known.messages, answer.messages);
  const current = currentRows(context, whole, given);
  const written = await writeAhead(context, id, known, current, mayWrite);
  const rows = current.filter(isKept);
  // While a write is under way asking again would only drop the row again; the end of the write asks.
  const isPartial = rows.length < current.length || current.some((row, index) => row !== given[index]);
  return { rows, written, isPartial };
}

/**
 * The rows, with what is known of when their sender was last active. It is another time in all messages of somebody who
 * has written one more, which would all count as changed. The newest row of each sender keeps the time that the page shows.
 */
function withKnownActivity(known: readonly Message[], rows: readonly Message[]): readonly Message[] {
  const held = new Map(known.map((message) => [message.id, message.contact]));
  const seen = new Set<string>();
  const kept = rows.toReversed().map((row) => {
    const { contact } = row;
    if (contact === null) return row;
    const isNewest = !seen.has(contact.id);
    seen.add(contact.id);
    const was = held.get(row.id) ?? null;
    const isSame = was !== null && sameValue(was, { ...contact, lastActiveAt: was.lastActiveAt });
    return isNewest || !isSame ? row : { ...row, contact: was };
  });
  return kept.toReversed();
}

/** True when the page brought something new. */
export function mergeRows(
  context: Services,
  { id, capabilities, observations }: Reading,
  answer: Newest,
  { known, missing, aliases }: Comparison,
  { rows, written, validator }: KeptRows & { readonly validator: PageValidator | null },
  viewing: Viewing,
): boolean {
  const connected = answer.connected || answer.complete;
  const isNew = known.messages.length === 0;
  const older = answer.complete ? ('end' as const) : isNew ? ('server' as const) : undefined;
  const held = new Set(known.messages.map((message) => message.id));
  const isFresh = rows.some((row) => !held.has(row.id));
  // The page comes from a copy of the server that lags behind, and says nothing about other new messages either.
  const isBehind = missing.some(({ createdAt }) => isWithinLagWindow(context, createdAt));
  const page = { rows, aliases, isWhole: connected && !isBehind && aliases.possible.size === 0 };
  const observed = observations.flatMap((one) => one.also?.(page) ?? []);
  const noted = noteArrived(context, id, viewing, { isFirst: isNew, hasFresh: isFresh });
  const also: Transition = (state) => {
    const isKnown = answer.capabilities === capabilities;
    const learned = observed.reduce(
      (next, transition) => transition(next),
      isKnown ? state : learnCapabilities(capabilities, answer.capabilities)(state),
    );
    return noted(
      setFailure(id, answer.unreachable === true ? newestUnreachable : null)(setLoading(id, false)(learned)),
    );
  };
  const read = { conversationId: id, messages: rows, side: 'newest', connected, written, validator } as const;
  const base = { ...read, serverDate: answer.serverDate ?? null };
  return mergePage(context, older === undefined ? base : { ...base, older }, known, also);
}

/** Whether the row may be older than a write of ours. */
const isOverlapped = ({ writes }: Services, { id, createdAt }: Message, mark: number): boolean =>
  writes.overlapsSince(mark, `message ${id}`) || writes.tombstones.messages.has(id, createdAt);
