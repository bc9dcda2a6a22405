/** Imports a seed file in blocks, between which other processes can write. */
import type { PersonDetails } from '../rules/admin.ts';
import { addAttachments } from '../rules/attachments.ts';
import type { Rules, Service } from '../rules/service.ts';
import { ServiceError } from '../rules/service-error.ts';
import { newId } from '../store/secrets.ts';
import { absolute, type Plan, planConversations, type Side } from './plan.ts';
import { checkSeed, type Seed, type SeedPerson } from './seed-format.ts';

export interface SeedCounts {
  readonly people: number;
  readonly groups: number;
  readonly conversations: number;
  readonly messages: number;
}

/** Seconds after which the others are taken to have read a past message. */
const readingDelay = 40;

/**
 * When a message of that time is taken to be read. Not after the import: a client would count what arrives until then as read.
 */
const readingTime = (at: number, now: number): number => Math.max(at, Math.min(at + readingDelay, now));

/** The messages of one block. A server that uses the same file waits for one block at most. */
const rowsInBlock = 500;

/**
 * Wrong input is found before the first message is written. An import that the disk or a signal interrupts later leaves
 * the messages of the blocks before.
 * @param json parsed, unchecked
 * @param pause called between two blocks, with the file unlocked, so that other processes can write
 * @throws ServiceError that names the place that is wrong; then nothing was written
 */
export async function importSeed(
  service: Service,
  json: unknown,
  pause: () => Promise<void> = async () => undefined,
): Promise<SeedCounts> {
  const seed = checkSeed(json);
  const plans = await service.transaction((rules) => planAll(rules, seed));
  // Messages of all conversations are written in the order of time, since that is the order in which they are listed.
  const lines = plans.flatMap((plan) => plan.messages.map((_, index) => ({ plan, index })));
  lines.sort((a, b) => timeOf(a) - timeOf(b));
  const inBlocks = async <Item extends { readonly plan: Plan }>(
    items: readonly Item[],
    write: (rules: Rules, item: Item) => Promise<void>,
  ): Promise<void> => {
    for (let at = 0; at < items.length; at += rowsInBlock) {
      await pause();
      const block = items.slice(at, at + rowsInBlock);
      await service.transaction(async (rules) => {
        await rules.store.versions.bump(block.flatMap(({ plan }) => plan.sides.map((side) => side.personSeq)));
        for (const item of block) await write(rules, item);
      });
    }
  };
  await inBlocks(lines, async (rules, { plan, index }) => {
    plan.seqs[index] = await importMessage(rules, plan, index);
  });
  await inBlocks(
    plans.flatMap((plan) => plan.sides.map((side) => ({ plan, side }))),
    (rules, { plan, side }) => finishSide(rules, side, plan),
  );
  return countsOf(seed);
}

/**
 * Rejects where `importSeed` would refuse the file. No message is written, but people, groups and conversations are.
 * @param service the service of an empty database that is thrown away
 */
export async function tryToPlan(service: Service, json: unknown): Promise<void> {
  const seed = checkSeed(json);
  await service.transaction((rules) => planAll(rules, seed));
}

/** Adds the people and groups, and checks and plans the conversations. */
async function planAll(rules: Rules, seed: Seed): Promise<readonly Plan[]> {
  const { admin } = rules;
  await each('users', seed.users ?? [], (person) => admin.createUser(detailsOf(person)));
  await each('contacts', seed.contacts ?? [], (person) => admin.createContact(detailsOf(person)));
  await each('groups', seed.groups ?? [], ({ name, members }) => admin.createGroup(name, members));
  return planConversations(rules, seed.conversations ?? []);
}

/** Adds one after the other. An error names the item of the file, which may have thousands. */
async function each<Item>(name: string, items: readonly Item[], add: (item: Item) => Promise<unknown>): Promise<void> {
  for (const [index, item] of items.entries()) {
    await add(item).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.status, error.code, `${name}[${index}]: ${error.message}`);
    });
  }
}

/** A contact who becomes a user keeps what the file does not say. */
function detailsOf({ username, phone_number, avatar_url }: SeedPerson): PersonDetails {
  return {
    username,
    ...(phone_number === undefined ? {} : { phoneNumber: phone_number }),
    ...(avatar_url === undefined ? {} : { avatarUrl: avatar_url }),
  };
}

function countsOf(seed: Seed): SeedCounts {
  const conversations = seed.conversations ?? [];
  return {
    people: (seed.users?.length ?? 0) + (seed.contacts?.length ?? 0),
    groups: seed.groups?.length ?? 0,
    conversations: conversations.length,
    messages: conversations.reduce((sum, item) => sum + (item.messages?.length ?? 0), 0),
  };
}

const timeOf = ({ plan, index }: { readonly plan: Plan; readonly index: number }): number =>
  plan.messages[index]?.at ?? 0;

async function importMessage(rules: Rules, plan: Plan, index: number): Promise<number> {
  const { threadSeq, messages, sides } = plan;
  const message = messages[index];
  if (message === undefined) throw new Error('a message that is not in the plan');
  const readers = sides.filter((side) => !side.unread.has(index));
  const { store, random, now } = rules;
  const { authorSeq } = message;
  const readAt = readingTime(message.at, now());
  const isRead = readers.some((side) => side.personSeq !== authorSeq);
  const seq = await store.messages.add({
    id: newId(random),
    thread_seq: threadSeq,
    author_seq: authorSeq,
    text: message.text,
    created_at: message.at,
    updated_at: message.editedAt,
    read_at: isRead ? readAt : null,
  });
  for (const side of sides) {
    const isOwn = side.personSeq === authorSeq;
    await store.messages.deliver({
      conversation_seq: side.conversationSeq,
      message_seq: seq,
      person_seq: side.personSeq,
      is_own: Number(isOwn),
      read_at: !isOwn && readers.includes(side) ? readAt : null,
    });
  }
  const lastActive = (await store.people.bySeq(authorSeq))?.last_active_at ?? 0;
  await store.people.set(authorSeq, { last_active_at: Math.max(lastActive, message.at) });
  for (const { name, personSeq } of message.reactions) await store.reactions.add(seq, name, personSeq);
  await addAttachments(rules, seq, message.attachments, message.at);
  return seq;
}

/** Sets what the file says of the conversation. It may have existed before the import, and keeps everything else. */
async function finishSide({ store, now }: Rules, side: Side, { messages, seqs }: Plan): Promise<void> {
  const { state, conversationSeq } = side;
  const row = await store.conversations.bySeq(conversationSeq);
  // The user may have deleted it since the last block.
  if (row === undefined) return;
  const lastRead = messages.findLast((_, index) => !side.unread.has(index));
  const openedAt = lastRead === undefined ? [] : [openedAfter(lastRead.at, now(), messages, side)];
  const pinned = state.pinned_message === undefined ? undefined : seqs[state.pinned_message];
  await store.conversations.set(conversationSeq, {
    last_active_at: latest(
      row.last_active_at,
      messages.map(({ at }) => at),
    ),
    last_opened_at: latest(row.last_opened_at, openedAt),
    is_pinned: Number(state.is_pinned ?? row.is_pinned === 1),
    is_muted: Number(state.is_muted ?? row.is_muted === 1),
    archived_at: state.archived_at === undefined ? row.archived_at : absolute(state.archived_at, now()),
    ...(pinned === undefined ? {} : { pinned_message_seq: pinned }),
  });
}

/** When the user opened the conversation last: clients take what came before that as read. */
function openedAfter(lastReadAt: number, now: number, messages: Plan['messages'], { unread }: Side): number {
  const unreadAt = messages.find((_, index) => unread.has(index))?.at ?? Number.POSITIVE_INFINITY;
  return Math.max(lastReadAt, Math.min(readingTime(lastReadAt, now), unreadAt - 1));
}

const latest = (before: number | null, times: readonly number[]): number | null =>
  times.reduce<number | null>((last, at) => Math.max(last ?? at, at), before);
