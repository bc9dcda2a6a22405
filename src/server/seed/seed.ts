/** Imports a seed file in blocks, between which other processes can write. */
import type { PersonDetails } from '../rules/admin.ts';
import { isMessageText, isReactionName, isWebAddress, maximumTextLength } from '../rules/message-parameters.ts';
import type { Rules, Service } from '../rules/service.ts';
import { badParameter } from '../rules/service-error.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import {
  checkSeed,
  type Seed,
  type SeedConversation,
  type SeedMessage,
  type SeedPerson,
  type SeedState,
} from './seed-format.ts';

export interface SeedCounts {
  readonly people: number;
  readonly groups: number;
  readonly conversations: number;
  readonly messages: number;
}

/** Seconds after which the others are taken to have read a past message. */
const readingDelay = 40;

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
        await rules.store.versions.bump(block.flatMap(({ plan }) => plan.sides.map((side) => side.person.seq)));
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

/** Adds the people and groups, and checks and plans the conversations. */
async function planAll(rules: Rules, seed: Seed): Promise<readonly Plan[]> {
  for (const person of seed.users ?? []) await rules.admin.createUser(detailsOf(person));
  for (const person of seed.contacts ?? []) await rules.admin.createContact(detailsOf(person));
  for (const { name, members } of seed.groups ?? []) await rules.admin.createGroup(name, members);
  const parties: Party[] = [];
  for (const [index, item] of (seed.conversations ?? []).entries())
    parties.push(await partyOf(rules, item, `conversations[${index}]`));
  // The conversation enters the lists of all of them, which a server remembers while their counters stay the same.
  await rules.store.versions.bump(parties.flatMap(({ people }) => people.map(({ seq }) => seq)));
  const plans: Plan[] = [];
  for (const party of parties) plans.push(await planConversation(rules, party));
  return plans;
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

/** The conversation of one user with a thread while it is imported. */
interface Side {
  readonly person: PersonRow;
  readonly conversationSeq: number;
  readonly state: SeedState;
  /** Indices of the messages that this person has not read. */
  readonly unread: ReadonlySet<number>;
}

interface Plan {
  readonly threadSeq: number;
  readonly messages: readonly DatedMessage[];
  readonly sides: readonly Side[];
  /** The row number of each message once it is written. */
  readonly seqs: number[];
}

const timeOf = ({ plan, index }: { readonly plan: Plan; readonly index: number }): number =>
  plan.messages[index]?.at ?? 0;

/** Whose conversation it is. */
interface Party {
  readonly conversation: SeedConversation;
  /** The place of the conversation in the file, for errors. */
  readonly at: string;
  /** `chat_groups.seq`; null for a pair. */
  readonly groupSeq: number | null;
  readonly people: readonly PersonRow[];
}

async function partyOf({ admin }: Rules, conversation: SeedConversation, at: string): Promise<Party> {
  const { between, group } = conversation;
  if (group !== undefined && between === undefined)
    return { conversation, at, groupSeq: (await admin.group(group)).seq, people: await admin.members(group) };
  const people: PersonRow[] = [];
  for (const username of between ?? []) people.push(await admin.person(username));
  if (group !== undefined || people.length !== 2 || people[0]?.seq === people[1]?.seq)
    throw badParameter(at, 'needs either a group or two different usernames in between');
  return { conversation, at, groupSeq: null, people };
}

/** Creates the thread and the conversations of its users, without messages. */
async function planConversation(rules: Rules, party: Party): Promise<Plan> {
  const { store, now } = rules;
  const { conversation } = party;
  const threadSeq = await threadOf(rules, party);
  const messages = (conversation.messages ?? []).map((message) => ({ ...message, at: absolute(message.at, now()) }));
  await checkMessages(rules, party, messages);
  const startedAt = messages[0]?.at ?? now();
  const sides: Side[] = [];
  for (const { seq, conversation_seq } of await store.conversations.participants(threadSeq)) {
    const row = { id: newId(rules.random), thread_seq: threadSeq, person_seq: seq, created_at: startedAt };
    const person = await store.people.bySeq(seq);
    if (person === undefined) throw new Error('a thread with a person who is not there');
    const state = conversation.state?.[person.username] ?? {};
    const conversationSeq = conversation_seq ?? (await store.conversations.add(row));
    sides.push({ person, conversationSeq, state, unread: unreadOf(messages, person, state) });
  }
  return { threadSeq, messages, sides, seqs: [] };
}

function threadOf({ store }: Rules, { groupSeq, people }: Party): Promise<number> {
  if (groupSeq !== null) return store.conversations.threadOfGroup(groupSeq);
  const seqs = people.map(({ seq }) => seq);
  return store.conversations.threadOfPair(Math.min(...seqs), Math.max(...seqs));
}

/**
 * Applies the rules for the author, the text, the addresses and the reactions of sent messages. Rejects with
 * `ServiceError`.
 */
async function checkMessages({ admin }: Rules, { at, people }: Party, messages: readonly SeedMessage[]): Promise<void> {
  const names = new Set(people.map(({ username }) => username));
  for (const [index, { from, text, attachments, reactions }] of messages.entries()) {
    const place = `${at}.messages[${index}]`;
    if (!names.has(from)) throw badParameter(`${place}.from`, `${from} does not take part in this conversation`);
    if (!isMessageText(text, false))
      throw badParameter(`${place}.text`, `must be 1 to ${maximumTextLength} characters`);
    const stray = attachments?.find(({ file_url }) => !isWebAddress(file_url));
    if (stray !== undefined) throw badParameter(`${place}.attachments`, 'must be http or https addresses');
    for (const [name, usernames] of Object.entries(reactions ?? {})) {
      if (!isReactionName(name)) throw badParameter(`${place}.reactions.${name}`, 'is not a reaction name');
      for (const username of usernames) await admin.person(username);
    }
  }
}

type DatedMessage = SeedMessage & { readonly at: number };

/** The last messages of others, as many as the state says are unread. */
function unreadOf(messages: readonly DatedMessage[], person: PersonRow, state: SeedState): ReadonlySet<number> {
  const others = [...messages.keys()].filter((index) => messages[index]?.from !== person.username);
  return new Set(others.slice(Math.max(0, others.length - (state.unread ?? 0))));
}

async function importMessage(rules: Rules, plan: Plan, index: number): Promise<number> {
  const { threadSeq, messages, sides } = plan;
  const message = messages[index];
  if (message === undefined) throw new Error('a message that is not in the plan');
  const readers = sides.filter((side) => !side.unread.has(index));
  const { admin, store, random, now } = rules;
  const author = await admin.person(message.from);
  const readAt = message.at + readingDelay;
  const isRead = readers.some((side) => side.person.seq !== author.seq);
  const seq = await store.messages.add({
    id: newId(random),
    thread_seq: threadSeq,
    author_seq: author.seq,
    text: message.text,
    created_at: message.at,
    updated_at: message.edited_at === undefined ? null : absolute(message.edited_at, now()),
    read_at: isRead ? readAt : null,
  });
  for (const side of sides) {
    const isOwn = side.person.seq === author.seq;
    await store.messages.deliver({
      conversation_seq: side.conversationSeq,
      message_seq: seq,
      person_seq: side.person.seq,
      is_own: Number(isOwn),
      read_at: !isOwn && readers.includes(side) ? readAt : null,
    });
  }
  await store.people.set(author.seq, { last_active_at: Math.max(author.last_active_at ?? 0, message.at) });
  await importMarks(rules, seq, message);
  return seq;
}

async function importMarks({ admin, store, random }: Rules, seq: number, message: DatedMessage): Promise<void> {
  for (const [name, usernames] of Object.entries(message.reactions ?? {})) {
    for (const username of usernames) await store.reactions.add(seq, name, (await admin.person(username)).seq);
  }
  for (const attachment of message.attachments ?? []) {
    await store.attachments.add({
      id: newId(random),
      message_seq: seq,
      filename: attachment.filename ?? attachment.file_url.split('/').at(-1) ?? '',
      file_url: attachment.file_url,
      file_type: attachment.file_type ?? null,
      file_size: attachment.file_size ?? null,
      created_at: message.at,
    });
  }
}

/** Sets what the file says of the conversation. It may have existed before the import, and keeps everything else. */
async function finishSide({ store, now }: Rules, side: Side, { messages, seqs }: Plan): Promise<void> {
  const { state, conversationSeq } = side;
  const row = await store.conversations.bySeq(conversationSeq);
  // The user may have deleted it since the last block.
  if (row === undefined) return;
  const lastRead = messages.findLast((_, index) => !side.unread.has(index));
  const openedAt = lastRead === undefined ? [] : [lastRead.at + readingDelay];
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

const latest = (before: number | null, times: readonly number[]): number | null =>
  times.reduce<number | null>((last, at) => Math.max(last ?? at, at), before);

const absolute = (at: number | undefined, now: number): number => (at === undefined || at <= 0 ? now + (at ?? 0) : at);
