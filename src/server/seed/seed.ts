/** Imports a seed file in blocks, between which other processes can write. */
import { isMessageText, isReactionName, isWebAddress, maximumTextLength } from '../rules/message-parameters.ts';
import type { Service } from '../rules/service.ts';
import { badParameter } from '../rules/service-error.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import { checkSeed, type Seed, type SeedConversation, type SeedMessage, type SeedState } from './seed-format.ts';

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
export function importSeed(service: Service, json: unknown, pause: () => void = () => undefined): SeedCounts {
  const seed = checkSeed(json);
  const plans = service.store.transaction(() => {
    for (const { username, ...more } of seed.users ?? []) service.admin.createUser(details(username, more));
    for (const { username, ...more } of seed.contacts ?? []) service.admin.createContact(details(username, more));
    for (const { name, members } of seed.groups ?? []) service.admin.createGroup(name, members);
    return (seed.conversations ?? []).map((item, index) => planConversation(service, item, `conversations[${index}]`));
  });
  // Messages of all conversations are written in the order of time, since that is the order in which they are listed.
  const lines = plans.flatMap((plan) => plan.messages.map((_, index) => ({ plan, index })));
  lines.sort((a, b) => timeOf(a) - timeOf(b));
  const inBlocks = <Item>(items: readonly Item[], write: (item: Item) => void): void => {
    for (let at = 0; at < items.length; at += rowsInBlock) {
      pause();
      service.store.transaction(() => items.slice(at, at + rowsInBlock).forEach(write));
    }
  };
  inBlocks(lines, ({ plan, index }) => {
    plan.seqs[index] = importMessage(service, plan, index);
  });
  inBlocks(
    plans.flatMap((plan) => plan.sides.map((side) => ({ plan, side }))),
    ({ plan, side }) => finishSide(service, side, plan),
  );
  return countsOf(seed);
}

function details(username: string, more: { readonly phone_number?: string; readonly avatar_url?: string }) {
  return { username, phoneNumber: more.phone_number ?? '', avatarUrl: more.avatar_url ?? '' };
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

/** Creates the thread and the conversations of its users, without messages. */
function planConversation(service: Service, conversation: SeedConversation, at: string): Plan {
  const { store, now, random } = service;
  const threadSeq = threadOf(service, conversation, at);
  const messages = (conversation.messages ?? []).map((message) => ({ ...message, at: absolute(message.at, now()) }));
  checkMessages(service, conversation, messages, at);
  const startedAt = messages[0]?.at ?? now();
  const sides = store.conversations.usersOfThread(threadSeq).map((personSeq): Side => {
    const present = store.conversations.byThread(threadSeq, personSeq)?.seq;
    const row = { id: newId(random), thread_seq: threadSeq, person_seq: personSeq, created_at: startedAt };
    const person = store.people.bySeq(personSeq);
    if (person === undefined) throw new Error('a thread with a person who is not there');
    const state = conversation.state?.[person.username] ?? {};
    const unread = unreadOf(messages, person, state);
    return { person, conversationSeq: present ?? store.conversations.add(row), state, unread };
  });
  return { threadSeq, messages, sides, seqs: [] };
}

function threadOf({ admin, store }: Service, conversation: SeedConversation, at: string): number {
  const { between, group } = conversation;
  if (group !== undefined && between === undefined) return store.conversations.threadOfGroup(admin.group(group).seq);
  const [one, other] = (between ?? []).map((username) => admin.person(username).seq);
  if (group !== undefined || between?.length !== 2 || one === undefined || other === undefined || one === other) {
    throw badParameter(at, 'needs either a group or two different usernames in between');
  }
  return store.conversations.threadOfPair(Math.min(one, other), Math.max(one, other));
}

/** Applies the rules for sent messages. */
function checkMessages(
  { admin }: Service,
  conversation: SeedConversation,
  messages: readonly SeedMessage[],
  at: string,
) {
  const { between, group } = conversation;
  const names = new Set(group === undefined ? between : admin.members(group).map((member) => member.username));
  for (const [index, { from, text, attachments, reactions }] of messages.entries()) {
    const place = `${at}.messages[${index}]`;
    if (!names.has(from)) throw badParameter(`${place}.from`, `${from} does not take part in this conversation`);
    if (!isMessageText(text)) throw badParameter(`${place}.text`, `must be 1 to ${maximumTextLength} characters`);
    const stray = attachments?.find(({ file_url }) => !isWebAddress(file_url));
    if (stray !== undefined) throw badParameter(`${place}.attachments`, 'must be http or https addresses');
    for (const [name, usernames] of Object.entries(reactions ?? {})) {
      if (!isReactionName(name)) throw badParameter(`${place}.reactions.${name}`, 'is not a reaction name');
      for (const username of usernames) admin.person(username);
    }
  }
}

type DatedMessage = SeedMessage & { readonly at: number };

/** The last messages of others, as many as the state says are unread. */
function unreadOf(messages: readonly DatedMessage[], person: PersonRow, state: SeedState): ReadonlySet<number> {
  const others = [...messages.keys()].filter((index) => messages[index]?.from !== person.username);
  return new Set(others.slice(Math.max(0, others.length - (state.unread ?? 0))));
}

function importMessage(service: Service, plan: Plan, index: number): number {
  const { threadSeq, messages, sides } = plan;
  const message = messages[index];
  if (message === undefined) throw new Error('a message that is not in the plan');
  const readers = sides.filter((side) => !side.unread.has(index));
  const { admin, store, random } = service;
  const author = admin.person(message.from);
  const readAt = message.at + readingDelay;
  const isRead = readers.some((side) => side.person.seq !== author.seq);
  const seq = store.messages.add({
    id: newId(random),
    thread_seq: threadSeq,
    author_seq: author.seq,
    text: message.text,
    created_at: message.at,
    updated_at: message.edited_at === undefined ? null : absolute(message.edited_at, service.now()),
    read_at: isRead ? readAt : null,
  });
  for (const side of sides) {
    const isOwn = side.person.seq === author.seq;
    store.messages.deliver({
      conversation_seq: side.conversationSeq,
      message_seq: seq,
      person_seq: side.person.seq,
      is_own: Number(isOwn),
      read_at: !isOwn && readers.includes(side) ? readAt : null,
    });
  }
  store.people.set(author.seq, { last_active_at: Math.max(author.last_active_at ?? 0, message.at) });
  importMarks(service, seq, message);
  return seq;
}

function importMarks({ admin, store, random }: Service, seq: number, message: DatedMessage): void {
  for (const [name, usernames] of Object.entries(message.reactions ?? {})) {
    for (const username of usernames) store.marks.addReaction(seq, name, admin.person(username).seq);
  }
  for (const attachment of message.attachments ?? []) {
    store.marks.addAttachment({
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

function finishSide({ store, now }: Service, side: Side, { messages, seqs }: Plan): void {
  const { state, conversationSeq } = side;
  const lastRead = messages.findLast((_, index) => !side.unread.has(index));
  const last = messages.at(-1);
  if (last !== undefined) {
    store.conversations.set(conversationSeq, {
      created_at: messages[0]?.at ?? last.at,
      last_active_at: last.at,
      last_opened_at: lastRead === undefined ? null : lastRead.at + readingDelay,
    });
  }
  store.conversations.set(conversationSeq, {
    is_pinned: Number(state.is_pinned ?? false),
    is_muted: Number(state.is_muted ?? false),
    archived_at: state.archived_at === undefined ? null : absolute(state.archived_at, now()),
    pinned_message_seq: (state.pinned_message === undefined ? null : seqs[state.pinned_message]) ?? null,
  });
}

const absolute = (at: number | undefined, now: number): number => (at === undefined || at <= 0 ? now + (at ?? 0) : at);
