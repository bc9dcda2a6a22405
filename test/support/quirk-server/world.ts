/** What the quirk server holds, with older states of it for lists that lag behind. */
import type { Quirks } from './quirks.ts';

export interface Person {
  readonly id: string;
  readonly username: string;
}

export interface StoredReaction {
  readonly name: string;
  readonly by: readonly string[];
}

export type StoredAttachment = Readonly<Record<string, string | number>>;

/** Times in milliseconds. */
export interface StoredMessage {
  readonly id: string;
  readonly conversationId: string;
  readonly senderId: string;
  readonly text: string;
  readonly reactions: readonly StoredReaction[];
  readonly attachments: readonly StoredAttachment[];
  readonly readAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  readonly seq: number;
}

export interface StoredConversation {
  readonly id: string;
  readonly contactId: string | null;
  readonly groupId: string | null;
  readonly pinnedMessageId: string | null;
  readonly isPinned: boolean;
  readonly isMuted: boolean;
  readonly lastActiveAt: number | null;
  readonly lastOpenedAt: number | null;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  readonly seq: number;
}

interface Snapshot {
  readonly at: number;
  readonly messages: ReadonlyMap<string, StoredMessage>;
  readonly conversations: ReadonlyMap<string, StoredConversation>;
}

/** Separators, encodings and scripts that a path must carry unharmed. */
const oddStems = [
  'a/b',
  'q?x=1&y',
  'h#f',
  '%2e%2e',
  'sp ace',
  'é漢😀',
  "it's(1)*!~",
  '+plus+',
  ';semi:colon@',
  '"quo\\te',
];

export class World {
  readonly people = new Map<string, Person>();
  readonly me: Person;
  messages: ReadonlyMap<string, StoredMessage> = new Map();
  conversations: ReadonlyMap<string, StoredConversation> = new Map();
  readonly #quirks: Quirks;
  readonly #now: () => number;
  #snapshots: Snapshot[] = [];
  #seq = 0;

  constructor(quirks: Quirks, now: () => number) {
    this.#quirks = quirks;
    this.#now = now;
    this.me = this.person('mia');
  }

  person(username: string): Person {
    const person = { id: this.newId('u'), username };
    this.people.set(person.id, person);
    return person;
  }

  /** How a person is named among reactions. */
  stringOf(person: Person): string {
    return this.#quirks.reactionStrings === 'ids' ? person.id : person.username;
  }

  newId(stem: string): string {
    this.#seq += 1;
    const n = this.#seq;
    if (this.#quirks.ids === 'int') return String(1000 + n);
    if (this.#quirks.ids === 'bigint') return String(9_007_199_254_740_993n + BigInt(n) * 2n);
    const scattered = ((n * 2_654_435_761) % 4_294_967_296).toString(36);
    return this.#quirks.ids === 'odd'
      ? `${oddStems[n % oddStems.length]}-${stem}${n}`
      : `${stem}${scattered.padStart(7, '0')}${n}`;
  }

  nextSeq(): number {
    this.#seq += 1;
    return this.#seq;
  }

  /** Changes both tables at once; lists see it when the lag is over. */
  change(messages: ReadonlyMap<string, StoredMessage>, conversations: ReadonlyMap<string, StoredConversation>): void {
    this.messages = messages;
    this.conversations = conversations;
    if (this.#quirks.listLag + this.#quirks.readLag > 0)
      this.#snapshots.push({ at: this.#now(), messages, conversations });
  }

  putMessage(message: StoredMessage, touches = false): void {
    const conversations = new Map(this.conversations);
    const held = conversations.get(message.conversationId);
    if (touches && held !== undefined) conversations.set(held.id, { ...held, lastActiveAt: message.createdAt });
    this.change(new Map(this.messages).set(message.id, message), conversations);
  }

  putConversation(conversation: StoredConversation): void {
    this.change(this.messages, new Map(this.conversations).set(conversation.id, conversation));
  }

  /** The past is over: lists show everything up to now. */
  forgetPast(): void {
    this.#snapshots = [{ at: Number.NEGATIVE_INFINITY, messages: this.messages, conversations: this.conversations }];
  }

  /** What lists are made from. */
  listed(): Omit<Snapshot, 'at'> {
    return this.#asOf(this.#quirks.listLag);
  }

  /** What single rows are read from. */
  retrieved(): Omit<Snapshot, 'at'> {
    return this.#asOf(this.#quirks.readLag);
  }

  #asOf(lagSeconds: number): Omit<Snapshot, 'at'> {
    if (lagSeconds === 0) return this;
    const until = this.#now() - lagSeconds * 1000;
    return this.#snapshots.findLast((snapshot) => snapshot.at <= until) ?? this.#snapshots[0] ?? this;
  }
}
