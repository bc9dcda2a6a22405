/** The five message operations as one kind of server does them. */
import { type Form, readForm } from './form.ts';
import type { Quirks } from './quirks.ts';
import { Refusal } from './reply.ts';
import type { StoredAttachment, StoredMessage, StoredReaction, World } from './world.ts';

export class Messages {
  readonly #quirks: Quirks;
  readonly #world: World;
  readonly #now: () => number;
  /** What the author wrote last: others may send it along, never something else. */
  readonly #written = new Map<string, string>();
  readonly #files = new Map<string, readonly StoredAttachment[]>();

  constructor(quirks: Quirks, world: World, now: () => number) {
    this.#quirks = quirks;
    this.#world = world;
    this.#now = now;
  }

  post(body: string): StoredMessage {
    const form = readForm(body);
    const conversationId = form.plain.get('conversation_id') ?? '';
    const text = form.plain.get('message') ?? '';
    if (!this.#world.conversations.has(conversationId)) throw new Refusal(404, 'no such conversation');
    if (text.trim() === '') throw new Refusal(422, 'the message is empty');
    const { textLimit } = this.#quirks;
    if (textLimit !== 'none' && text.length > 4_000) throw new Refusal(Number(textLimit), 'the message is too long');
    const message: StoredMessage = {
      id: this.#world.newId('m'),
      conversationId,
      senderId: this.#world.me.id,
      text: this.#stored(text),
      reactions: [],
      attachments: [],
      readAt: null,
      createdAt: this.#now(),
      updatedAt: null,
      seq: this.#world.nextSeq(),
    };
    this.#world.putMessage(message, true);
    return message;
  }

  put(held: StoredMessage, body: string): StoredMessage {
    const form = readForm(body, this.#quirks.emptyReaction === 'a string');
    const text = this.#text(held, form);
    const reactions = this.#reactions(held, form);
    const isEdited = form.plain.has('message') || form.attachments !== null;
    const isTouched = isEdited || this.#quirks.updatedAt === 'reaction';
    const updatedAt = isTouched ? this.#now() : held.updatedAt;
    const next = { ...held, text, reactions, attachments: this.#attachments(held, form), updatedAt };
    this.#world.putMessage(next);
    return next;
  }

  delete(held: StoredMessage): void {
    if (held.senderId !== this.#world.me.id) throw new Refusal(403, 'not your message');
    const messages = new Map(this.#world.messages);
    messages.delete(held.id);
    this.#world.change(messages, this.#world.conversations);
  }

  #stored(text: string): string {
    switch (this.#quirks.text) {
      case 'none':
        return text;
      case 'trim':
        return text.trim();
      case 'nfc':
        return text.normalize('NFC');
      case 'html':
        return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
    }
  }

  #text(held: StoredMessage, form: Form): string {
    const sent = form.plain.get('message');
    const written = this.#written.get(held.id) ?? held.text;
    if (!this.#written.has(held.id)) this.#written.set(held.id, held.text);
    if (sent === undefined) return this.#quirks.put === 'full-replace' ? '' : held.text;
    const text = this.#stored(sent);
    const isMine = held.senderId === this.#world.me.id;
    const isSame = [text, sent].includes(written);
    if (!isMine && !isSame) throw new Refusal(403, 'not your message');
    if (isMine) this.#written.set(held.id, text);
    return text;
  }

  #reactions(held: StoredMessage, form: Form): readonly StoredReaction[] {
    const sent = form.reactions;
    const isFull = this.#quirks.put === 'full-replace';
    if (sent === null) return isFull ? [] : held.reactions;
    const me = this.#world.stringOf(this.#world.me);
    const people = new Set([...this.#world.people.values()].map((person) => this.#world.stringOf(person)));
    for (const { name } of sent)
      if (this.#quirks.reactionNames === 'listed' && name === 'eyes')
        throw new Refusal(422, `no reaction ${name} here`);
    for (const one of sent.flatMap(({ by }) => by)) {
      if (one !== '' && !people.has(one)) throw new Refusal(422, `nobody is called ${one} here`);
      if (this.#quirks.reactionOwner === 'own-only' && one !== me) throw new Refusal(403, 'only your own reactions');
    }
    return this.#ruled(held.reactions, this.#owned(sent, me), me);
  }

  #owned(sent: readonly StoredReaction[], me: string): readonly StoredReaction[] {
    const { reactionOwner } = this.#quirks;
    if (reactionOwner === 'taken-as-own') return sent.map(({ name, by }) => ({ name, by: by.length > 0 ? [me] : [] }));
    if (reactionOwner !== 'ignored') return sent;
    return sent
      .filter(({ by }) => by.length === 0 || by.includes(me))
      .map(({ name, by }) => ({ name, by: by.filter((one) => one === me) }));
  }

  #ruled(held: readonly StoredReaction[], sent: readonly StoredReaction[], me: string): readonly StoredReaction[] {
    const { reactions: rule, reactionOwner } = this.#quirks;
    const result = new Map(held.map(({ name, by }) => [name, [...by]]));
    const drop = (name: string): void =>
      void result.set(
        name,
        (result.get(name) ?? []).filter((one) => one !== me),
      );
    if (rule === 'replace') {
      // Where only one's own may be sent, only one's own are replaced.
      if (reactionOwner === 'any') result.clear();
      else for (const name of result.keys()) drop(name);
    }
    if (rule === 'add' && sent.length === 0) for (const name of result.keys()) drop(name);
    for (const { name, by } of sent) {
      if (rule === 'add' && by.length === 0) drop(name);
      const before = result.get(name) ?? [];
      if (rule === 'append') result.set(name, [...before, ...by]);
      else if (rule === 'toggle')
        result.set(name, [...before.filter((one) => !by.includes(one)), ...by.filter((one) => !before.includes(one))]);
      else result.set(name, [...new Set([...(result.get(name) ?? []), ...by])]);
    }
    return [...result].filter(([, by]) => by.length > 0).map(([name, by]) => ({ name, by }));
  }

  #attachments(held: StoredMessage, form: Form): readonly StoredAttachment[] {
    const isFull = this.#quirks.put === 'full-replace';
    const known = new Map(this.#originals(held).map((one) => [String(one.id), one]));
    if (form.attachments === null) return isFull ? [] : held.attachments;
    const sent = form.attachments.map((one) => known.get(one.id ?? '') ?? { ...one, id: this.#world.newId('f') });
    if (isFull || this.#quirks.putAttachments === 'replace') return sent;
    return [...held.attachments, ...sent.filter((one) => !held.attachments.some(({ id }) => id === one.id))];
  }

  /** The files stay in the store when a PUT has cut them off, and are found again by their id. */
  #originals(held: StoredMessage): readonly StoredAttachment[] {
    const files = [...(this.#files.get(held.id) ?? []), ...held.attachments];
    this.#files.set(held.id, files);
    return files;
  }
}
