/** Searches the cache for what the user exchanged with somebody: the last messages, links, files, shared groups. */
import type { ContactId, Conversation, ConversationId, Message } from '../../protocol/types.ts';
import type { PageFrom } from '../../state/cache/cached-history.ts';
import { isOwn } from '../../state/local/identity.ts';
import type { AppState } from '../../state/model/app-state.ts';
import type { Findings, Person } from '../../state/model/details.ts';
import type { LinkAddress } from '../../state/model/links.ts';
import { inSteps, type SearchClock } from '../../state/search/incremental-search.ts';
import { linksIn } from '../../state/select/links.ts';
import type { AppStore } from '../../state/store.ts';
import { partEnd } from '../../state/view/thread-place.ts';
import type { CacheDisk } from '../services/ports.ts';

export interface PersonServices {
  readonly store: Pick<AppStore, 'getState'>;
  readonly cache: Pick<CacheDisk, 'history'>;
  readonly clock: SearchClock;
  readonly isClosed: () => boolean;
}

/** The most messages that are looked at, in a conversation with the person, in a group, and in all. */
const limits = { direct: 10_000, group: 1_000, all: 30_000 } as const;
/** A part of the search; it takes less than a millisecond where texts are short. */
const messagesPerPart = 25;
const mostFound = 50;

/** Yields what has been found after each step of about a millisecond; a caller that stops asking ends the search. */
export const searchPerson = (services: PersonServices, of: Person): AsyncIterable<Findings> =>
  inSteps(new PersonSearch(services, of).parts(), services.clock);

class PersonSearch {
  readonly #services: PersonServices;
  readonly #of: Person;
  #lastFrom: Message | null = null;
  #lastTo: Message | null = null;
  readonly #groups: { readonly id: ConversationId; readonly last: Message }[] = [];
  readonly #authors = new Map<ContactId, Message>();
  readonly #links = new Map<string, LinkAddress>();
  readonly #files = new Set<string>();
  #searched = 0;

  constructor(services: PersonServices, of: Person) {
    this.#services = services;
    this.#of = of;
  }

  *parts(): Generator<Findings, Findings> {
    const state = this.#services.store.getState();
    const all = [...state.cache.conversations.values()];
    const { kind, id } = this.#of;
    const isWith = ({ contactId, groupId }: Conversation): boolean => (kind === 'contact' ? contactId : groupId) === id;
    for (const one of all.filter(isWith)) {
      yield* this.#walk(one.id, limits.direct, (message) => {
        this.#noteExchanged(message, state);
        return true;
      });
    }
    if (kind === 'contact') {
      for (const { id: group } of all.filter(({ groupId }) => groupId !== null)) {
        yield* this.#walk(group, limits.group, (message) => {
          if (message.contact?.id !== id) return true;
          this.#groups.push({ id: group, last: message });
          return false;
        });
      }
    }
    return this.#result(true);
  }

  /** Shows the messages of a conversation, newest first, until `visit` returns false. */
  *#walk(id: ConversationId, limit: number, visit: (message: Message) => boolean): Generator<Findings> {
    let from: PageFrom = 'newest';
    for (let left = limit; left > 0 && this.#searched < limits.all; left -= messagesPerPart) {
      if (this.#services.isClosed()) return;
      const { messages, hasMore } = this.#services.cache.history(id, from, Math.min(left, messagesPerPart));
      for (const message of messages.toReversed()) {
        this.#searched++;
        if (!visit(message)) return;
      }
      const [oldest] = messages;
      if (!hasMore || oldest === undefined) return;
      from = { before: oldest };
      yield this.#result(false);
    }
  }

  #noteExchanged(message: Message, state: AppState): void {
    const isTheirs = this.#of.kind === 'contact' ? message.contact?.id === this.#of.id : !isOwn(message, state);
    if (isTheirs) this.#lastFrom ??= message;
    else this.#lastTo ??= message;
    const author = message.contact?.id;
    if (this.#of.kind === 'group' && isTheirs && author !== undefined && !this.#authors.has(author))
      this.#authors.set(author, message);
    const { text, attachments } = message;
    for (const { url, label } of attachments)
      if (url === null && this.#files.size < mostFound) this.#files.add(label.slice(0, 400));
    if (this.#links.size >= mostFound || (attachments.length === 0 && !/https?:/i.test(text))) return;
    // Of a longer text the first part is searched. It ends after a word, so that no address is cut into another one.
    for (const address of linksIn(text.slice(0, partEnd(text, 0)), attachments).addresses)
      if (this.#links.size < mostFound && !this.#links.has(address.href)) this.#links.set(address.href, address);
  }

  #result(isDone: boolean): Findings {
    return {
      of: this.#of,
      lastFrom: this.#lastFrom,
      lastTo: this.#lastTo,
      groups: [...this.#groups],
      authors: [...this.#authors.values()],
      links: { addresses: [...this.#links.values()], refused: 0 },
      files: [...this.#files],
      searched: this.#searched,
      isDone,
    };
  }
}
