/** Makes the list of a fake service one that answers when there is news (RFC 7240, `Prefer: wait`). */
import type { ApiError } from '../../../src/api/errors.ts';
import type { ListAnswer, ListConversationsParameters } from '../../../src/api/operations.ts';
import type { Conversation } from '../../../src/protocol/types.ts';
import type { FakeClock } from '../clocks/fake-clock.ts';
import { apiFault, type FakeService } from './fake-service.ts';

export interface WaitingList {
  /** For each request for the list, the seconds that it asked the server to wait; null: it did not ask. */
  readonly waits: (number | null)[];
  /** Requests that are being held now. */
  held(): number;
  /** The longest time that it waits, in seconds; 0: it does not know the header. */
  longest: number;
  /** What it says of `Prefer`. */
  says: boolean;
  /** Ends the requests that are held, and those that come until this is called with null. */
  fail(error: ApiError | null): void;
}

export function waitingList(service: FakeService, clock: FakeClock): WaitingList {
  /** Each looks again at what it waits for. */
  const waiters = new Set<() => void>();
  const lookAgain = (): void => {
    for (const look of [...waiters]) look();
  };
  let failure: ApiError | null = null;
  const list: WaitingList = {
    waits: [],
    held: () => waiters.size,
    longest: 60,
    says: true,
    fail: (error) => {
      failure = error;
      lookAgain();
    },
  };
  const plain = service.client.listConversations;
  const { say } = service;
  service.say = (...call) => {
    const message = say(...call);
    lookAgain();
    return message;
  };
  /** The fake service makes validators that no server would. */
  const etagNow = (): string => {
    const rows = [...service.conversations.values()].map(({ id, lastActiveAt, isMuted }) => [
      id,
      lastActiveAt,
      isMuted,
    ]);
    return JSON.stringify(`${rows.flat().join(' ')} ${service.messages.size}`);
  };
  const wait = (seconds: number, isSame: () => boolean, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = clock.monotonic() + 1_000 * seconds;
      const look = (): void => {
        const isOver = !isSame() || clock.monotonic() >= end;
        if (!isOver && failure === null && signal?.aborted !== true) return;
        waiters.delete(look);
        cancelTimer();
        if (signal?.aborted === true) reject(apiFault('aborted', 'ambiguous'));
        else if (failure !== null) reject(failure);
        else resolve();
      };
      const cancelTimer = clock.after(1_000 * seconds, look);
      signal?.addEventListener('abort', look, { once: true });
      waiters.add(look);
      look();
    });
  const listConversations = async (
    parameters: ListConversationsParameters,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<ListAnswer<Conversation>> => {
    const { ifNoneMatch, waitSeconds } = parameters;
    list.waits.push(waitSeconds ?? null);
    const isSame = (): boolean => ifNoneMatch === etagNow();
    const isHeld = waitSeconds !== undefined && list.longest > 0;
    const applied = isHeld && list.says ? { isWaitApplied: true } : {};
    if (isHeld && isSame()) await wait(Math.min(waitSeconds, list.longest), isSame, options?.signal);
    if (failure !== null) throw failure;
    if (isSame()) {
      service.requests.push('listConversations ');
      return { notModified: true, ...applied };
    }
    const etag = etagNow();
    const answer = await plain({ ...parameters, ifNoneMatch: undefined }, options);
    return { ...answer, etag, ...applied } as ListAnswer<Conversation>;
  };
  Object.assign(service.client, { listConversations });
  return list;
}
