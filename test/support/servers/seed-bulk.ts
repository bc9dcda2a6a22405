/** Fills the service with any amount of plain data, for measuring. */

import type { Rules, Service } from '../../../src/server/rules/service.ts';
import type { PersonRow } from '../../../src/server/store/people.ts';
import { newId } from '../../../src/server/store/secrets.ts';

export interface BulkOptions {
  readonly conversations: number;
  /** In all, over all conversations. */
  readonly messages: number;
  /** Of these, how many in the first conversation, which ends up on top of the list. */
  readonly inFirst: number;
  /** The user who has them all; made when missing. Default `bench`. */
  readonly username?: string;
}

export interface BulkResult {
  readonly user: PersonRow;
  readonly firstConversationId: string;
}

/** One transaction. Each conversation is with a contact of its own; a third of the messages are the user's. */
export async function seedBulk(service: Service, options: BulkOptions): Promise<BulkResult> {
  if (options.conversations < 1 || options.inFirst > options.messages)
    throw new Error('more messages in the first than in all');
  return service.transaction(async (rules) => {
    const { store, admin, now, random } = rules;
    const username = options.username ?? 'bench';
    const user = (await store.people.byUsername(username)) ?? (await admin.createUser({ username }));
    const start = now() - options.messages - options.conversations - 1;
    let firstConversationId = '';
    let clock = start;
    // The first one comes last, so that it is the newest.
    for (let index = options.conversations - 1; index >= 0; index -= 1) {
      const contact = await addContact(rules, index, start);
      const id = newId(random);
      const threadSeq = await store.conversations.threadOfPair(
        Math.min(user.seq, contact),
        Math.max(user.seq, contact),
      );
      clock += 1;
      const row = { id, thread_seq: threadSeq, person_seq: user.seq, created_at: clock };
      const conversationSeq = await store.conversations.add(row);
      const count = messagesIn(index, options);
      const place = { threadSeq, conversationSeq, user: user.seq, contact };
      for (let n = 0; n < count; n += 1) {
        clock += 1;
        await addMessage(rules, place, n, clock);
      }
      if (count > 0) await store.conversations.set(conversationSeq, { last_active_at: clock, last_opened_at: clock });
      if (index === 0) firstConversationId = id;
    }
    return { user, firstConversationId };
  });
}

function messagesIn(index: number, { conversations, messages, inFirst }: BulkOptions): number {
  if (index === 0) return conversations === 1 ? messages : inFirst;
  const rest = messages - inFirst;
  const others = conversations - 1;
  return Math.floor(rest / others) + (index <= rest % others ? 1 : 0);
}

function addContact({ store, random }: Rules, index: number, at: number): Promise<number> {
  return store.people.add({
    id: newId(random),
    username: `contact-${String(index).padStart(6, '0')}`,
    phone_number: '',
    avatar_url: '',
    is_user: 0,
    created_at: at,
  });
}

interface Place {
  readonly threadSeq: number;
  readonly conversationSeq: number;
  readonly user: number;
  readonly contact: number;
}

const words =
  'the ferry leaves at nine and we meet on the pier with coffee 🙂 if the wind allows 日本語 maybe later'.split(' ');

async function addMessage({ store, random }: Rules, place: Place, n: number, at: number): Promise<void> {
  const isOwn = n % 3 === 0;
  const length = 2 + ((n * 7) % 23);
  const text = Array.from({ length }, (_, word) => words[(n + word * 3) % words.length]).join(' ');
  const readAt = isOwn ? null : at;
  const message_seq = await store.messages.add({
    id: newId(random),
    thread_seq: place.threadSeq,
    author_seq: isOwn ? place.user : place.contact,
    text: `#${n} ${text}`,
    created_at: at,
    read_at: readAt,
  });
  await store.messages.deliver({
    conversation_seq: place.conversationSeq,
    message_seq,
    person_seq: place.user,
    is_own: Number(isOwn),
    read_at: readAt,
  });
}
