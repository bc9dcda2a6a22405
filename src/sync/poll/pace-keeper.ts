/** Keeps what the time between two requests depends on: the setting, what was spent, the last news and the rhythm. */
import type { ConversationId, Message } from '../../protocol/types.ts';
import { isOwn } from '../../state/local/own-messages.ts';
import { type Services, stateOf } from '../services/services.ts';
import { fullAllowance, type Polled, paceRules, spend } from './pace.ts';
import { type Rhythm, rhythmOf, usualRhythm } from './rhythm.ts';
import type { Pace } from './schedule.ts';

export class PaceKeeper {
  readonly #context: Pick<Services, 'clock' | 'store'>;
  #allowance = fullAllowance;
  #lastNews: Readonly<Record<Polled, number>> = { thread: Number.NEGATIVE_INFINITY, list: Number.NEGATIVE_INFINITY };
  /** The rhythm, and the messages that it was learned from. */
  #learned: { readonly from: readonly Message[]; readonly rhythm: Rhythm } = { from: [], rhythm: usualRhythm };

  constructor(context: Pick<Services, 'clock' | 'store'>) {
    this.#context = context;
  }

  /** `openId`: the conversation whose rhythm is meant. */
  paceFor(openId: ConversationId | null): Pace {
    const { clock } = this.#context;
    return {
      rule: this.#rule(),
      allowance: this.#allowance,
      lastNews: this.#lastNews,
      rhythm: openId === null ? usualRhythm : this.#rhythmOf(openId),
      wallOffset: clock.now() - clock.monotonic(),
    };
  }

  /** To be called when news came, in the conversation that is open or in another one. */
  noteNews(isOpen: boolean): void {
    const now = this.#context.clock.monotonic();
    this.#lastNews = isOpen ? { ...this.#lastNews, thread: now } : { ...this.#lastNews, list: now };
  }

  /** To be called when a request leaves. */
  spend(): void {
    this.#allowance = spend(this.#allowance, this.#rule(), this.#context.clock.monotonic());
  }

  #rule() {
    return paceRules[stateOf(this.#context).settings.polling];
  }

  #rhythmOf(id: ConversationId): Rhythm {
    const state = stateOf(this.#context);
    const from = state.cache.threads.get(id)?.messages ?? [];
    if (from !== this.#learned.from) {
      const times = from.flatMap((message) =>
        message.createdAt === null ? [] : [{ at: message.createdAt, isMine: isOwn(message, state) }],
      );
      this.#learned = { from, rhythm: rhythmOf(times) };
    }
    return this.#learned.rhythm;
  }
}
