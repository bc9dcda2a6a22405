/** Knows the messages that no list has shown since this run sent them, and the conversations that this run created. */
import type { ConversationId, MessageId, Millis } from '../../protocol/types.ts';

export class Unlisted {
  readonly #monotonic: () => number;
  readonly #sends = new Map<MessageId, Millis>();
  readonly #conversations = new Map<ConversationId, Millis>();

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** To be called when the answer to a send has named the message. */
  addSend(id: MessageId): void {
    this.#sends.set(id, this.#monotonic());
  }

  /** To be called when a page has shown the message, or it is known by another id. */
  removeSend(id: MessageId): void {
    this.#sends.delete(id);
  }

  /** Whether the message is known only from the answer to its send. */
  hasSend(id: MessageId): boolean {
    return this.#sends.has(id);
  }

  /** Milliseconds since the message was sent; null when a page has shown it, or when it was not sent in this run. */
  ageOfSend(id: MessageId): Millis | null {
    return this.#age(this.#sends.get(id));
  }

  /** To be called when this run has created the conversation. */
  addConversation(id: ConversationId): void {
    this.#conversations.set(id, this.#monotonic());
  }

  /** Milliseconds since this run created the conversation; null when it did not. */
  ageOfConversation(id: ConversationId): Millis | null {
    return this.#age(this.#conversations.get(id));
  }

  #age(since: Millis | undefined): Millis | null {
    return since === undefined ? null : this.#monotonic() - since;
  }
}
