/**
 * A contact of the demo that teaches: it gives a task, sees in the data of the server that it was done, and gives the next.
 */
import type { WireMessage } from '../../protocol/wire.ts';
import type { Service } from '../rules/service.ts';
import type { PersonRow } from '../store/people.ts';
import { type CastClock, form, tolerant } from './cast.ts';
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

export async function startGuide(options: GuideOptions): Promise<Guide> {
  const { service, user } = options;
  const person = await service.admin.createUser({ username: guideName });
  const create = async (by: PersonRow, other: PersonRow) =>
    (await service.conversations.create(by, form({ contact_id: other.id }))).conversation.id;
  const conversationId = await create(user, person);
  const guide = new RunningGuide(options, person, await create(person, user));
  await guide.welcome();
  const unlisten = service.onChanged((by) => {
    if (by.seq === user.seq) void guide.check();
  });
  return {
    conversationId,
    stop: () => {
      unlisten();
      guide.stop();
    },
  };
}

class RunningGuide {
  readonly #options: GuideOptions;
  readonly #person: PersonRow;
  readonly #conversationId: string;
  #lesson = -1;
  #task: WireMessage | null = null;
  /** Pinned conversations, and whether the guide was muted, when the task was given. */
  #pinned: ReadonlySet<string> = new Set();
  #wasMuted = false;
  /**
   * The texts of the user's messages when the task was given, or when they were met first: `updated_at` shows no edit, as a
   * reaction changes it too.
   */
  readonly #texts = new Map<string, string>();
  /** Ids of the messages that the user wrote before the task, so that none of them is taken for an answer. */
  #seen: ReadonlySet<string> = new Set();
  #cancel: (() => void) | null = null;
  #isStopped = false;
  /** Resolves when all steps so far are over: of two changes at once the second waits for the first. */
  #steps = Promise.resolve();

  /** @param conversationId the conversation with the user, as the guide has it */
  constructor(options: GuideOptions, person: PersonRow, conversationId: string) {
    this.#options = options;
    this.#person = person;
    this.#conversationId = conversationId;
  }

  welcome(): Promise<void> {
    return this.#give(0, welcome);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Checks whether the task is done, and plans the answer. */
  check(): Promise<void> {
    this.#steps = this.#steps.then(() => tolerant(() => this.#check()));
    return this.#steps;
  }

  /** Does nothing while an answer is planned. */
  async #check(): Promise<void> {
    if (this.#cancel !== null || this.#isStopped) return;
    const written = await this.#written();
    const word = written.at(-1)?.message.trim().toLowerCase().replace(/[.!]$/, '');
    if (word === 'again') this.#plan(0, 'From the beginning, then.');
    else if (this.#task === null) return;
    else if (word === 'skip') this.#plan(this.#lesson + 1, 'Skipped.');
    else if (lessons[this.#lesson]?.isDone(await this.#progress(this.#task, written)) === true)
      this.#plan(this.#lesson + 1, lessons[this.#lesson]?.praise ?? '');
  }

  #plan(next: number, said: string): void {
    if (this.#isStopped) return;
    this.#cancel = this.#options.clock.after(answerMs, async () => {
      await tolerant(() => this.#give(next, said));
      this.#cancel = null;
    });
  }

  /** Says something and gives the task; after the last one the guide only listens for "again". */
  async #give(index: number, said: string): Promise<void> {
    const { service, user, keyOf } = this.#options;
    // The user may have deleted the conversation: sending opens it again, under a new id.
    await service.conversations.retrieve(this.#person, this.#conversationId);
    const lesson = lessons[index];
    await this.#say(said);
    this.#wasMuted = await this.#isMuted();
    const task = await this.#say(lesson?.task(keyOf, this.#wasMuted) ?? farewell(keyOf));
    this.#lesson = index;
    this.#task = lesson === undefined ? null : task;
    this.#pinned = await this.#pinnedNow();
    const own = (await this.#messages()).filter(({ contact }) => contact.id === user.id);
    this.#seen = new Set(own.map(({ id }) => id));
    this.#texts.clear();
    for (const { id, message } of own) this.#texts.set(id, message);
  }

  #say(message: string): Promise<WireMessage> {
    return this.#options.service.messages.send(this.#person, form({ conversation_id: this.#conversationId, message }));
  }

  async #progress(task: WireMessage, written: readonly WireMessage[]): Promise<Progress> {
    const { service, user } = this.#options;
    const own = (await this.#messages()).filter(({ contact }) => contact.id === user.id);
    const isEdited = own.some(({ id, message }) => (this.#texts.get(id) ?? message) !== message);
    for (const { id, message } of own) this.#texts.set(id, message);
    return {
      task: await service.messages.retrieve(this.#person, task.id),
      written,
      hasEdited: isEdited,
      hasPinned: [...(await this.#pinnedNow())].some((id) => !this.#pinned.has(id)),
      hasMuteChanged: (await this.#isMuted()) !== this.#wasMuted,
    };
  }

  async #written(): Promise<readonly WireMessage[]> {
    const { user } = this.#options;
    return (await this.#messages())
      .filter(({ id, contact }) => contact.id === user.id && !this.#seen.has(id))
      .reverse();
  }

  /** The newest messages with the user, newest first. */
  async #messages(): Promise<readonly WireMessage[]> {
    const query = form({ conversation_id: this.#conversationId, limit: '100' });
    return (await this.#options.service.messages.list(this.#person, query)).data;
  }

  async #isMuted(): Promise<boolean> {
    return (await this.#list({ muted: 'true' })).some(({ contact_id }) => contact_id === this.#person.id);
  }

  async #pinnedNow(): Promise<ReadonlySet<string>> {
    return new Set((await this.#list({ pinned: 'true' })).map(({ id }) => id));
  }

  async #list(filter: Readonly<Record<string, string>>) {
    const { service, user } = this.#options;
    return (await service.conversations.list(user, form({ ...filter, limit: '100' }))).data;
  }
}
