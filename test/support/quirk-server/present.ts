/** Rows as the JSON of one kind of server: ids, times, reactions and contacts in its own way. */
import type { Quirks } from './quirks.ts';
import type { StoredAttachment, StoredConversation, StoredMessage, StoredReaction, World } from './world.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Stands for an integer that JavaScript cannot hold; `toText` writes its digits. */
const bare = '§int:';

export function toText(value: Json): string {
  return JSON.stringify(value).replace(/"§int:(-?\d+)"/g, '$1');
}

export class Presenter {
  readonly #quirks: Quirks;
  readonly #world: World;

  constructor(quirks: Quirks, world: World) {
    this.#quirks = quirks;
    this.#world = world;
  }

  id(id: string | null): Json {
    const isNumber = this.#quirks.ids === 'int' || this.#quirks.ids === 'bigint';
    return id !== null && isNumber && /^\d+$/.test(id) ? bare + id : id;
  }

  time(at: number | null): Json {
    if (at === null) return null;
    const { time } = this.#quirks;
    if (time === 'iso') return new Date(at).toISOString();
    if (time === 'digits') return String(Math.floor(at / 1000));
    if (time === 's') return Math.floor(at / 1000);
    return bare + at + { ms: '', us: '000', ns: '000000' }[time];
  }

  message(row: StoredMessage): Record<string, Json> {
    const { updatedAt } = this.#quirks;
    return {
      id: this.id(row.id),
      conversation_id: this.id(row.conversationId),
      contact: this.#contact(row.senderId),
      message: row.text,
      reactions: this.#reactions(row.reactions),
      attachments: row.attachments.map((file) => this.#attachment(file)),
      read_at: this.time(row.readAt),
      created_at: this.time(row.createdAt),
      updated_at: this.time(row.updatedAt ?? (updatedAt === 'created' ? row.createdAt : null)),
      karma: 7,
    };
  }

  conversation(row: StoredConversation): Record<string, Json> {
    return {
      id: this.id(row.id),
      contact_id: this.id(row.contactId),
      group_id: this.id(row.groupId),
      pinned_message_id: this.id(row.pinnedMessageId),
      is_pinned: this.#flag(row.isPinned),
      is_muted: this.#flag(row.isMuted),
      last_active_at: this.#quirks.activity === 'given' ? this.time(row.lastActiveAt) : null,
      last_opened_at: this.time(row.lastOpenedAt),
      created_at: this.time(row.createdAt),
      archived_at: this.time(row.archivedAt),
      colour: 'blue',
    };
  }

  #flag(is: boolean): Json {
    const { booleans } = this.#quirks;
    return booleans === 'json' ? is : booleans === 'numbers' ? Number(is) : String(is);
  }

  #attachment(file: StoredAttachment): Json {
    const { id = '', filename = '', file_url = '', file_size = 0 } = file;
    switch (this.#quirks.attachmentFields) {
      case 'filename':
        return file;
      case 'name':
        return { id, name: filename, url: file_url, size: file_size };
      case 'title':
        return { id, title: filename, href: file_url, mime_type: 'text/plain' };
      case 'bare':
        return { id, sha256: '00ff' };
    }
  }

  #contact(id: string): Json {
    const person = this.#world.people.get(id);
    if (person === undefined || this.#quirks.contacts === 'null') return null;
    if (this.#quirks.contacts === 'subset') return { id: this.id(person.id), display_name: 'someone' };
    const times = { last_active_at: null, created_at: this.time(1_600_000_000_000) };
    return { id: this.id(person.id), username: person.username, phone_number: '', avatar_url: '', ...times };
  }

  #reactions(reactions: readonly StoredReaction[]): Json {
    const strings = (by: readonly string[]): Json => by.map((one) => one);
    const whole = Object.fromEntries(reactions.map(({ name, by }) => [name, strings(by)]));
    if (this.#quirks.reactionShape === 'plain') return whole;
    if (this.#quirks.reactionShape === 'one-object') return reactions.length === 0 ? [] : [whole];
    if (this.#quirks.reactionShape === 'objects') return reactions.map(({ name, by }) => ({ [name]: strings(by) }));
    return reactions.flatMap(({ name, by }) => [...by.map((one) => ({ [name]: [one] })), { [name]: [] }]);
  }
}

/** The time that a parameter names, in milliseconds; null when it is not in this server's unit. */
export function readTime(text: string, { time }: Quirks): number | null {
  if (time === 'iso') return Number.isNaN(Date.parse(text)) || !/^\d{4}-/.test(text) ? null : Date.parse(text);
  if (!/^\d{1,20}$/.test(text)) return null;
  const perUnit = { s: 1000, digits: 1000, ms: 1, us: 1e-3, ns: 1e-6 }[time];
  const at = Math.round(Number(text) * perUnit);
  return at > 1e12 && at < 1e13 ? at : null;
}
