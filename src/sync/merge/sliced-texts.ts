/** Long texts of a page: read and written in turns of their own, between which keys are heard. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { rankPage } from '../../state/cache/thread-order.ts';
import { sameValue } from '../../state/collections/equal.ts';
import type { Services } from '../services/services.ts';
import { nextTurn } from '../services/timing.ts';
import type { KnownTail } from './known-tail.ts';

type Desk = Pick<Services, 'cache' | 'clock' | 'signal'>;

/** What is done with so many UTF-16 units takes a millisecond or two. */
const turnUnits = 131_072;
/** Below this a row is no trouble for anybody. */
const longUnits = 16_384;

/** `known` with the texts of those messages that have long ones. */
export async function withTexts(
  context: Desk,
  id: ConversationId,
  known: KnownTail,
  messages: readonly Message[] = known.messages,
): Promise<KnownTail> {
  const wanted = messages.filter((message) => known.cut.has(message.id));
  if (wanted.length === 0) return known;
  const room = createRoom(context);
  const whole = new Map<MessageId, Message>();
  for (const { id: messageId, text } of wanted) {
    await room(Math.max(text.length, longUnits));
    const message = context.cache.message(id, messageId);
    if (message !== null) whole.set(messageId, message);
  }
  return {
    ...known,
    messages: known.messages.map((message) => whole.get(message.id) ?? message),
    cut: new Set([...known.cut].filter((one) => !whole.has(one))),
  };
}

/**
 * Writes the long rows that are new or changed ahead of the others, and answers them as they are on the disk now.
 * `mayWrite` is asked just before each.
 */
export async function writeAhead(
  context: Desk,
  id: ConversationId,
  known: KnownTail,
  rows: readonly Message[],
  mayWrite: (row: Message) => boolean,
): Promise<readonly Message[]> {
  const written: Message[] = [];
  if (!rows.some(isLong)) return written;
  const room = createRoom(context);
  const held = new Map(known.messages.map((message) => [message.id, message]));
  const ranks = new Map(rankPage(known.messages, rows, 'after').map((message) => [message.id, message.rank]));
  for (const row of rows.filter(isLong)) {
    await room(row.text.length);
    const message = { ...row, conversationId: id, rank: ranks.get(row.id) ?? row.rank };
    if (!mayWrite(row) || sameValue(held.get(row.id), message)) continue;
    context.cache.saveMessages(id, [message]);
    written.push(message);
    await room(turnUnits);
    context.cache.foldLog();
  }
  await nextTurn(context);
  return written;
}

const isLong = ({ text }: Message): boolean => text.length >= longUnits;

/** Waits for another turn when enough has been done in this one. */
function createRoom(context: Desk): (units: number) => Promise<void> {
  // What came before, such as the parsing of the page, counts as well.
  let used = turnUnits;
  return async (units) => {
    if (used + units > turnUnits) {
      await nextTurn(context);
      used = 0;
    }
    used += units;
  };
}
