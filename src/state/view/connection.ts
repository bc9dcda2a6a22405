/** Transitions of `view.connection` and `screen.notices`: what the user is shown of the connection and of events. */
import type { ConversationId, Millis } from '../../protocol/types.ts';
import { isPatched, sameValue } from '../collections/equal.ts';
import { withEntry, withoutEntry } from '../collections/sharded-map.ts';
import type { AppState, Connection, Notice, OtherSender } from '../model/app-state.ts';
import type { Transition } from '../store.ts';
import { patchScreen } from './view.ts';

const minuteMs = 60_000;

const withConnection = (state: AppState, connection: Connection): AppState => ({
  ...state,
  view: { ...state.view, connection },
});

/** Changes the given fields; the same state when they have these values already. */
export const patchConnection =
  (patch: Partial<Connection>): Transition =>
  (state) => {
    const { connection } = state.view;
    return isPatched(connection, patch) ? state : withConnection(state, { ...connection, ...patch });
  };

/** A complete answer came. `asOf` changes once a minute at most, so that a poll without news repaints nothing. */
export const markOnline =
  (now: Millis): Transition =>
  (state) => {
    const { connection } = state.view;
    const isSameMinute =
      connection.asOf !== null && Math.floor(connection.asOf / minuteMs) === Math.floor(now / minuteMs);
    if (connection.status === 'online' && isSameMinute) return state;
    return dropNotice('pull')(
      withConnection(state, {
        ...connection,
        status: 'online',
        asOf: isSameMinute ? connection.asOf : now,
        since: null,
        until: null,
        reason: null,
        nextPollAt: null,
      }),
    );
  };

/**
 * The server cannot be reached, or fails with the status `fault`. `since` stays at the first failure; `reason` is one
 * line for the user.
 */
export const markOffline =
  (now: Millis, reason: string, nextPollAt: Millis, fault: number | null = null): Transition =>
  (state) => {
    const { connection } = state.view;
    const since = connection.status === 'offline' ? connection.since : now;
    return patchConnection({ status: 'offline', since, until: null, reason, nextPollAt, fault })(state);
  };

/** When the next request may leave, while the server cannot be reached or fails. */
export const setNextTry =
  (nextPollAt: Millis): Transition =>
  (state) => {
    const { status } = state.view.connection;
    return status === 'offline' || status === 'not-api' ? patchConnection({ nextPollAt })(state) : state;
  };

/** The server refused the token, or there is none: no request is made until the user gives a new one. */
export const markUnauthorized =
  (now: Millis, reason: string, status: 'unauthorized' | 'no-token' | 'other-account' = 'unauthorized'): Transition =>
  (state) =>
    patchConnection({ status, since: now, until: null, reason, nextPollAt: null })(state);

/** The server asked for a pause before any further request. */
export const markRateLimited =
  (now: Millis, until: Millis, reason: string): Transition =>
  (state) =>
    patchConnection({ status: 'rate-limited', since: now, until, reason, nextPollAt: until })(state);

/** An answer came after the pause: the server accepts requests again. */
export const endPause: Transition = (state) => {
  const { status, asOf } = state.view.connection;
  if (status !== 'rate-limited') return state;
  const next = asOf === null ? 'starting' : 'online';
  return patchConnection({ status: next, since: null, until: null, reason: null, nextPollAt: null })(state);
};

/** The address is answered by something that is not this API. */
export const markNotApi =
  (now: Millis, reason: string, nextPollAt: Millis): Transition =>
  (state) =>
    patchConnection({ status: 'not-api', since: now, until: null, reason, nextPollAt })(state);

export const markListComplete: Transition = patchConnection({ listComplete: true, listRest: 'none' });

/** What the shown list lacks. Once the list was complete in this run, reading it again (`coming`) is not shown. */
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
    const { failures } = state.view.connection;
    const next = reason === null ? withoutEntry(failures, id) : withEntry(failures, id, reason);
    return next === failures ? state : withConnection(state, { ...state.view.connection, failures: next });
  };

export const setOtherSender =
  (otherSender: OtherSender | null): Transition =>
  (state) =>
    sameValue(state.view.otherSender ?? null, otherSender) ? state : { ...state, view: { ...state.view, otherSender } };

const mostLogged = 200;

/** A notice that says the same about the same thing as the last one replaces it. */
function withLogged(log: readonly Notice[], added: Notice): readonly Notice[] {
  const last = log.at(-1);
  const isAgain = last !== undefined && last.about === added.about && last.text === added.text;
  return [...(isAgain ? log.slice(0, -1) : log.slice(1 - mostLogged)), added];
}

/** Replaces an earlier notice about the same thing; the id grows, so that a repeated notice is new to the view. */
export const addNotice =
  (notice: Omit<Notice, 'id'>): Transition =>
  (state) => {
    const { notices, noticeLog } = state.screen;
    const held = notices.find((other) => other.about === notice.about);
    if (held !== undefined && held.text === notice.text && held.tone === notice.tone && held.until === notice.until)
      return state;
    const id = notices.reduce((highest, other) => Math.max(highest, other.id), 0) + 1;
    const others = notices.filter((other) => other !== held);
    const added = { ...notice, id };
    return patchScreen(state, { notices: [...others, added], noticeLog: withLogged(noticeLog, added) });
  };

/** Adds a sentence to a notice that is shown, there and in the log, and shows it until then. */
export const extendNotice =
  (notice: Notice, sentence: string, until: Millis): Transition =>
  (state) => {
    const { notices, noticeLog } = state.screen;
    const end = /[.!?…]$/.test(notice.text) ? '' : '.';
    const longer = { ...notice, text: `${notice.text}${end} ${sentence}`, until };
    const replaced = (all: readonly Notice[]) => all.map((one) => (one === notice ? longer : one));
    return patchScreen(state, { notices: replaced(notices), noticeLog: replaced(noticeLog) });
  };

/** Removes the notice about something that is resolved. */
export const dropNotice =
  (about: string): Transition =>
  (state) =>
    state.screen.notices.some((notice) => notice.about === about)
      ? patchScreen(state, { notices: state.screen.notices.filter((notice) => notice.about !== about) })
      : state;

/** Removes the notices whose time is over. */
export const expireNotices =
  (now: Millis): Transition =>
  (state) =>
    state.screen.notices.some((notice) => notice.until !== null && notice.until <= now)
      ? patchScreen(state, {
          notices: state.screen.notices.filter((notice) => notice.until === null || notice.until > now),
        })
      : state;
