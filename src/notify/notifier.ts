/** Gathers incoming messages into notifications: one for each conversation, or one for all where there are many. */
import type { ConversationId, Message, MessageId, Millis } from '../protocol/types.ts';
import type { AppState } from '../state/model/app-state.ts';
import type { Incoming } from '../state/model/incoming.ts';
import { selectConversation, selectUnread } from '../state/select/selectors.ts';
import { holdsKeyword, isNews, mayNotify } from './policy.ts';
import { type Burst, summaryOf, type Words, wordsFor } from './words.ts';

export interface Notification extends Words {
  /** The id, the same for all notifications of a conversation, so that a later one replaces an earlier one. */
  readonly id: string;
  /** The messages that it is about: those of one conversation, or of several in a sum. */
  readonly bursts: readonly Burst[];
}

export interface NotifierPorts {
  readonly get: () => AppState;
  readonly clock: {
    now(): Millis;
    monotonic(): number;
    after(delayMs: number, callback: () => void): () => void;
  };
  /** Whether the terminal has the focus, as far as that is known. */
  readonly isAttended: () => boolean;
  /** How long to wait for another program on the account that is to notify first. */
  readonly delayMs: () => number;
  /** @returns those of the messages of which another program has notified */
  readonly notifiedElsewhere: (ids: readonly MessageId[]) => ReadonlySet<MessageId>;
  /** @returns the messages of which this program is to notify; another one may have been faster */
  readonly claim: (ids: readonly MessageId[]) => ReadonlySet<MessageId>;
  readonly show: (notification: Notification) => void;
  /** Closes a notification whose messages have been read. */
  readonly close: (id: string) => void;
  /** The beginning of every id, which differs between two programs on one terminal. */
  readonly idPrefix: string;
}

/** The time in which messages are gathered into one notification; also the pause between two rounds of notifications. */
const gatherMs = 2_000;
/** The least time between two notifications of one conversation. */
const pauseMs = 5_000;
/** The most conversations with a notification each; for more at once, one notification shows the sum. */
const mostAtOnce = 3;

/** Messages that wait for their notification. */
interface Pending {
  readonly conversationId: ConversationId;
  readonly messages: readonly Message[];
  /** When the notification is due, in milliseconds of the monotonic clock. */
  readonly dueAt: number;
  readonly hasKeyword: boolean;
}

const idsOf = (messages: readonly Message[]): readonly MessageId[] => messages.map(({ id }) => id);
const textsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ text }) => text);

/** Infinite where it is not known, so that no time is after it. */
const writtenAt = ({ createdAt }: Message): Millis => createdAt ?? Number.POSITIVE_INFINITY;

/** Whether the messages were read here, or the conversation was opened after them on another device. */
const isOver = (state: AppState, id: ConversationId, at: Millis): boolean =>
  selectUnread(state, id) === 0 || (selectConversation(state, id)?.lastOpenedAt ?? 0) > at;

export class Notifier {
  readonly #ports: NotifierPorts;
  readonly #startedAt: Millis;
  readonly #pending = new Map<ConversationId, Pending>();
  /** When a conversation had its last notification, for those that had one in the last seconds. */
  readonly #shown = new Map<ConversationId, number>();
  readonly #ids = new Map<ConversationId, string>();
  /** Conversations with a notification about messages that are unread, and when the last of these was written. */
  readonly #open = new Map<ConversationId, Millis>();
  /** The same of those that the open summary counts; none where no summary is open. */
  readonly #inSummary = new Map<ConversationId, Millis>();
  #lastTurnAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #before: Pick<AppState['cache'], 'unread' | 'conversations'>;

  constructor(ports: NotifierPorts) {
    this.#ports = ports;
    this.#startedAt = ports.clock.now();
    this.#before = ports.get().cache;
  }

  onIncoming({ conversationId, messages, behindMs = 0 }: Incoming): void {
    const news = messages.filter((message) => isNews(message, this.#startedAt - behindMs));
    const held = this.#pending.get(conversationId);
    const hasKeyword = held?.hasKeyword === true || holdsKeyword(this.#ports.get(), textsOf(news));
    if (news.length === 0) return;
    if (!this.#mayNotify(conversationId, hasKeyword)) {
      // The user looks at this program, so that another one need not notify.
      if (this.#ports.isAttended() && this.#ports.delayMs() === 0) this.#ports.claim(idsOf(news));
      return;
    }
    const dueAt = held?.dueAt ?? this.#dueAt(conversationId);
    const waiting = [...(held?.messages ?? []), ...news];
    this.#pending.set(conversationId, { conversationId, messages: waiting, dueAt, hasKeyword });
    if (held === undefined) this.#arm();
  }

  #dueAt(id: ConversationId): number {
    const { clock, delayMs } = this.#ports;
    const earliest = (this.#shown.get(id) ?? Number.NEGATIVE_INFINITY) + pauseMs;
    return Math.max(clock.monotonic() + gatherMs, earliest) + delayMs();
  }

  /** To be called after every change of the state; closes notifications of what has been read. */
  onState(): void {
    const state = this.#ports.get();
    const { unread, conversations } = this.#before;
    if (state.cache.unread === unread && state.cache.conversations === conversations) return;
    this.#before = state.cache;
    for (const [id, at] of this.#open) if (isOver(state, id, at)) this.#close(id);
    if (this.#inSummary.size === 0) return;
    for (const [id, at] of this.#inSummary) if (isOver(state, id, at)) this.#inSummary.delete(id);
    if (this.#inSummary.size === 0) this.#ports.close(this.#summaryId);
  }

  /** The conversation that a notification is about; null when it is about several, or not known. */
  conversationOf(wanted: string): ConversationId | null {
    return [...this.#ids].find(([, id]) => id === wanted)?.[0] ?? null;
  }

  /** Closes all notifications and shows no more. */
  stop(): void {
    this.#cancel?.();
    this.#pending.clear();
    for (const id of this.#open.keys()) this.#close(id);
    if (this.#inSummary.size > 0) this.#ports.close(this.#summaryId);
    this.#inSummary.clear();
  }

  get #summaryId(): string {
    return `${this.#ports.idPrefix}-0`;
  }

  #idOf(id: ConversationId): string {
    const held = this.#ids.get(id) ?? `${this.#ports.idPrefix}-${this.#ids.size + 1}`;
    this.#ids.set(id, held);
    return held;
  }

  #close(id: ConversationId): void {
    this.#open.delete(id);
    this.#ports.close(this.#idOf(id));
  }

  #mayNotify(id: ConversationId, hasKeyword: boolean): boolean {
    const { get, isAttended, clock } = this.#ports;
    return mayNotify(get(), id, { isAttended: isAttended(), now: clock.now(), hasKeyword });
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#pending.size === 0) return;
    const { clock } = this.#ports;
    const first = Math.min(...[...this.#pending.values()].map(({ dueAt }) => dueAt));
    const at = Math.max(first, this.#lastTurnAt + gatherMs);
    this.#cancel = clock.after(at - clock.monotonic(), () => this.#notifyDue());
  }

  /** Checks again whether a notification is allowed, as the messages may have been read meanwhile. */
  #notifyDue(): void {
    const now = this.#ports.clock.monotonic();
    this.#lastTurnAt = now;
    for (const [id, at] of this.#shown) if (now - at >= pauseMs) this.#shown.delete(id);
    const due = [...this.#pending.values()].filter(({ dueAt }) => dueAt <= now);
    for (const { conversationId } of due) this.#pending.delete(conversationId);
    const allowed = due.filter((one) => this.#mayNotify(one.conversationId, one.hasKeyword));
    const bursts = allowed.flatMap((one) => this.#claim(one, now) ?? []);
    for (const { conversationId } of bursts) this.#shown.set(conversationId, now);
    if (bursts.length > mostAtOnce) this.#showSummary(bursts);
    else for (const burst of bursts) this.#show(burst);
    this.#arm();
  }

  /**
   * Null where another program notifies of the conversation. It does so again after a pause: for what came since, this one
   * waits as long.
   */
  #claim({ conversationId, messages }: Pending, now: number): Burst | null {
    const taken = this.#ports.notifiedElsewhere(idsOf(messages));
    if (taken.size > 0) {
      this.#shown.set(conversationId, now);
      const left = messages.filter(({ id }) => !taken.has(id));
      const hasKeyword = holdsKeyword(this.#ports.get(), textsOf(left));
      const dueAt = this.#dueAt(conversationId);
      if (left.length > 0) this.#pending.set(conversationId, { conversationId, messages: left, dueAt, hasKeyword });
      return null;
    }
    const ours = this.#ports.claim(idsOf(messages));
    const last = messages.findLast(({ id }) => ours.has(id));
    return last === undefined ? null : { conversationId, count: ours.size, last };
  }

  /** Takes the place of an earlier summary. */
  #showSummary(bursts: readonly Burst[]): void {
    this.#inSummary.clear();
    for (const { conversationId, last } of bursts) this.#inSummary.set(conversationId, writtenAt(last));
    this.#ports.show({ id: this.#summaryId, ...summaryOf(bursts), bursts });
  }

  #show(burst: Burst): void {
    const { conversationId: id } = burst;
    const state = this.#ports.get();
    if (selectUnread(state, id) > 0) this.#open.set(id, writtenAt(burst.last));
    this.#ports.show({ id: this.#idOf(id), ...wordsFor(state, burst), bursts: [burst] });
  }
}
