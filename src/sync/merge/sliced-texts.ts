/** Reads and writes long texts in separate turns of the event loop, so that keys get through in between. */
import type { ConversationId, Message, MessageId } from '../../protocol/types.ts';
import { rankPage } from '../../state/cache/thread-order.ts';
import { sameValue } from '../../state/collections/equal.ts';
import { nextTurn } from '../services/clock.ts';
import type { Services } from '../services/services.ts';
import type { KnownTail } from './known-newest.ts';

type SliceServices = Pick<Services, 'cache' | 'clock' | 'signal'>;

/** The work of one turn, in UTF-16 units: it takes a millisecond or two. */
const turnUnits = 131_072;
/** Shorter texts take no noticeable time. */
const longUnits = 16_384;

/** Reads from the disk the texts that `known` lacks, of all messages or of those given. */
export async function withTexts(
  context: SliceServices,
  id: ConversationId,
  known: KnownTail,
  messages: readonly Message[] = known.messages,
): Promise<KnownTail> {
  const wanted = messages.filter((message) => known.withoutText.has(message.id));
  if (wanted.length === 0) return known;
  const makeRoom = createTurns(context);
  const whole = new Map<MessageId, Message>();
  for (const { id: messageId, text } of wanted) {
    await makeRoom(Math.max(text.length, longUnits));
    const message = context.cache.message(id, messageId);
    if (message !== null) whole.set(messageId, message);
  }
  return {
    ...known,
    messages: known.messages.map((message) => whole.get(message.id) ?? message),
    withoutText: new Set([...known.withoutText].filter((one) => !whole.has(one))),
  };
}

/**
 * Writes the long rows that are new or changed, before the page is merged.
 *
 * @param mayWrite called just before each write
 * @returns the rows as they are on the disk now
 */
export async function writeAhead(
  context: SliceServices,
  id: ConversationId,
  known: KnownTail,
  rows: readonly Message[],
  mayWrite: (row: Message) => boolean,
): Promise<readonly Message[]> {
  const written: Message[] = [];
  if (!rows.some(isLong)) return written;
  const makeRoom = createTurns(context);
  const held = new Map(known.messages.map((message) => [message.id, message]));
  const ranks = new Map(rankPage(known.messages, rows, 'after').map((message) => [message.id, message.rank]));
  for (const row of rows.filter(isLong)) {
    await makeRoom(row.text.length);
    const message = { ...row, conversationId: id, rank: ranks.get(row.id) ?? row.rank };
    if (!mayWrite(row) || sameValue(held.get(row.id), message)) continue;
    context.cache.saveMessages(id, [message]);
    written.push(message);
    await makeRoom(turnUnits);
    context.cache.checkpoint();
  }
  await nextTurn(context);
  return written;
}

const isLong = ({ text }: Message): boolean => text.length >= longUnits;

/** Returns a function that waits for another turn when enough work has been done in this one. */
function createTurns(context: SliceServices): (units: number) => Promise<void> {
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
