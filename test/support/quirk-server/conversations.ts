/** The five conversation operations as one kind of server does them. */
import { readForm } from './form.ts';
import { readTime } from './present.ts';
import type { Quirks } from './quirks.ts';
import { Refusal } from './reply.ts';
import type { StoredConversation, World } from './world.ts';

/** What a parameter does to a nullable field. */
type Change<T> = 'keep' | { readonly to: T | null };

export class Conversations {
  readonly #quirks: Quirks;
  readonly #world: World;
  readonly #now: () => number;

  constructor(quirks: Quirks, world: World, now: () => number) {
    this.#quirks = quirks;
    this.#world = world;
    this.#now = now;
  }

  open(held: StoredConversation): StoredConversation {
    const next = { ...held, lastOpenedAt: this.#now() };
    if (this.#quirks.marksRead === 'retrieve') this.markRead(held.id);
    this.#world.putConversation(next);
    return next;
  }

  markRead(id: string): void {
    const at = this.#now();
    const messages = [...this.#world.messages.values()].map((message) =>
      message.conversationId === id && message.readAt === null && message.senderId !== this.#world.me.id
        ? { ...message, readAt: at }
        : message,
    );
    this.#world.change(new Map(messages.map((message) => [message.id, message])), this.#world.conversations);
  }

  /** The conversation, and whether it is new. */
  post(body: string): { readonly row: StoredConversation; readonly isNew: boolean } {
    const { plain } = readForm(body);
    const contactId = plain.get('contact_id') ?? null;
    const groupId = plain.get('group_id') ?? null;
    if ((contactId === null) === (groupId === null)) throw new Refusal(400, 'one of contact_id and group_id');
    if (contactId !== null && !this.#world.people.has(contactId)) throw new Refusal(404, 'no such contact');
    const held = [...this.#world.conversations.values()].find(
      (row) => row.contactId === contactId && row.groupId === groupId,
    );
    if (held !== undefined && this.#quirks.create === '409') throw new Refusal(409, 'exists already');
    if (held !== undefined && this.#quirks.create !== 'duplicates') return { row: held, isNew: false };
    const row = this.make(contactId, groupId, this.#now());
    this.#world.putConversation(row);
    return { row, isNew: true };
  }

  make(contactId: string | null, groupId: string | null, createdAt: number): StoredConversation {
    return {
      id: this.#world.newId('c'),
      contactId,
      groupId,
      pinnedMessageId: null,
      isPinned: false,
      isMuted: false,
      lastActiveAt: null,
      lastOpenedAt: null,
      createdAt,
      archivedAt: null,
      seq: this.#world.nextSeq(),
    };
  }

  put(held: StoredConversation, body: string): StoredConversation {
    const { plain } = readForm(body);
    const base =
      this.#quirks.put === 'full-replace'
        ? { ...held, isPinned: false, isMuted: false, pinnedMessageId: null, archivedAt: null }
        : held;
    const pinned = this.#pinned(held, plain.get('pinned_message_id'));
    const archived = this.#archived(plain.get('archived_at'));
    const next: StoredConversation = {
      ...base,
      isPinned: flag(plain.get('is_pinned'), base.isPinned),
      isMuted: flag(plain.get('is_muted'), base.isMuted),
      pinnedMessageId: pinned === 'keep' ? this.#kept(plain, 'pinned_message_id', held, base) : pinned.to,
      archivedAt: archived === 'keep' ? this.#kept(plain, 'archived_at', held, base) : archived.to,
    };
    this.#world.putConversation(next);
    return next;
  }

  delete(held: StoredConversation): void {
    const conversations = new Map(this.#world.conversations);
    conversations.delete(held.id);
    const messages = [...this.#world.messages].filter(([, message]) => message.conversationId !== held.id);
    this.#world.change(new Map(messages), conversations);
  }

  /** A value that clears nothing leaves the field alone; a field that is not sent is as the PUT rule has it. */
  #kept<N extends 'pinned_message_id' | 'archived_at'>(
    plain: ReadonlyMap<string, string>,
    name: N,
    held: StoredConversation,
    base: StoredConversation,
  ): N extends 'archived_at' ? number | null : string | null;
  #kept(plain: ReadonlyMap<string, string>, name: string, held: StoredConversation, base: StoredConversation): unknown {
    const from = plain.has(name) ? held : base;
    return name === 'archived_at' ? from.archivedAt : from.pinnedMessageId;
  }

  #pinned(held: StoredConversation, text: string | undefined): Change<string> {
    const { clearing } = this.#quirks;
    if (text === undefined) return 'keep';
    if ((clearing === 'empty' && text === '') || (clearing === 'null' && text === 'null')) return { to: null };
    if (clearing === 'stored') return { to: text };
    if (clearing === 'zero' && text === '') return 'keep';
    if (this.#world.messages.get(text)?.conversationId !== held.id) throw new Refusal(404, 'no such message');
    return { to: text };
  }

  #archived(text: string | undefined): Change<number> {
    const { clearing } = this.#quirks;
    if (text === undefined) return 'keep';
    const clears = { empty: '', null: 'null', zero: '0', stored: '', impossible: undefined }[clearing];
    if (text === clears) return { to: null };
    const at = readTime(text, this.#quirks);
    if (at === null && clearing === 'impossible') return 'keep';
    if (at === null) throw new Refusal(400, 'archived_at is no time');
    return { to: at };
  }
}

function flag(text: string | undefined, otherwise: boolean): boolean {
  if (text === undefined) return otherwise;
  if (text !== 'true' && text !== 'false') throw new Refusal(400, 'neither true nor false');
  return text === 'true';
}
