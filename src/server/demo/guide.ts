/**
 * A contact of the demo that teaches: it gives a task, sees in the data of the server that it was done, and gives the next.
 */
import type { FormValue } from '../../protocol/form-decode.ts';
import type { WireMessage } from '../../protocol/wire.ts';
import type { Service } from '../rules/service.ts';
import type { PersonRow } from '../store/people.ts';
import type { CastClock } from './cast.ts';
import { farewell, guideName, type KeyOf, lessons, type Progress, welcome } from './guide-lessons.ts';

export interface GuideOptions {
  readonly service: Service;
  /** The user who looks at the demo. */
  readonly user: PersonRow;
  readonly clock: CastClock;
  readonly keyOf: KeyOf;
}

export interface Guide {
  /** The conversation with the guide, as the user has it. */
  readonly conversationId: string;
  stop(): void;
}

/** The guide answers after this time, so that the user sees the result of a key first. */
const answerMs = 900;

export function startGuide(options: GuideOptions): Guide {
  const guide = new RunningGuide(options);
  const unlisten = options.service.onChanged((by) => {
    if (by.seq === options.user.seq) guide.look();
  });
  return {
    conversationId: guide.conversationId,
    stop: () => {
      unlisten();
      guide.stop();
    },
  };
}

class RunningGuide {
  readonly conversationId: string;
  readonly #options: GuideOptions;
  readonly #person: PersonRow;
  readonly #ownConversationId: string;
  #lesson = -1;
  #task: WireMessage | null = null;
  #pinned: ReadonlySet<string> = new Set();
  /** The user's messages with their texts when the task was given; a reaction changes `updated_at` too. */
  #edited: ReadonlySet<string> = new Set();
  /** Written before the task, so that an earlier message is not taken for an answer. */
  #seen: ReadonlySet<string> = new Set();
  #cancel: (() => void) | null = null;

  constructor(options: GuideOptions) {
    const { service, user } = options;
    this.#options = options;
    this.#person = service.admin.createUser({ username: guideName });
    const create = (by: PersonRow, other: PersonRow) =>
      service.conversations.create(by, form({ contact_id: other.id })).conversation.id;
    this.conversationId = create(user, this.#person);
    this.#ownConversationId = create(this.#person, user);
    this.#give(0, welcome);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Looks whether the task is done, and plans the answer. While an answer is planned, nothing else counts. */
  look(): void {
    if (this.#cancel !== null) return;
    const written = this.#written();
    const word = written.at(-1)?.message.trim().toLowerCase().replace(/[.!]$/, '');
    if (word === 'again') this.#plan(0, 'From the beginning, then.');
    else if (this.#task === null) return;
    else if (word === 'skip') this.#plan(this.#lesson + 1, 'Skipped.');
    else if (lessons[this.#lesson]?.isDone(this.#progress(this.#task, written)) === true)
      this.#plan(this.#lesson + 1, lessons[this.#lesson]?.praise ?? '');
  }

  #plan(next: number, said: string): void {
    this.#cancel = this.#options.clock.after(answerMs, () => {
      this.#cancel = null;
      this.#give(next, said);
    });
  }

  /** Says something and gives the task; after the last one the guide only listens for "again". */
  #give(index: number, said: string): void {
    const { service, user, keyOf } = this.#options;
    // The user may have deleted the conversation: sending opens it again, under a new id.
    service.conversations.retrieve(this.#person, this.#ownConversationId);
    const lesson = lessons[index];
    this.#say(said);
    const task = this.#say(lesson?.task(keyOf) ?? farewell(keyOf));
    this.#lesson = index;
    this.#task = lesson === undefined ? null : task;
    this.#pinned = this.#pinnedNow();
    const own = this.#messages().filter(({ contact }) => contact.id === user.id);
    this.#seen = new Set(own.map(({ id }) => id));
    this.#edited = new Set(own.map(editOf));
  }

  #say(message: string): WireMessage {
    return this.#options.service.messages.send(
      this.#person,
      form({ conversation_id: this.#ownConversationId, message }),
    );
  }

  #progress(task: WireMessage, written: readonly WireMessage[]): Progress {
    const { service, user } = this.#options;
    const own = this.#messages().filter(({ contact }) => contact.id === user.id);
    return {
      task: service.messages.retrieve(this.#person, task.id),
      written,
      hasEdited: own.some((one) => this.#seen.has(one.id) && !this.#edited.has(editOf(one))),
      hasPinned: [...this.#pinnedNow()].some((id) => !this.#pinned.has(id)),
      isMuted: this.#conversation()?.is_muted === true,
    };
  }

  #written(): readonly WireMessage[] {
    const { user } = this.#options;
    return this.#messages()
      .filter(({ id, contact }) => contact.id === user.id && !this.#seen.has(id))
      .reverse();
  }

  /** The newest messages with the user, newest first. */
  #messages(): readonly WireMessage[] {
    const query = form({ conversation_id: this.#ownConversationId, limit: '100' });
    return this.#options.service.messages.list(this.#person, query).data;
  }

  #conversation() {
    return this.#list({ muted: 'true' }).find(({ contact_id }) => contact_id === this.#person.id);
  }

  #pinnedNow(): ReadonlySet<string> {
    return new Set(this.#list({ pinned: 'true' }).map(({ id }) => id));
  }

  #list(filter: Readonly<Record<string, string>>) {
    const { service, user } = this.#options;
    return service.conversations.list(user, form({ ...filter, limit: '100' })).data;
  }
}

const editOf = ({ id, message }: WireMessage): string => `${id} ${message}`;

const form = (fields: Readonly<Record<string, FormValue>>) => new Map(Object.entries(fields));
