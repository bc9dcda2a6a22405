/** Checks the conversations of a seed, by the rules that hold for sent messages, and plans what is written of them. */
import { type FreshAttachment, freshAttachments } from '../rules/attachments.ts';
import {
  attachmentInputs,
  isMessageText,
  isReactionName,
  maximumReactionNames,
  maximumTextLength,
} from '../rules/message-parameters.ts';
import type { Rules } from '../rules/service.ts';
import { badParameter, ServiceError } from '../rules/service-error.ts';
import type { PersonRow } from '../store/people.ts';
import { newId } from '../store/secrets.ts';
import type { SeedConversation, SeedMessage, SeedState } from './seed-format.ts';

/** The conversation of one user with a thread while it is imported. */
export interface Side {
  readonly personSeq: number;
  readonly conversationSeq: number;
  readonly state: SeedState;
  /** Indices of the messages that this person has not read. */
  readonly unread: ReadonlySet<number>;
}

export interface PlannedMessage {
  readonly authorSeq: number;
  readonly text: string;
  readonly at: number;
  readonly editedAt: number | null;
  readonly reactions: readonly { readonly name: string; readonly personSeq: number }[];
  readonly attachments: readonly FreshAttachment[];
}

export interface Plan {
  readonly threadSeq: number;
  readonly messages: readonly PlannedMessage[];
  readonly sides: readonly Side[];
  /** The row number of each message once it is written. */
  readonly seqs: number[];
}

/** Whose conversation it is. */
interface Party {
  readonly conversation: SeedConversation;
  /** The place of the conversation in the file, for errors. */
  readonly at: string;
  /** `chat_groups.seq`; null for a pair. */
  readonly groupSeq: number | null;
  readonly people: readonly PersonRow[];
}

/** Finds a person by the username in any letter case. `place`: where the name is in the file. */
type FindPerson = (username: string, place: string) => Promise<PersonRow>;

/** Creates the threads and the conversations of their users, without messages. Rejects with `ServiceError`. */
export async function planConversations(
  rules: Rules,
  conversations: readonly SeedConversation[],
): Promise<readonly Plan[]> {
  const find = createFinder(rules);
  const parties: Party[] = [];
  for (const [index, item] of conversations.entries())
    parties.push(await partyOf(rules, find, item, `conversations[${index}]`));
  // The conversation enters the lists of all of them, which a server remembers while their counters stay the same.
  await rules.store.versions.bump(parties.flatMap(({ people }) => people.map(({ seq }) => seq)));
  const plans: Plan[] = [];
  for (const party of parties) plans.push(await planConversation(rules, find, party));
  return plans;
}

/** Asks the database once for each spelling of a name. */
function createFinder({ store }: Rules): FindPerson {
  const found = new Map<string, PersonRow>();
  return async (username, place) => {
    const person = found.get(username) ?? (await store.people.byUsername(username));
    if (person === undefined) throw badParameter(place, `there is no person ${username}`);
    found.set(username, person);
    return person;
  };
}

async function partyOf({ admin }: Rules, find: FindPerson, conversation: SeedConversation, at: string): Promise<Party> {
  const { between, group } = conversation;
  if (group !== undefined && between === undefined)
    return { conversation, at, groupSeq: (await admin.group(group)).seq, people: await admin.members(group) };
  const people: PersonRow[] = [];
  for (const username of between ?? []) people.push(await find(username, `${at}.between`));
  if (group !== undefined || people.length !== 2 || people[0]?.seq === people[1]?.seq)
    throw badParameter(at, 'needs either a group or two different usernames in between');
  return { conversation, at, groupSeq: null, people };
}

async function planConversation(rules: Rules, find: FindPerson, party: Party): Promise<Plan> {
  const { store, now, random } = rules;
  const threadSeq = await threadOf(rules, party);
  const inFile: PlannedMessage[] = [];
  for (const [index, message] of (party.conversation.messages ?? []).entries()) {
    const plan = { find, party, place: `${party.at}.messages[${index}]`, now: now() };
    inFile.push(await planMessage(plan, message));
  }
  // The file may have the newest first, as the lists of the API have.
  const order = inFile.map((message, index) => ({ message, index })).sort((a, b) => a.message.at - b.message.at);
  const messages = order.map(({ message }) => message);
  const states = await statesOf(find, party);
  const startedAt = messages[0]?.at ?? now();
  const sides: Side[] = [];
  for (const { seq, conversation_seq } of await store.conversations.participants(threadSeq)) {
    const row = { id: newId(random), thread_seq: threadSeq, person_seq: seq, created_at: startedAt };
    const written = states.get(seq) ?? {};
    const pinned = order.findIndex(({ index }) => index === written.pinned_message);
    const state = pinned < 0 ? written : { ...written, pinned_message: pinned };
    const conversationSeq = conversation_seq ?? (await store.conversations.add(row));
    sides.push({ personSeq: seq, conversationSeq, state, unread: unreadOf(messages, seq, state) });
  }
  return { threadSeq, messages, sides, seqs: [] };
}

function threadOf({ store }: Rules, { groupSeq, people }: Party): Promise<number> {
  if (groupSeq !== null) return store.conversations.threadOfGroup(groupSeq);
  const seqs = people.map(({ seq }) => seq);
  return store.conversations.threadOfPair(Math.min(...seqs), Math.max(...seqs));
}

interface MessagePlace {
  readonly find: FindPerson;
  readonly party: Party;
  readonly place: string;
  readonly now: number;
}

async function planMessage({ find, party, place, now }: MessagePlace, message: SeedMessage): Promise<PlannedMessage> {
  const { from, text, edited_at } = message;
  const author = await find(from, `${place}.from`);
  if (!party.people.some(({ seq }) => seq === author.seq))
    throw badParameter(`${place}.from`, `${from} does not take part in this conversation`);
  const attachments = attachmentsOf(message, place);
  if (!isMessageText(text, attachments.length > 0))
    throw badParameter(`${place}.text`, `must be 1 to ${maximumTextLength} characters`);
  return {
    authorSeq: author.seq,
    text,
    at: absolute(message.at, now),
    editedAt: edited_at === undefined ? null : absolute(edited_at, now),
    reactions: await reactionsOf(find, message, place),
    attachments,
  };
}

/** Checks the attachments as those of a request are checked. */
function attachmentsOf({ attachments = [] }: SeedMessage, place: string): readonly FreshAttachment[] {
  const fieldsOf = (attachment: object) =>
    new Map(Object.entries(attachment).map(([name, value]) => [name, String(value)]));
  const numbered = new Map(attachments.map((attachment, index) => [String(index), fieldsOf(attachment)]));
  try {
    return freshAttachments(attachmentInputs(new Map([['attachments', numbered]])) ?? [], new Set());
  } catch (error) {
    // Its message begins with the name of the parameter.
    if (error instanceof ServiceError) throw new ServiceError(400, error.code, `${place}.${error.message}`);
    throw error;
  }
}

async function reactionsOf(
  find: FindPerson,
  { reactions = {} }: SeedMessage,
  place: string,
): Promise<PlannedMessage['reactions']> {
  const planned: PlannedMessage['reactions'][number][] = [];
  const named = Object.entries(reactions);
  if (named.length > maximumReactionNames)
    throw badParameter(`${place}.reactions`, `a message has at most ${maximumReactionNames} different reactions`);
  for (const [name, usernames] of named) {
    const at = `${place}.reactions.${name}`;
    if (!isReactionName(name)) throw badParameter(at, 'is not a reaction name');
    for (const username of usernames) planned.push({ name, personSeq: (await find(username, at)).seq });
  }
  return planned;
}

/** The states by `people.seq`. Only users have a conversation, so nobody else has a state. */
async function statesOf(
  find: FindPerson,
  { conversation, at, people }: Party,
): Promise<ReadonlyMap<number, SeedState>> {
  const states = new Map<number, SeedState>();
  const count = conversation.messages?.length ?? 0;
  for (const [username, state] of Object.entries(conversation.state ?? {})) {
    const place = `${at}.state.${username}`;
    const { seq, is_user } = await find(username, place);
    if (is_user !== 1 || !people.some((one) => one.seq === seq))
      throw badParameter(place, `${username} is not a user who takes part in this conversation`);
    if (states.has(seq)) throw badParameter(place, `${username} is there twice`);
    if (state.pinned_message !== undefined && state.pinned_message >= count)
      throw badParameter(`${place}.pinned_message`, 'must be an index in messages');
    states.set(seq, state);
  }
  return states;
}

/** The last messages of others, as many as the state says are unread. */
function unreadOf(messages: readonly PlannedMessage[], personSeq: number, state: SeedState): ReadonlySet<number> {
  const others = [...messages.keys()].filter((index) => messages[index]?.authorSeq !== personSeq);
  return new Set(others.slice(Math.max(0, others.length - (state.unread ?? 0))));
}

export const absolute = (at: number | undefined, now: number): number =>
  at === undefined || at <= 0 ? now + (at ?? 0) : at;
