/** Transitions of `view.connection`, what the user sees of the connection, and of the other process that sends. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { isPatched, sameValue } from '../collections/equal.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Connection, OtherSender } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { endRefusal } from './notices.ts';
import { patchView } from './view.ts';

const minuteMs = 60_000;

const withConnection = (state: AppState, connection: Connection): AppState => patchView(state, { connection });

/** Changes the given fields; the same state when they have these values already. */
export const patchConnection =
  (patch: Partial<Connection>): Transition =>
  (state) => {
    const { connection } = state.view;
    return isPatched(connection, patch) ? state : withConnection(state, { ...connection, ...patch });
  };

/** To be applied when a complete answer came. `asOf` changes once a minute at most: a poll without news repaints nothing. */
export const markOnline =
  (now: Millis): Transition =>
  (state) => {
    const { connection } = state.view;
    const isSameMinute =
      connection.asOf !== null && Math.floor(connection.asOf / minuteMs) === Math.floor(now / minuteMs);
    if (connection.status === 'online' && isSameMinute) return state;
    const next = connection.status === 'online' ? state : endRefusal(state);
    return withConnection(next, {
      ...connection,
      status: 'online',
      asOf: isSameMinute ? connection.asOf : now,
      since: null,
      until: null,
      reason: null,
      nextPollAt: null,
    });
  };

interface Failure {
  readonly now: Millis;
  /** One line for the user. */
  readonly reason: string;
  readonly nextPollAt: Millis;
}

interface Outage extends Failure {
  /** The status with which the server fails; null where it cannot be reached. */
  readonly fault?: number | null;
  /** The end of the time that the server asks to wait. */
  readonly until?: Millis | null;
}

/** To be applied when the server cannot be reached, or fails. `since` stays at the first failure. */
export const markOffline =
  ({ now, reason, nextPollAt, fault = null, until = null }: Outage): Transition =>
  (state) => {
    const { connection } = state.view;
    const since = connection.status === 'offline' ? connection.since : now;
    return patchConnection({ status: 'offline', since, until, reason, nextPollAt, fault })(state);
  };

/** Sets when the next request may leave, while the server cannot be reached or fails; null: one is under way. */
export const setNextTry =
  (nextPollAt: Millis | null): Transition =>
  (state) => {
    const { status } = state.view.connection;
    return status === 'offline' || status === 'not-api' ? patchConnection({ nextPollAt })(state) : state;
  };

/** To be applied when the server refused the token, or there is none: no request is made until the user gives a new one. */
export const markUnauthorized =
  (now: Millis, reason: string, status: 'unauthorized' | 'no-token' | 'other-account' = 'unauthorized'): Transition =>
  (state) =>
    patchConnection({ status, since: now, until: null, reason, nextPollAt: null })(state);

/** To be applied when the server asked for a pause before any further request. */
export const markRateLimited =
  (now: Millis, until: Millis, reason: string): Transition =>
  (state) =>
    patchConnection({ status: 'rate-limited', since: now, until, reason, nextPollAt: until })(state);

/** To be applied when the time is over that the server asked to wait: the next request may leave, or is under way. */
export const endWait: Transition = patchConnection({ until: null });

/** To be applied when an answer came after the pause: the server accepts requests again. */
export const endPause: Transition = (state) => {
  const { status, asOf } = state.view.connection;
  if (status !== 'rate-limited') return state;
  const next = asOf === null ? 'starting' : 'online';
  return patchConnection({ status: next, since: null, until: null, reason: null, nextPollAt: null })(state);
};

/** To be applied when something answers at the address that is not this API. */
export const markNotApi =
  ({ now, reason, nextPollAt }: Failure): Transition =>
  (state) =>
    patchConnection({ status: 'not-api', since: now, until: null, reason, nextPollAt })(state);

export const markListComplete: Transition = patchConnection({ listComplete: true, listRest: 'none' });

/** Sets what the shown list lacks. Once the list was complete in this run, reading it again (`coming`) is not shown. */
export const setListRest =
  (listRest: Connection['listRest']): Transition =>
  (state) =>
    state.view.connection.listComplete && listRest !== 'missing' ? state : patchConnection({ listRest })(state);

export const setLoading =
  (id: ConversationId, isLoading: boolean): Transition =>
  (state) => {
    const { loading } = state.view.connection;
    if (loading.has(id) === isLoading) return state;
    const next = new Set(loading);
    if (isLoading) next.add(id);
    else next.delete(id);
    return withConnection(state, { ...state.view.connection, loading: next });
  };

/** Sets why the last request for a thread failed; null when it succeeded. */
export const setFailure =
  (id: ConversationId, reason: string | null): Transition =>
  (state) => {
    const { connection } = state.view;
    const { failures, lastReads = noReads } = connection;
    if (reason !== null) return patchConnection({ failures: withEntry(failures, id, reason) })(state);
    const left = { failures: withoutEntry(failures, id), lastReads: withoutEntry(lastReads, id) };
    return left.failures === failures ? state : withConnection(state, { ...connection, ...left });
  };

const noReads: ReadonlyMap<ConversationId, Millis | null> = new Map();

/** Sets that the newest page of a thread could not be read: what is shown of it is as old as the last reading. */
export const setUnreadable =
  (id: ConversationId, reason: string, lastReadAt: Millis | null): Transition =>
  (state) => {
    const { lastReads = noReads } = state.view.connection;
    const reads = lastReads.has(id) ? lastReads : withEntry(lastReads, id, lastReadAt);
    return setFailure(id, reason)(patchConnection({ lastReads: reads })(state));
  };

export const setOtherSender =
  (otherSender: OtherSender | null): Transition =>
  (state) =>
    sameValue(state.view.otherSender ?? null, otherSender) ? state : patchView(state, { otherSender });
